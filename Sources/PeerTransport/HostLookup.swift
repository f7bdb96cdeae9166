internal import CPlatform
package import Descriptors
internal import Dispatch
package import SyncProtocol

/// Finds the addresses of hosts that the user typed.
///
/// The system may look for many seconds where there is no network, on a thread of its own each
/// time. So a name is looked for once at a time, whoever asks meanwhile, and only so many names.
///
/// Invariant for `@unchecked Sendable`: `waiting` is touched on `queue` only.
package final class HostLookup: @unchecked Sendable {
    /// Why a name gave no address.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The name.
        package let host: String
        /// What the system says about it.
        package let reason: String

        package var description: String { "cannot find the host \(host): \(reason)" }
    }

    /// Asks the system for the addresses of a name, and may take long.
    typealias System = @Sendable (_ host: String) -> Result<[UInt32], Failure>

    private let queue: EventQueue
    private let system: System
    private var waiting: [String: [(Result<[UInt32], Failure>) -> Void]] = [:]

    /// Look-ups that complete on the given queue, by the system's own means.
    package convenience init(on queue: EventQueue) {
        self.init(on: queue, asking: HostLookup.askSystem)
    }

    /// The same by other means, for tests.
    init(on queue: EventQueue, asking system: @escaping System) {
        self.queue = queue
        self.system = system
    }

    /// Looks up the IPv4 addresses of a host, in the system's order and each once.
    ///
    /// A dotted address needs no look-up.
    package func resolve(
        host: String,
        port: UInt16,
        completion: @escaping @Sendable (Result<[Endpoint], Failure>) -> Void
    ) {
        queue.requireCurrent()
        if let address = Endpoint.address(of: host[...]) {
            let endpoint = Endpoint(address: address, port: port)
            return queue.async { @Sendable in completion(.success([endpoint])) }
        }
        let isAsked = waiting[host] != nil
        guard isAsked || waiting.count < TransportLimits.lookups else {
            let reason = "too many other names are being looked for"
            return queue.async { @Sendable in
                completion(.failure(Failure(host: host, reason: reason)))
            }
        }
        waiting[host, default: []].append { result in
            completion(result.map { $0.map { Endpoint(address: $0, port: port) } })
        }
        if !isAsked { ask(host) }
    }

    private func ask(_ host: String) {
        DispatchQueue.global(qos: .utility).async { @Sendable [self] in
            let result = system(host)
            queue.async { @Sendable [self] in
                for answer in waiting.removeValue(forKey: host) ?? [] { answer(result) }
            }
        }
    }

    private static let askSystem: System = { host in
        let capacity = TransportLimits.lookupAddresses
        var addresses = [UInt32](repeating: 0, count: capacity)
        let count = unsafe platform_lookup(host, &addresses, Int32(capacity))
        guard count >= 0 else {
            let text = unsafe platform_lookup_error_text(-count).map { unsafe String(cString: $0) }
            return .failure(Failure(host: host, reason: text ?? "error \(-count)"))
        }
        var found: [UInt32] = []
        for address in addresses.prefix(Int(count)) where !found.contains(address) {
            found.append(address)
        }
        return .success(found)
    }
}
