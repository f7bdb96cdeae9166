package import CPlatform
package import SyncProtocol

/// Endpoints as the system calls take them.
extension Endpoint {
    package init(_ endpoint: platform_endpoint) {
        let zone = unsafe withUnsafeBytes(of: endpoint.zone) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
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
