import CPlatform

/// The loopback network, by the plainest of means.
enum Network {
    /// 127.0.0.1.
    static let loopback: UInt32 = 0x7F00_0001

    /// Whether nobody listens on the port.
    static func isFree(_ port: UInt16) -> Bool {
        let descriptor = platform_tcp_socket()
        defer { platform_close(descriptor) }
        return platform_bind(descriptor, loopback, port) == 0
    }

    /// A listening socket and its port.
    static func listen() throws(BenchError) -> (descriptor: Int32, port: UInt16) {
        let descriptor = platform_tcp_socket()
        var port: UInt16 = 0
        var address: UInt32 = 0
        guard platform_bind(descriptor, loopback, 0) == 0, platform_listen(descriptor, 16) == 0,
            platform_local_address(descriptor, &address, &port) == 0
        else {
            platform_close(descriptor)
            throw BenchError("this machine lets nobody listen on its loopback network")
        }
        return (descriptor, port)
    }

    /// A connection to a port.
    static func connect(_ port: UInt16) throws(BenchError) -> Int32 {
        let descriptor = platform_tcp_socket()
        let result = platform_connect(descriptor, loopback, port)
        guard result == 0 || result == -EINPROGRESS,
            platform_wait(descriptor, true, -1, 3000) == 1, platform_socket_error(descriptor) == 0
        else {
            platform_close(descriptor)
            throw BenchError("nobody listens on port \(port)")
        }
        return descriptor
    }

    /// The next connection; nil when the listening socket has been closed.
    static func accept(_ listener: Int32) -> Int32? {
        guard platform_wait(listener, false, -1, -1) == 1 else { return nil }
        let descriptor = platform_accept(listener, nil, nil)
        if descriptor >= 0 { _ = platform_no_delay(descriptor) }
        return descriptor >= 0 ? descriptor : nil
    }

    /// Hands every piece that arrives to `body`, until the other end or `body` says stop.
    static func readAll(_ descriptor: Int32, _ body: (ArraySlice<UInt8>) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = platform_receive(descriptor, &buffer, buffer.count)
            if platform_would_block(count) {
                guard platform_wait(descriptor, false, -1, -1) == 1 else { return }
                continue
            }
            guard count > 0, body(buffer[..<count]) else { return }
        }
    }

    /// Sends everything; false when the other end is gone.
    static func sendAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { platform_send(descriptor, $0.baseAddress, $0.count) }
            if platform_would_block(count) {
                guard platform_wait(descriptor, true, -1, -1) == 1 else { return false }
                continue
            }
            guard count >= 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
