import CPlatform
import Descriptors
import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The addresses that users typed: for one session, or on the command line for all sessions.
@EventLoop
final class PeerAddresses: DaemonPart {
    /// The addresses from the command line, which are dialled for every session.
    private var startPeers: [Endpoint] = []
    private var unresolved: Set<String>
    private var resolving: Set<String> = []
    private let lookup: HostLookup

    let daemon: Daemon

    init(_ daemon: Daemon) {
        self.daemon = daemon
        unresolved = Set(daemon.options.peers)
        lookup = HostLookup(on: daemon.queue)
    }

    /// Resolves `HOST[:PORT]` to addresses of laptops; rejects addresses that cannot belong to one,
    /// such as broadcast addresses, and omits unreachable ones if others of the same name are
    /// reachable.
    func resolveLaptop(_ text: String) async throws(ControlError) -> [Endpoint] {
        let endpoints = try await resolve(text)
        let interfaces = (try? InterfaceAddress.all()) ?? []
        let laptops = endpoints.filter { endpoint in
            endpoint.address.isOfOneMachine
                && !interfaces.contains { $0.broadcast == endpoint.address }
        }
        guard !laptops.isEmpty else {
            throw .usage("“\(text)” is not the address of one laptop, such as 192.168.0.7")
        }
        let reachable = laptops.filter { platform_route($0.platform) == 0 }
        return reachable.isEmpty ? laptops : reachable
    }

    func resolve(_ text: String) async throws(ControlError) -> [Endpoint] {
        let address: PeerAddress
        do throws(PeerAddressError) { address = try PeerAddress(parsing: text) } catch {
            throw .usage("“\(text)”: \(error)")
        }
        return try await withCheckedContinuation { continuation in
            lookup.resolve(host: address.host, port: address.port) {
                continuation.resume(returning: $0)
            }
        }.mapError { ControlError(.notFound, "\($0)") }.get()
    }

    /// Resolves the addresses from the command line for all sessions; those that are not found are
    /// tried again at the next call.
    func findStartPeers() {
        for text in unresolved.subtracting(resolving).sorted() {
            resolving.insert(text)
            EventLoop.start { [self] in
                do throws(ControlError) {
                    let endpoints = try await resolveLaptop(text)
                    resolving.remove(text)
                    unresolved.remove(text)
                    alarms.clear(.network, text)
                    startPeers += endpoints
                    for session in sessions.all {
                        for endpoint in endpoints {
                            driver.handle(.addressTyped(session.id, endpoint))
                        }
                    }
                } catch {
                    resolving.remove(text)
                    alarms.raise(.network, text, error.message, .warning)
                }
            }
        }
    }

    func dialStartPeers(of session: SessionID) {
        for endpoint in startPeers { driver.handle(.addressTyped(session, endpoint)) }
    }

    /// Stores addresses that a user typed, and dials them.
    func add(_ endpoints: [Endpoint], to session: Session) {
        for endpoint in endpoints { session.addAddress(endpoint) }
        watchers.changed(session.id)
    }

    /// Removes the stored ones among some addresses; throws if none is stored.
    func remove(_ endpoints: [Endpoint], from session: Session) throws(ControlError) {
        let known = endpoints.filter { session.facts.addresses[$0] != nil }
        guard !known.isEmpty else {
            throw .notFound("that address is not known here")
        }
        for endpoint in known { session.removeAddress(endpoint) }
        watchers.changed(session.id)
    }
}
