internal import CPlatform
package import Descriptors
internal import SyncProtocol

/// The daemon's control socket.
///
/// Only processes of the same user and of root are accepted. The socket file has mode 0600 from its
/// creation, in a directory that only the user can access. It is at its usual path or, if it cannot
/// be created there, in the home, whose lock file then contains the path.
@EventLoop
package final class ControlListener {
    private let paths: ControlPaths
    /// The lock of the home, held while this listener exists, so that no other daemon takes the
    /// socket.
    private let lock: ControlLock
    private let queue: EventQueue
    private let router: ControlRouter
    private let limits: ControlLimits
    private let home: ServedHome
    private var socket: ListeningSocket
    private var connections: [ObjectIdentifier: ControlConnection] = [:]
    private var isStopped = false
    /// The reason why the socket is not at its usual path; nil if it is.
    package private(set) var fallbackReason: ControlSocketError?

    /// Creates the socket, in place of one that a killed daemon left, and listens.
    ///
    /// Calls are answered after ``start()``. `program`, `build` and `options` are the daemon's
    /// version, build and arguments, for the negotiation.
    package nonisolated init(
        paths: ControlPaths,
        lock: ControlLock,
        queue: EventQueue,
        router: ControlRouter,
        limits: ControlLimits = ControlLimits(),
        program: String = Versions.program,
        build: ProgramBuild? = nil,
        options: [String] = [],
        speaking versions: ClosedRange<Int> = Versions.control
    ) throws(ControlSocketError) {
        (self.paths, self.lock, self.queue) = (paths, lock, queue)
        (self.router, self.limits) = (router, limits)
        home = ServedHome(
            program: program,
            build: build,
            options: options,
            versions: versions,
            path: paths.home,
            identity: FileIdentity(at: paths.home)
        )
        (socket, fallbackReason) = try Self.listen(paths, lock, queue)
        try lock.write([socket.path])
    }

    /// Listens at the usual path, or else in the home, or, if that has no room for a file, in the
    /// substitute; with the reason.
    private nonisolated static func listen(
        _ paths: ControlPaths,
        _ lock: ControlLock,
        _ queue: EventQueue
    ) throws(ControlSocketError) -> (ListeningSocket, fallbackReason: ControlSocketError?) {
        var reason: ControlSocketError?
        for directory in [paths.directory, paths.state, paths.substitute] {
            do {
                let socket = try ListeningSocket(in: directory, under: lock, queue: queue)
                return (socket, reason)
            } catch {
                if case .pathTooLong = error, let reason { throw reason }
                if directory == paths.state, !error.isUnwritable { throw error }
                reason = reason ?? error
            }
        }
        throw reason ?? .pathTooLong(paths.socket)
    }

    package nonisolated func start() {
        queue.async { [self] in
            if !isStopped { socket.startAccepting { [self] in accept() } }
        }
    }

    /// Recreates the socket if it is missing, for example after a logout has removed the runtime
    /// directory, and moves it to its usual path as soon as that is possible.
    ///
    /// Open connections are kept. The daemon calls this periodically.
    package func checkSocket() throws(ControlSocketError) {
        guard !isStopped else { return }
        if socket.isCurrentFile {
            guard fallbackReason != nil,
                let usual = try? ListeningSocket(in: paths.directory, under: lock, queue: queue)
            else { return }
            socket.close()
            (socket, fallbackReason) = (usual, nil)
        } else {
            // Releases the lock of the socket's directory before it is acquired again.
            socket.close()
            (socket, fallbackReason) = try Self.listen(paths, lock, queue)
        }
        try lock.write([socket.path])
        start()
    }

    /// Removes the socket and refuses new calls; callable from any thread.
    ///
    /// Each connection closes after its pending calls are answered and sent.
    package nonisolated func stop() {
        queue.async { [self] in
            guard !isStopped else { return }
            isStopped = true
            socket.close()
            for connection in Array(connections.values) { connection.closeWhenIdle() }
        }
    }

    /// Closes the remaining connections after ``stop()``.
    package func abort() { for connection in Array(connections.values) { connection.abort() } }

    package var connectionCount: Int { connections.count }

    private func accept() {
        while !isStopped {
            let descriptor = socket.accept()
            guard descriptor >= 0 else { return }
            var user: UInt32 = 0
            guard platform_peer_user(descriptor, &user) >= 0,
                Self.isAllowed(user, to: platform_own_user())
            else {
                platform_close(descriptor)
                continue
            }
            if connections.count >= limits.connections { closeIdlest() }
            if connections.count < limits.connections {
                admit(descriptor)
            } else {
                reject(descriptor)
            }
        }
    }

    /// Whether a user may connect to a daemon of `owner`: only the owner and root may.
    nonisolated static func isAllowed(_ user: UInt32, to owner: UInt32) -> Bool {
        user == owner || user == 0
    }

    private func closeIdlest() {
        let latest = platform_steady_milliseconds() - ControlLimits.idleMilliseconds
        let idle = connections.values.filter { $0.isIdle && $0.lastUse <= latest }
        idle.min { $0.lastUse < $1.lastUse }?.close()
    }

    private func admit(_ descriptor: Int32) {
        let connection = ControlConnection(descriptor, on: queue, router, limits, home)
        let key = ObjectIdentifier(connection)
        connections[key] = connection
        connection.onClose { [self] in connections[key] = nil }
        connection.start()
    }

    /// Sends the reason and closes the descriptor, whose empty send buffer has space for the
    /// reason.
    private func reject(_ descriptor: Int32) {
        let text = "the daemon already has \(limits.connections) connections, all of them busy"
        let frame = RPCEncoding.fault(RPCFault(ControlError(.failed, text)), id: .null)
        _ = platform_send(descriptor, frame, frame.count)
        platform_close(descriptor)
    }
}

/// A socket file in a private directory, and the descriptor that listens at it.
///
/// The lock of the directory is held while this object exists, because two homes may share the
/// directory. Only a file that this object created is removed, never that of another daemon.
@EventLoop
final class ListeningSocket {
    let path: String
    private let events: DescriptorEvents
    private let identity: FileIdentity?
    /// The lock of the directory; nil after closing.
    private var lock: ControlLock?

    /// Creates a socket in a directory, in place of one that a killed daemon left.
    ///
    /// `home` is the lock of the home, which is also used if the directory is the home.
    nonisolated convenience init(
        in directory: String,
        under home: ControlLock,
        queue: EventQueue
    ) throws(ControlSocketError) {
        let path = directory + "/control.sock"
        guard path.utf8.count <= ControlLimits.pathBytes else { throw .pathTooLong(path) }
        if home.path == directory + "/daemon.lock" {
            // Another daemon may hold a new home at this path.
            guard home.isCurrentFile else { throw .homeReplaced(directory) }
            try self.init(path, home, queue)
        } else {
            try PrivateDirectory.prepare(directory)
            try self.init(path, ControlLock(file: directory + "/daemon.lock"), queue)
        }
    }

    private nonisolated init(
        _ path: String,
        _ lock: ControlLock,
        _ queue: EventQueue
    ) throws(ControlSocketError) {
        (self.path, self.lock) = (path, lock)
        let descriptor = try Self.listen(at: path)
        identity = FileIdentity(at: path)
        events = DescriptorEvents(descriptor, queue: queue)
    }

    deinit {
        guard lock != nil else { return }
        Self.remove(path, identity)
        events.cancel()
    }

    /// Whether the path still leads to this socket.
    var isCurrentFile: Bool { lock != nil && identity != nil && FileIdentity(at: path) == identity }

    /// Calls `accept` whenever clients may be waiting.
    func startAccepting(_ accept: @escaping @EventLoop () -> Void) { events.startReading(accept) }

    /// Accepts the next client; returns its descriptor or a negated errno.
    ///
    /// After an error that an immediate retry would repeat, accepting pauses.
    func accept() -> Int32 {
        let descriptor = platform_accept(events.descriptor, nil)
        if descriptor < 0, !platform_would_block(Int(descriptor)) {
            // Usually descriptors have run out.
            events.pauseReading(
                for: .milliseconds(ControlLimits.descriptorShortageBackoffMilliseconds)
            )
        }
        return descriptor
    }

    /// Stops listening, removes the socket file unless it was replaced, and releases the lock.
    func close() {
        guard lock != nil else { return }
        Self.remove(path, identity)
        lock = nil
        events.cancel()
    }

    private nonisolated static func remove(_ path: String, _ identity: FileIdentity?) {
        if identity != nil, FileIdentity(at: path) == identity { _ = platform_unlink(path) }
    }

    private nonisolated static func listen(at path: String) throws(ControlSocketError) -> Int32 {
        var file = platform_file()
        if platform_file_status(path, &file) == 0 {
            guard file.is_socket else { throw .inTheWay(path) }
            try ControlSocketError.check(platform_unlink(path), "remove the stale \(path)")
        }
        let descriptor = platform_unix_socket()
        try ControlSocketError.check(descriptor, "create a socket")
        do {
            let bound = platform_unix_bind(descriptor, path)
            try ControlSocketError.check(bound, "create the socket \(path)")
            try ControlSocketError.check(platform_listen(descriptor, 64), "listen at \(path)")
        } catch {
            platform_close(descriptor)
            throw error
        }
        return descriptor
    }
}

/// The daemon's identity for the negotiation, since two homes may share a runtime directory.
struct ServedHome: Sendable {
    let program: String
    /// The build of the daemon; nil if unknown.
    let build: ProgramBuild?
    /// The arguments with which to restart the daemon.
    let options: [String]
    let versions: ClosedRange<Int>
    /// The state directory, as given at the start.
    let path: String
    let identity: FileIdentity?

    /// Whether a path leads to this home, possibly through a link.
    func isMeant(by home: String) -> Bool {
        home == path || (identity != nil && FileIdentity(at: home) == identity)
    }
}
