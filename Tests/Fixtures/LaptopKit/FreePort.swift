import CPlatform

/// Ports that nobody uses at this moment.
package enum FreePort {
    /// A port for datagrams, by the system's choice.
    package static func ofDatagrams() throws -> UInt16 {
        let socket = platform_udp_socket(false)
        defer { platform_close(socket) }
        var local = platform_ipv4(0, 0)
        guard socket >= 0, platform_bind(socket, local) >= 0,
            platform_local_address(socket, &local) >= 0
        else { throw Failure("no port is free") }
        return local.port
    }
}
