import BoardSite
import CMicroHTTPD
import CPlatform
import Synchronization

/// Keeps the connections few that ask for nothing, by closing the one that has been so longest.
final class Doorway: Sendable {
    private let idle = Mutex(IdleConnections())

    /// How many bytes the system keeps for one connection that does not take them: it would else
    /// be megabytes, before this program hears of it.
    private static let bytesToSend: Int32 = 128 << 10

    /// Somebody has come.
    func enter(_ connection: Int32) {
        _ = platform_set_buffers(connection, Doorway.bytesToSend, 0)
        rest(connection)
    }

    /// Somebody was answered.
    func rest(_ connection: Int32) {
        let longest = idle.withLock { idle in
            idle.remove(connection)
            return idle.add(connection)
        }
        if let longest { shim_cut(longest) }
    }

    /// Somebody asks for something that is there, or has gone.
    func leave(_ connection: Int32) { idle.withLock { $0.remove(connection) } }
}
