import Descriptors
import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// Addresses that people type, of one session or on the command line for all: owns the latter.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class PeerAddresses: @unchecked Sendable {
    /// The addresses of the command line, which every session tries.
    private var startPeers: [Endpoint] = []
    /// Those of them whose names have not been found yet.
    private var unresolved: Set<String>
    /// Those of them that are being looked for.
    private var asked: Set<String> = []
    private let sessions: SessionCatalog
    private let watchers: Watchers
    private let loop: EngineLoop
    private let alarms: Alarms
    private let lookup: HostLookup

    /// The addresses with these on the command line.
    init(
        _ startPeers: [String],
        _ sessions: SessionCatalog,
        _ watchers: Watchers,
        _ loop: EngineLoop,
        _ alarms: Alarms,
        on queue: EventQueue
    ) {
        unresolved = Set(startPeers)
        self.sessions = sessions
        self.watchers = watchers
        self.loop = loop
        self.alarms = alarms
        lookup = HostLookup(on: queue)
    }

    /// Finds where a laptop at `HOST[:PORT]` can be called; what is no laptop's address is refused.
    func resolveLaptop(_ text: String, then answer: @escaping Answer<[Endpoint]>) {
        resolve(text) { result in
            answer(
                result.flatMap { endpoints in
                    let interfaces = (try? NetworkInterface.all()) ?? []
                    let laptops = endpoints.filter { endpoint in
                        endpoint.isOfOneMachine
                            && !interfaces.contains { $0.broadcast == endpoint.address }
                    }
                    guard laptops.isEmpty else { return .success(laptops) }
                    let text = "“\(text)” is no address of one laptop, such as 192.168.0.7"
                    return .failure(ControlError(.usage, text))
                }
            )
        }
    }

    /// Finds the address of `HOST[:PORT]`.
    func resolve(_ text: String, then answer: @escaping Answer<[Endpoint]>) {
        let address: PeerAddress
        do throws(PeerAddressError) { address = try PeerAddress(parsing: text) } catch {
            return answer(.failure(ControlError(.usage, "“\(text)”: \(error)")))
        }
        lookup.resolve(host: address.host, port: address.port) { @Sendable result in
            answer(result.mapError { ControlError(.notFound, "\($0)") })
        }
    }

    // MARK: The command line

    /// Finds the addresses of the command line, for every session; what is not found is tried
    /// again.
    func findStartPeers() {
        for text in unresolved.subtracting(asked).sorted() {
            asked.insert(text)
            resolveLaptop(text) { [self] result in
                asked.remove(text)
                switch result {
                case .success(let endpoints): found(text, endpoints)
                case .failure(let error): alarms.raise(.network, text, error.message, .warning)
                }
            }
        }
    }

    private func found(_ text: String, _ endpoints: [Endpoint]) {
        guard unresolved.remove(text) != nil else { return }
        alarms.clear(.network, text)
        startPeers += endpoints
        for session in sessions.all {
            for endpoint in endpoints { loop.handle(.addressTyped(session.id, endpoint)) }
        }
    }

    /// Tries the addresses of the command line for one more session.
    func callStartPeers(of session: SessionID) {
        for endpoint in startPeers { loop.handle(.addressTyped(session, endpoint)) }
    }

    // MARK: One session

    /// Notes addresses that somebody typed, and tries them.
    func call(_ endpoints: [Endpoint], of session: Session) {
        for endpoint in endpoints { session.call(endpoint) }
        watchers.changed(session.id)
    }

    /// Forgets those of the addresses that are known.
    func remove(_ endpoints: [Endpoint], from session: Session) -> Result<Done, ControlError> {
        let known = endpoints.filter { session.facts.addresses[$0] != nil }
        guard !known.isEmpty else {
            return .failure(
                ControlError(
                    .notFound,
                    "that address is not known here",
                    candidates: session.facts.addresses.keys.sorted().map(\.description)
                )
            )
        }
        for endpoint in known { session.forget(endpoint) }
        watchers.changed(session.id)
        return .success(Done())
    }
}
