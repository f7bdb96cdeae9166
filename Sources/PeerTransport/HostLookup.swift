internal import CPlatform
package import Descriptors
internal import Dispatch
package import SyncProtocol

/// Resolves the host names that users typed.
///
/// Without a network the system's resolver may block for many seconds, so each lookup has a thread.
/// Concurrent requests for one name share one lookup, and the number of lookups is limited.
@EventLoop
package final class HostLookup {
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let host: String
        package let reason: String

        package var description: String { "cannot find the host \(host): \(reason)" }
    }

    /// Returns the addresses of a name from the system's resolver; blocks.
    typealias Resolver = @Sendable (_ host: String) -> Result<[IPAddress], Failure>

    private let queue: EventQueue
    private let resolver: Resolver
    private var waiting: [String: [@EventLoop (Result<[IPAddress], Failure>) -> Void]] = [:]

    package nonisolated convenience init(on queue: EventQueue) {
        self.init(on: queue, resolver: HostLookup.systemResolver)
    }

    nonisolated init(on queue: EventQueue, resolver: @escaping Resolver) {
        (self.queue, self.resolver) = (queue, resolver)
    }

    /// Looks up the addresses of a host, in the system's order and without duplicates.
    ///
    /// A numeric address needs no lookup. The completion is called on the event queue.
    package func resolve(
        host: String,
        port: UInt16,
        completion: @escaping @EventLoop (Result<[Endpoint], Failure>) -> Void
    ) {
        if let address = IPAddress(host) {
            let endpoint = Endpoint(address: address, port: port)
            return queue.async { completion(.success([endpoint])) }
        }
        let isPending = waiting[host] != nil
        guard isPending || waiting.count < TransportLimits.lookups else {
            let reason = "too many other names are being looked up"
            return queue.async { completion(.failure(Failure(host: host, reason: reason))) }
        }
        waiting[host, default: []].append { result in
            completion(result.map { $0.map { Endpoint(address: $0, port: port) } })
        }
        if !isPending { lookUp(host) }
    }

    private func lookUp(_ host: String) {
        DispatchQueue.global(qos: .utility).async { @Sendable [self] in
            let result = resolver(host)
            queue.async { [self] in
                for completion in waiting.removeValue(forKey: host) ?? [] { completion(result) }
            }
        }
    }

    private nonisolated static let systemResolver: Resolver = { host in
        let capacity = TransportLimits.lookupAddresses
        var addresses = [platform_endpoint](repeating: platform_endpoint(), count: capacity)
        let count = unsafe platform_lookup(host, &addresses, Int32(capacity))
        guard count >= 0 else {
            let text = unsafe platform_lookup_error_text(-count).map { unsafe String(cString: $0) }
            return .failure(Failure(host: host, reason: text ?? "error \(-count)"))
        }
        var found: [IPAddress] = []
        for address in addresses.prefix(Int(count)).map({ Endpoint($0).address })
        where !found.contains(address) {
            found.append(address)
        }
        return .success(found)
    }
}
