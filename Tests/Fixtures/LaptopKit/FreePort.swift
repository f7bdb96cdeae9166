import CPlatform

/// Ports that nobody uses at this moment.
package enum FreePort {
    /// A port for datagrams, by the system's choice.
    package static func ofDatagrams() throws -> UInt16 {
        let socket = platform_udp_socket()
        defer { platform_close(socket) }
        var (address, port): (UInt32, UInt16) = (0, 0)
        guard socket >= 0, platform_bind(socket, 0, 0) >= 0,
            platform_local_address(socket, &address, &port) >= 0
        else { throw Failure("no port is free") }
        return port
    }
}
