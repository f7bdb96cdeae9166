import PeerTransport
import SyncEngine
import SyncProtocol

/// Whether broadcasts go out and come in, for who asks.
extension PeerNetwork {
    /// How long an own announcement may take to come back.
    private static let echoMilliseconds = 400
    private static let lookMilliseconds = 20

    /// Announces once without a session, which concerns nobody, and tells what came of it.
    func probe(then answer: @escaping @Sendable (Diagnosis.Announcing) -> Void) {
        let start = Clock.now.uptime
        guard sendProbe() else { return answer(announcing(since: start, isProbed: false)) }
        awaitEchoes(
            since: start,
            looks: PeerNetwork.echoMilliseconds / PeerNetwork.lookMilliseconds,
            answer
        )
    }

    private func awaitEchoes(
        since start: UInt64,
        looks: Int,
        _ answer: @escaping @Sendable (Diagnosis.Announcing) -> Void
    ) {
        let found = announcing(since: start, isProbed: true)
        let isComplete = found.interfaces.allSatisfy {
            $0.heardBack || $0.failure != nil || !$0.broadcasts
        }
        guard !isComplete, looks > 0 else { return answer(found) }
        later(.milliseconds(PeerNetwork.lookMilliseconds)) { [self] in
            awaitEchoes(since: start, looks: looks - 1, answer)
        }
    }

    /// How many others are knocked at, and how long they may take to answer.
    private static let mostKnocks = 16
    private static let knockMilliseconds = 400

    /// Knocks at addresses and tells what came of each.
    func knock(
        at endpoints: Set<Endpoint>,
        then answer: @escaping @Sendable ([Endpoint: Diagnosis.Address]) -> Void
    ) {
        let chosen = endpoints.sorted().prefix(PeerNetwork.mostKnocks)
        guard !chosen.isEmpty else { return answer([:]) }
        let answers = KnockAnswers(chosen.count, then: answer)
        for endpoint in chosen {
            knock(at: endpoint, within: .milliseconds(PeerNetwork.knockMilliseconds)) { error in
                answers.take(error, at: endpoint)
            }
        }
    }

    private func announcing(since start: UInt64, isProbed: Bool) -> Diagnosis.Announcing {
        let heard = heard
        return Diagnosis.Announcing(
            enabled: reach.isEnabled,
            port: Int(reach.port),
            failure: announceFailure,
            probed: isProbed,
            only: reach.names,
            interfaces: sendings.map { sending in
                let target = sending.target
                return Diagnosis.Interface(
                    name: target.name,
                    address: Endpoint(address: target.address, port: 0).host,
                    loopback: target.isLoopback,
                    failure: sending.failure.map { "\($0)" },
                    heardBack: heard.hasEcho(from: target.address, since: start)
                )
            } + PeerNetwork.tunnels,
            othersHeardMs: heard.lastOfOthers.map { Int64(clamping: Clock.now.uptime - $0) }
        )
    }

    /// The addresses of interfaces that carry no broadcasts.
    private static var tunnels: [Diagnosis.Interface] {
        let all = (try? NetworkInterface.all()) ?? []
        return all.filter { !$0.isLoopback && $0.everybody == nil }.map { tunnel in
            Diagnosis.Interface(
                name: tunnel.name,
                address: Endpoint(address: tunnel.address, port: 0).host,
                broadcasts: false,
                heardBack: false
            )
        }
    }
}
