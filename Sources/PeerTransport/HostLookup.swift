internal import CPlatform
package import Descriptors
internal import Dispatch
package import SyncProtocol

/// Finds the addresses of a host that the user typed.
package enum HostLookup {
    /// Why a name gave no address.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The name.
        package let host: String
        /// What the system says about it.
        package let reason: String

        package var description: String { "cannot find the host \(host): \(reason)" }
    }

    /// Looks up the IPv4 addresses of a host, in the system's order and each once, and completes on
    /// the given queue.
    ///
    /// A dotted address needs no look-up. It may take as long as the system's resolver does: many
    /// seconds without a network.
    package static func resolve(
        host: String,
        port: UInt16,
        on queue: EventQueue,
        completion: @escaping @Sendable (Result<[Endpoint], Failure>) -> Void
    ) {
        if let address = Endpoint.address(of: host[...]) {
            let endpoint = Endpoint(address: address, port: port)
            return queue.async { @Sendable in completion(.success([endpoint])) }
        }
        DispatchQueue.global(qos: .utility).async { @Sendable in
            let result = lookUp(host, port: port)
            queue.async { @Sendable in completion(result) }
        }
    }

    private static func lookUp(_ host: String, port: UInt16) -> Result<[Endpoint], Failure> {
        let capacity = TransportLimits.lookupAddresses
        var addresses = [UInt32](repeating: 0, count: capacity)
        let count = unsafe platform_lookup(host, &addresses, Int32(capacity))
        guard count >= 0 else {
            let text = unsafe platform_lookup_error_text(-count).map { unsafe String(cString: $0) }
            return .failure(Failure(host: host, reason: text ?? "error \(-count)"))
        }
        var endpoints: [Endpoint] = []
        for address in addresses.prefix(Int(count)) {
            let endpoint = Endpoint(address: address, port: port)
            if !endpoints.contains(endpoint) { endpoints.append(endpoint) }
        }
        return .success(endpoints)
    }
}
