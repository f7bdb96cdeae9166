import BoardSite
import CMicroHTTPD
import CPlatform
import SyncProtocol
import Synchronization

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

/// What the server's thread does with a request.
extension HTTPServer {
    /// A page that takes events.
    private final class Listener: Sendable {
        let broadcast: Broadcast
        let id: UInt64

        init(_ broadcast: Broadcast, _ id: UInt64) {
            self.broadcast = broadcast
            self.id = id
        }

        deinit { broadcast.leave(id) }
    }

    /// Takes a request in: first its head, with no state, then its body piece by piece, then its
    /// end, and once more when the answer to a submission is there.
    ///
    /// What is refused by its head is so before its body comes, which ends the connection.
    static func take(
        _ context: UnsafeMutableRawPointer?,
        _ connection: OpaquePointer?,
        _ path: UnsafePointer<CChar>?,
        _ method: UnsafePointer<CChar>?,
        _ upload: UnsafePointer<CChar>?,
        _ count: UnsafeMutablePointer<Int>?,
        _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let context = unsafe context, let connection = unsafe connection,
            let path = unsafe path, let method = unsafe method, let count = unsafe count,
            let state = unsafe state
        else { return .NO }
        let visitors = unsafe Unmanaged<Visitors>.fromOpaque(context).takeUnretainedValue()
        guard let held = unsafe state.pointee else {
            let request = unsafe request(connection, String(cString: method), String(cString: path))
            let exchange = Exchange(visitors.board.answer(request))
            unsafe state.pointee = Unmanaged.passRetained(exchange).toOpaque()
            if case .refusal = exchange.answer {
            } else {
                visitors.doorway.leave(unsafe shim_descriptor(connection))
            }
            if case .submission = exchange.answer { return .YES }
            return request.isOnlyRead
                ? .YES : unsafe answer(exchange, visitors.board, connection)
        }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(held).takeUnretainedValue()
        guard unsafe count.pointee == 0 else {
            let bytes = unsafe UnsafeRawBufferPointer(start: upload, count: count.pointee)
            unsafe count.pointee = 0
            // What only is read has no body.
            guard case .submission = exchange.answer else { return .NO }
            return unsafe exchange.take(bytes) ? .YES : .NO
        }
        return unsafe answer(exchange, visitors.board, connection)
    }

    /// Forgets a request that was answered, or whose connection has ended.
    static func complete(
        _ context: UnsafeMutableRawPointer?,
        _ connection: OpaquePointer?,
        _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) {
        guard let held = unsafe state?.pointee else { return }
        unsafe state?.pointee = nil
        unsafe Unmanaged<Exchange>.fromOpaque(held).release()
        guard let context = unsafe context, let connection = unsafe connection else { return }
        let visitors = unsafe Unmanaged<Visitors>.fromOpaque(context).takeUnretainedValue()
        visitors.doorway.rest(unsafe shim_descriptor(connection))
    }

    /// Notes that a connection has come, or has gone.
    static func note(
        _ context: UnsafeMutableRawPointer?,
        _ connection: OpaquePointer?,
        hasCome: Bool
    ) {
        guard let context = unsafe context, let connection = unsafe connection else { return }
        let visitors = unsafe Unmanaged<Visitors>.fromOpaque(context).takeUnretainedValue()
        let descriptor = unsafe shim_descriptor(connection)
        if hasCome {
            visitors.doorway.enter(descriptor)
        } else {
            visitors.doorway.leave(descriptor)
        }
    }

    private static func request(
        _ connection: OpaquePointer,
        _ method: String,
        _ path: String
    ) -> BrowserRequest {
        func header(_ name: String) -> String? {
            unsafe shim_header(connection, name).map { unsafe String(cString: $0) }
        }
        var request = BrowserRequest(method, path, host: header("Host"))
        request.origin = header("Origin")
        request.fetchSite = header("Sec-Fetch-Site")
        request.fetchMode = header("Sec-Fetch-Mode")
        request.contentType = header("Content-Type")
        request.contentLength = header("Content-Length")
        return request
    }

    // MARK: Answers

    private static func answer(
        _ exchange: Exchange,
        _ board: Board,
        _ connection: OpaquePointer
    ) -> MHD_Result {
        switch exchange.answer {
        case .file(let name):
            guard let file = PageFile.all.first(where: { $0.name == name }) else { return .NO }
            return unsafe answer(connection, 200, file.type, file.bytes)
        case .picture(let link, let host):
            let picture = QRCode(board.address(for: host) + link.path)?.picture ?? ""
            return unsafe answer(connection, 200, PageFile.picture, Array(picture.utf8))
        case .events(let visitor):
            guard let id = unsafe board.broadcast.join(connection, visitor) else {
                return unsafe refuse(.crowded, connection)
            }
            return unsafe stream(connection, Listener(board.broadcast, id))
        case .submission(let player, let isUndo):
            switch exchange.outcome {
            case .success(let json)?: return unsafe answer(connection, 200, json: json)
            case .failure(let refusal)?: return unsafe refuse(refusal, connection)
            case nil:
                unsafe enter(exchange, of: player, isUndo: isUndo, board, connection)
                return .YES
            }
        case .refusal(let refusal): return unsafe refuse(refusal, connection)
        }
    }

    /// Has the clerk do what was sent, and the connection wait for it at no cost.
    private static func enter(
        _ exchange: Exchange,
        of player: String,
        isUndo: Bool,
        _ board: Board,
        _ connection: OpaquePointer
    ) {
        unsafe MHD_suspend_connection(connection)
        let place = UInt(bitPattern: connection)
        board.enter(exchange.body, of: player, isUndo: isUndo) { outcome in
            exchange.end(outcome)
            unsafe MHD_resume_connection(OpaquePointer(bitPattern: place))
        }
    }

    private static func refuse(_ refusal: Refusal, _ connection: OpaquePointer) -> MHD_Result {
        unsafe answer(connection, refusal.status, json: refusal.json, refusal.headers)
    }

    private static func answer(
        _ connection: OpaquePointer,
        _ status: UInt32,
        json: [UInt8],
        _ headers: [String: String] = [:]
    ) -> MHD_Result {
        unsafe answer(connection, status, "application/json", json, headers)
    }

    private static func answer(
        _ connection: OpaquePointer,
        _ status: UInt32,
        _ type: String,
        _ bytes: [UInt8],
        _ headers: [String: String] = [:]
    ) -> MHD_Result {
        let response = unsafe bytes.withUnsafeBytes { bytes in
            unsafe shim_copy(bytes.baseAddress, bytes.count)
        }
        return unsafe queue(response, on: connection, status, type, headers)
    }

    private static func stream(_ connection: OpaquePointer, _ listener: Listener) -> MHD_Result {
        let held = unsafe Unmanaged.passRetained(listener)
        let response = unsafe shim_stream(
            { held, _, buffer, count in
                guard let held = unsafe held, let buffer = unsafe buffer else {
                    return shim_end_of_stream()
                }
                let listener = unsafe Unmanaged<Listener>.fromOpaque(held).takeUnretainedValue()
                let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
                return unsafe listener.broadcast.take(listener.id, into: room)
                    ?? shim_end_of_stream()
            },
            held.toOpaque(),
            { held in
                if let held = unsafe held { unsafe Unmanaged<Listener>.fromOpaque(held).release() }
            }
        )
        if unsafe response == nil { unsafe held.release() }
        return unsafe queue(response, on: connection, 200, "text/event-stream", [:])
    }

    private static func queue(
        _ response: OpaquePointer?,
        on connection: OpaquePointer,
        _ status: UInt32,
        _ type: String,
        _ headers: [String: String]
    ) -> MHD_Result {
        guard let response = unsafe response else { return .NO }
        defer { unsafe MHD_destroy_response(response) }
        for (name, value) in Site.headers + [("Content-Type", type)] + headers.map(\.self) {
            _ = unsafe MHD_add_response_header(response, name, value)
        }
        return unsafe MHD_queue_response(connection, status, response)
    }
}

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
