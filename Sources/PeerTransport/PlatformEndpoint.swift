package import CPlatform
package import SyncProtocol

/// Endpoints as the system calls take them.
extension Endpoint {
    package init(_ endpoint: platform_endpoint) {
        let zone = String(zeroTerminated: endpoint.zone)
        self.init(
            address: IPAddress(high: endpoint.high, low: endpoint.low, zone: zone),
            port: endpoint.port
        )
    }

    package var platform: platform_endpoint {
        var endpoint = platform_endpoint()
        (endpoint.high, endpoint.low, endpoint.port) = (address.high, address.low, port)
        unsafe withUnsafeMutableBytes(of: &endpoint.zone) { bytes in
            // The last byte stays zero.
            unsafe bytes.copyBytes(from: address.zone.utf8.prefix(bytes.count - 1))
        }
        return endpoint
    }
}

extension String {
    /// Creates the text in an array of C, up to its first zero byte.
    init(zeroTerminated characters: some BitwiseCopyable) {
        self = unsafe withUnsafeBytes(of: characters) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
