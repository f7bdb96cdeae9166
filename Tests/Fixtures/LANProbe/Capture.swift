import CPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Takes down what passes.
enum Capture {
    /// Writes every frame that passes in this namespace to a file.
    static func run(into path: String) {
        #if os(Linux)
        let everything: UInt16 = 3  // ETH_P_ALL
        #if canImport(Glibc)
        let raw = Int32(SOCK_RAW.rawValue)
        #else
        let raw = SOCK_RAW
        #endif
        let socket = socket(AF_PACKET, raw, Int32(everything.bigEndian))
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard socket >= 0, file >= 0 else { Probe.end(1, "errno \(errno)") }
        var room: Int32 = 32 << 20
        setsockopt(socket, SOL_SOCKET, SO_RCVBUFFORCE, &room, socklen_t(MemoryLayout<Int32>.size))
        Probe.report("ready")
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            // Packets before the end of the input are still recorded.
            let ended = platform_wait(socket, false, 0, -1) == 2
            if ended, platform_wait(socket, false, -1, 0) != 1 { break }
            let count = recv(socket, &bytes, bytes.count, 0)
            guard count > 0, platform_write_all(file, bytes, count) >= 0 else { break }
        }
        #else
        Probe.end(1, "only on Linux")
        #endif
    }
}
