import BoardSite
import CMicroHTTPD
import SyncProtocol

/// Serves a board by libmicrohttpd, which has a thread of its own for it.
@safe final class HTTPServer {
    /// The port that it listens on.
    let port: UInt16

    private let server: OpaquePointer
    private let visitors: Unmanaged<Visitors>

    /// What the server's thread sees.
    final class Visitors: Sendable {
        let board: Board
        let doorway = Doorway()

        init(_ board: Board) { self.board = board }
    }

    /// What visitors may take: connections for the pages, for who asks for nothing, and for who
    /// loads a page or enters; of one address half of them, and little memory each.
    private static func bounds(isShared: Bool) -> shim_bounds {
        let most = Broadcast.mostPages + IdleConnections.most + 100
        return shim_bounds(
            connections: UInt32(most),
            // All users of this machine have one address.
            connections_of_one_address: isShared ? UInt32(most / 2) : 0,
            idle_seconds: 30,
            bytes_of_one_connection: 24 << 10
        )
    }

    /// Serves at an IPv4 address in host byte order.
    ///
    /// - Throws: `failed` where nobody can listen there.
    init(at address: UInt32, port: UInt16, _ board: Board) throws(ControlError) {
        let visitors = unsafe Unmanaged.passRetained(Visitors(board))
        let listeners = unsafe shim_listeners(
            request: { context, connection, path, method, _, upload, count, state in
                unsafe HTTPServer.take(context, connection, path, method, upload, count, state)
            },
            completed: { context, connection, state, _ in
                unsafe HTTPServer.complete(context, connection, state)
            },
            connection: { context, connection, _, news in
                unsafe HTTPServer.note(
                    context,
                    connection,
                    hasCome: news == .CONNECTION_NOTIFY_STARTED
                )
            }
        )
        let started = unsafe shim_start(
            address,
            port,
            HTTPServer.bounds(isShared: address != OwnAddress.loopback),
            listeners,
            visitors.toOpaque()
        )
        guard let started = unsafe started else {
            unsafe visitors.release()
            throw ControlError(.failed, "cannot listen on port \(port): it is taken")
        }
        unsafe server = started
        unsafe self.visitors = visitors
        self.port = port
    }

    /// Ends all connections.
    func stop() {
        unsafe visitors.takeUnretainedValue().board.end()
        unsafe MHD_stop_daemon(server)
        unsafe visitors.release()
    }
}
