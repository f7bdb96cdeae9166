import BoardSite
import CMicroHTTPD
import CPlatform
import ControlSocket
import Dispatch
import SyncProtocol
import Synchronization

/// Serves a board with libmicrohttpd, which runs its callbacks on a thread of its own.
@safe final class HTTPServer {
    let port: UInt16

    private let server: OpaquePointer
    private let context: Unmanaged<Context>

    /// The argument of the server's callbacks.
    private final class Context: Sendable {
        let board: Board
        let door: Board.Door
        let limiter = ConnectionLimiter()
        /// The requests whose connections are suspended.
        let pending = DispatchGroup()
        private let isClosing = Mutex(false)

        init(_ board: Board, _ door: Board.Door) { (self.board, self.door) = (board, door) }

        /// Counts a request that is about to be suspended; returns false if the server is stopping.
        func enter() -> Bool {
            isClosing.withLock { isClosing in
                if !isClosing { pending.enter() }
                return !isClosing
            }
        }

        func close() { isClosing.withLock { $0 = true } }
    }

    /// Returns limits for the number of connections, at most half of them from one address, and the
    /// memory of each.
    ///
    /// The number covers open pages, idle clients, and clients that load a page or submit.
    private static func limits(isShared: Bool) -> shim_limits {
        let connections = Broadcast.maxPages + IdleConnections.maxConnections + 100
        return shim_limits(
            connections: UInt32(connections),
            // All users of this machine share one address.
            connections_per_address: isShared ? UInt32(connections / 2) : 0,
            idle_seconds: UInt32(HTTPServer.maxSeconds),
            bytes_per_connection: 24 << 10
        )
    }

    /// The limit of the time without traffic, and of the time for a body that trickles in.
    fileprivate static let maxSeconds = testSeconds ?? 30

    #if DEBUG
    private static var testSeconds: Int? {
        let text = unsafe platform_environment("SCORESYNC_TEST_BOARD_SECONDS")
        return unsafe text.flatMap { unsafe Int(String(cString: $0)) }
    }
    #else
    private static var testSeconds: Int? { nil }
    #endif

    /// Listens at the port of a door.
    ///
    /// - Throws: `failed` if the port is not available.
    init(_ door: Board.Door, _ board: Board) throws(ControlError) {
        let context = unsafe Unmanaged.passRetained(Context(board, door))
        let callbacks = unsafe shim_callbacks(
            request: { context, connection, path, method, _, upload, count, state in
                unsafe HTTPServer.receive(context, connection, path, method, upload, count, state)
            },
            completed: { context, connection, state, _ in
                unsafe HTTPServer.complete(context, connection, state)
            },
            connection: { context, connection, _, event in
                unsafe HTTPServer.limit(
                    context,
                    connection,
                    isNew: event == .CONNECTION_NOTIFY_STARTED
                )
            }
        )
        let started = unsafe shim_start(
            door.servesNetwork,
            door.port,
            HTTPServer.limits(isShared: door.servesNetwork),
            callbacks,
            context.toOpaque()
        )
        guard let started = unsafe started else {
            unsafe context.release()
            throw ControlError(.failed, "cannot listen on port \(door.port): it is in use")
        }
        unsafe server = started
        unsafe self.context = context
        port = door.port
    }

    /// Closes all connections, after the requests that are being carried out.
    func stop() {
        let context = unsafe self.context.takeUnretainedValue()
        context.close()
        context.board.feeds.close(port: port)
        // The library does not stop while a connection is suspended.
        context.pending.wait()
        unsafe MHD_stop_daemon(server)
        unsafe self.context.release()
    }

    // MARK: Callbacks

    /// Receives a request in several calls: the head, without state; pieces of the body; the end;
    /// and, for a submission, once more when its outcome is known.
    ///
    /// A request that is rejected by its head is answered before its body, which closes the
    /// connection.
    private static func receive(
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
        let server = unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        guard let pointer = unsafe state.pointee else {
            let request = unsafe request(connection, String(cString: method), String(cString: path))
            let pending = PendingRequest(server.board.response(to: request, at: server.door))
            unsafe state.pointee = Unmanaged.passRetained(pending).toOpaque()
            if case .error = pending.response {
            } else {
                server.limiter.markActive(unsafe shim_descriptor(connection))
            }
            if case .post = pending.response { return .YES }
            return request.isRead ? .YES : unsafe respond(to: pending, server, connection)
        }
        let pending = unsafe Unmanaged<PendingRequest>.fromOpaque(pointer).takeUnretainedValue()
        guard unsafe count.pointee == 0 else {
            let bytes = unsafe UnsafeRawBufferPointer(start: upload, count: count.pointee)
            unsafe count.pointee = 0
            guard case .post(let post) = pending.response else { return .NO }
            return unsafe pending.append(bytes, upTo: post.maxBytes) ? .YES : .NO
        }
        return unsafe respond(to: pending, server, connection)
    }

    /// Releases the state of a request that was answered, or whose connection was closed.
    private static func complete(
        _ context: UnsafeMutableRawPointer?,
        _ connection: OpaquePointer?,
        _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) {
        guard let pointer = unsafe state?.pointee else { return }
        unsafe state?.pointee = nil
        unsafe Unmanaged<PendingRequest>.fromOpaque(pointer).release()
        guard let context = unsafe context, let connection = unsafe connection else { return }
        let server = unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        server.limiter.markIdle(unsafe shim_descriptor(connection))
    }

    private static func limit(
        _ context: UnsafeMutableRawPointer?,
        _ connection: OpaquePointer?,
        isNew: Bool
    ) {
        guard let context = unsafe context, let connection = unsafe connection else { return }
        let server = unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        let descriptor = unsafe shim_descriptor(connection)
        if isNew {
            server.limiter.add(descriptor)
        } else {
            server.limiter.markActive(descriptor)
        }
    }

    private static func request(
        _ connection: OpaquePointer,
        _ method: String,
        _ path: String
    ) -> BrowserRequest {
        var isAmbiguous = false
        func header(_ name: String) -> String? {
            let header = unsafe shim_header(connection, name)
            if unsafe header.count > 1 { isAmbiguous = true }
            return unsafe header.value.map { unsafe String(cString: $0) }
        }
        var request = BrowserRequest(method, path, host: header("Host"))
        request.origin = header("Origin")
        request.fetchSite = header("Sec-Fetch-Site")
        request.fetchMode = header("Sec-Fetch-Mode")
        request.accept = header("Accept")
        request.contentType = header("Content-Type")
        request.contentLength = header("Content-Length")
        request.cookie = header("Cookie")
        request.isAmbiguous = isAmbiguous
        return request
    }

    // MARK: Responses

    private static func respond(
        to pending: PendingRequest,
        _ server: Context,
        _ connection: OpaquePointer
    ) -> MHD_Result {
        let board = server.board
        switch pending.response {
        case .file(let name):
            guard let file = PageFile.all.first(where: { $0.name == name }) else { return .NO }
            return unsafe send(file.bytes, type: file.type, on: connection)
        case .redirect(let path):
            return unsafe send(
                [],
                type: "text/plain",
                status: 308,
                ["Location": path],
                on: connection
            )
        case .picture(let path, let host):
            let svg = QRCode(board.url(for: host) + path)?.svg ?? ""
            return unsafe send(Array(svg.utf8), type: PageFile.picture, on: connection)
        case .code(let text):
            let svg = QRCode(text)?.svg ?? ""
            return unsafe send(Array(svg.utf8), type: PageFile.picture, on: connection)
        case .play:
            guard let code = board.feeds.main.play else {
                return unsafe send(.notFound, isPage: false, on: connection)
            }
            return unsafe send(Array(code.svg.utf8), type: PageFile.picture, on: connection)
        case .events(let page):
            let subscription = unsafe board.feeds.subscribe(
                connection,
                page,
                port: server.door.port
            )
            guard let (broadcast, id) = subscription else {
                return unsafe send(.tooManyPages, isPage: false, on: connection)
            }
            if case .phone(let token) = page { board.markOpened(token) }
            return unsafe stream(Subscription(broadcast, id), on: connection)
        case .unlock(let key): return unsafe unlock(key, board, connection)
        case .post(let post):
            switch pending.outcome {
            case .success(let json)?:
                return unsafe send(json, type: "application/json", on: connection)
            case .failure(let error)?: return unsafe send(error, isPage: false, on: connection)
            case nil:
                guard server.enter() else {
                    return unsafe send(.ending, isPage: false, on: connection)
                }
                unsafe carryOut(post, pending, server, connection)
                return .YES
            }
        case .error(let error, let isPage):
            return unsafe send(error, isPage: isPage, on: connection)
        }
    }

    /// Carries out a request with a body, and suspends the connection until the outcome is known.
    private static func carryOut(
        _ post: Site.Post,
        _ pending: PendingRequest,
        _ server: Context,
        _ connection: OpaquePointer
    ) {
        unsafe MHD_suspend_connection(connection)
        let address = UInt(bitPattern: connection)
        server.board.carryOut(post, pending.body) { outcome in
            pending.finish(outcome)
            unsafe MHD_resume_connection(OpaquePointer(bitPattern: address))
            server.pending.leave()
        }
    }

    /// Lets the browser in that brings a key, and takes it to the owner's page.
    private static func unlock(
        _ key: String,
        _ board: Board,
        _ connection: OpaquePointer
    ) -> MHD_Result {
        guard AppFiles(board.paths).consume(key) else {
            return unsafe send(.usedKey, isPage: true, on: connection)
        }
        let keys = board.keys
        // A redirect would belong to the navigation from the file that brought the key, for which
        // browsers send no strict cookie.
        let page =
            "<!DOCTYPE html><title>ScoreSync</title>"
            + "<link rel=\"icon\" href=\"\(keys.owner.path)icon.svg\">"
            + "<meta http-equiv=\"refresh\" content=\"0; url=\(keys.owner.path)\">"
        return unsafe send(
            Array(page.utf8),
            type: "text/html; charset=utf-8",
            ["Set-Cookie": Site.cookieHeader(keys)],
            on: connection
        )
    }

    private static func send(
        _ error: HTTPError,
        isPage: Bool,
        on connection: OpaquePointer
    ) -> MHD_Result {
        unsafe send(
            isPage ? error.page : error.json,
            type: isPage ? "text/html; charset=utf-8" : "application/json",
            status: error.status,
            error.headers,
            on: connection
        )
    }

    private static func send(
        _ bytes: [UInt8],
        type: String,
        status: UInt32 = 200,
        _ headers: [String: String] = [:],
        on connection: OpaquePointer
    ) -> MHD_Result {
        let response = unsafe bytes.withUnsafeBytes { bytes in
            unsafe shim_copy(bytes.baseAddress, bytes.count)
        }
        return unsafe queue(response, on: connection, status, type, headers)
    }

    private static func stream(
        _ subscription: Subscription,
        on connection: OpaquePointer
    ) -> MHD_Result {
        let held = unsafe Unmanaged.passRetained(subscription)
        let response = unsafe shim_stream(
            { pointer, _, buffer, count in
                guard let pointer = unsafe pointer, let buffer = unsafe buffer else {
                    return shim_end_of_stream()
                }
                let held = unsafe Unmanaged<Subscription>.fromOpaque(pointer)
                let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
                return unsafe held.takeUnretainedValue().read(into: room) ?? shim_end_of_stream()
            },
            held.toOpaque(),
            { pointer in
                guard let pointer = unsafe pointer else { return }
                unsafe Unmanaged<Subscription>.fromOpaque(pointer).release()
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

/// A page's position in the broadcast, until the server releases its response.
private final class Subscription: Sendable {
    private let broadcast: Broadcast
    private let id: UInt64

    init(_ broadcast: Broadcast, _ id: UInt64) {
        self.broadcast = broadcast
        self.id = id
    }

    deinit { broadcast.unsubscribe(id) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        unsafe broadcast.read(id, into: buffer)
    }
}

/// A request between its head and its response.
private final class PendingRequest: Sendable {
    let response: Site.Response

    /// The time by which the body must be complete, however slowly it arrives.
    private let deadline = ContinuousClock.now + .seconds(HTTPServer.maxSeconds)

    private struct State {
        var body: [UInt8] = []
        var outcome: SubmissionQueue.Outcome?
    }

    private let state = Mutex(State())

    init(_ response: Site.Response) { self.response = response }

    /// The outcome of a submission; nil until it is known.
    var outcome: SubmissionQueue.Outcome? { state.withLock(\.outcome) }

    var body: [UInt8] { state.withLock(\.body) }

    /// Appends a piece of the body; returns false if the body is too long, or takes too long.
    func append(_ bytes: some Collection<UInt8>, upTo maxBytes: Int) -> Bool {
        guard ContinuousClock.now < deadline else { return false }
        return state.withLock { state in
            guard state.body.count + bytes.count <= maxBytes else { return false }
            state.body += bytes
            return true
        }
    }

    func finish(_ outcome: SubmissionQueue.Outcome) { state.withLock { $0.outcome = outcome } }
}

/// Limits the connections without a valid request, by closing the one that is idle for longest.
private final class ConnectionLimiter: Sendable {
    private let idle = Mutex(IdleConnections())

    /// The send buffer of a connection.
    ///
    /// Otherwise the kernel queues megabytes before this program notices that a page stalls.
    private static let sendBufferBytes: Int32 = 128 << 10

    func add(_ connection: Int32) {
        _ = platform_set_buffers(connection, ConnectionLimiter.sendBufferBytes, 0)
        markIdle(connection)
    }

    func markIdle(_ connection: Int32) {
        let longest = idle.withLock { idle in
            idle.remove(connection)
            return idle.add(connection)
        }
        if let longest { shim_cut(longest) }
    }

    /// Removes a connection that was closed, or that has a valid request.
    func markActive(_ connection: Int32) { idle.withLock { $0.remove(connection) } }
}
