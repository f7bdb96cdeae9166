import ControlSocket
import Descriptors
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The call that gives `scorectl doctor` the facts that only the daemon knows.
@EventLoop
struct DiagnosisCalls: CallGroup {
    let daemon: Daemon
    private let program = RunningProgram()

    func register(on router: inout ControlRouter) {
        router.answer(.diagnosis) { _ in
            let announcing = await network.probeAnnouncing()
            let probes = await network.probe(callers)
            return diagnosis(announcing, probes, refusedWrite: await writeFailure())
        }
    }

    private var callers: Set<Endpoint> {
        let linked = sessions.all.flatMap { driver.engine.peers($0.id) }
        return Set(linked.filter { $0.side == .accepted }.map(\.endpoint))
    }

    /// Rewrites a setting unchanged; returns the reason why that failed, nil if it did not.
    private func writeFailure() async -> String? {
        if let copy = daemon.copy { return copy.reason }
        let result = await storage.result { store throws(StoreError) in
            try store.rewriteSetting()
        }
        return if case .failure(let error) = result { "\(error)" } else { nil }
    }

    private func diagnosis(
        _ announcing: Diagnosis.Announcing,
        _ probes: [Endpoint: Diagnosis.Address],
        refusedWrite: String?
    ) -> Diagnosis {
        let all = sessions.all.sorted { ($0.title, $0.id) < ($1.title, $1.id) }
        return Diagnosis(
            daemon: DaemonSummary(driver.engine, port: network.port, home: daemon.home),
            program: Diagnosis.Program(path: program.path, replaced: program.isReplaced),
            announcing: announcing
        ).with {
            $0.listenFailure = daemon.copy?.reason ?? network.listenFailure
            $0.sessions = all.map(held)
            $0.peers = all.filter { !$0.header.isFinished }.flatMap { others(in: $0, probes) }
            $0.refusedWrite = refusedWrite
            $0.alarms = alarms.all
        }
    }

    private func held(_ session: Session) -> Diagnosis.Held {
        Diagnosis.Held(id: session.id.description, title: session.title).with {
            $0.finished = session.header.isFinished
            $0.readable = driver.engine.replicas[session.id]?.isReadable ?? false
            $0.hasKey = session.facts.hasKey
        }
    }

    private func others(
        in session: Session,
        _ probes: [Endpoint: Diagnosis.Address]
    ) -> [Diagnosis.Peer] {
        let linked = driver.engine.peers(session.id)
        let id = session.id.description
        return linked.map { status in
            let device = status.device
            return Diagnosis.Peer(session: id, device: device.description, name: status.name).with {
                $0.caller = status.side == .dialled ? .here : .there
                $0.linkedMs = DiagnosisCalls.age(of: status.linkedAt)
                $0.clockSkewMs = status.skew
                $0.heardMs = heard(device)
                $0.probe = status.side == .accepted ? probes[status.endpoint] : nil
                $0.addresses = shown(session.facts.addresses(of: device), in: session)
            }
        }
            + peers.offline(in: session).map { device, addresses in
                let name = device.map { sessions.name(of: $0, in: session) }
                return Diagnosis.Peer(
                    session: id,
                    device: device?.description,
                    name: name ?? addresses[0].address
                ).with {
                    $0.heardMs = device.flatMap(heard)
                    let seen = device == nil ? nil : addresses.compactMap(\.lastAuthenticated).max()
                    $0.lastSeen = seen.map { Timestamp(milliseconds: $0) }
                    $0.addresses = shown(addresses, in: session)
                }
            }
    }

    private func shown(_ addresses: [StoredAddress], in session: Session) -> [Diagnosis.Address] {
        addresses.map { address in
            let result = Endpoint(address.address).flatMap {
                links.results[DialTarget(session.id, $0)]
            }
            return Diagnosis.Address(address: address.address).with {
                $0.typed = address.isTyped
                $0.outcome = result?.outcome
                $0.text = result?.text
                $0.agoMs = result.map { DiagnosisCalls.age(of: $0.uptime) }
            }
        }
    }

    private func heard(_ device: DeviceID) -> Int64? {
        network.heard[device].map(DiagnosisCalls.age)
    }

    private static func age(of uptime: UInt64) -> Int64 {
        Int64(clamping: Clock.now.uptime - min(uptime, Clock.now.uptime))
    }
}

/// The executable file of this process, as it was at the start.
struct RunningProgram: Sendable {
    /// The path of the file; nil if the system does not report it.
    let path = InstalledProgram.ownPath
    private let build = ProgramBuild.ofThisProcess

    /// Whether there is now another file at the path, or none.
    var isReplaced: Bool {
        guard let path, let build else { return false }
        return ProgramBuild(at: path) != build
    }
}
