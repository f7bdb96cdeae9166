internal import CPlatform
package import Descriptors
internal import SyncProtocol

/// The daemon's control socket.
///
/// Only processes of the same user and of root get an answer. The socket file is 0600 from its
/// birth, in a directory that only the user can enter. It is where everybody looks first, or, where
/// it cannot be made there, in the home; the lock of the home says which.
@EventLoop
package final class ControlListener {
    private let paths: ControlPaths
    /// Held as long as the listener, so that nobody can replace the socket under it.
    private let lock: ControlLock
    private let queue: EventQueue
    private let router: ControlRouter
    private let limits: ControlLimits
    private let home: ServedHome
    private var socket: ListeningSocket
    private var connections: [ObjectIdentifier: ControlConnection] = [:]
    private var isStopped = false
    /// Why the socket is not where everybody looks first; nil where it is.
    package private(set) var detour: ControlSocketError?

    /// Makes the socket in place of one that a killed daemon left behind, and listens.
    ///
    /// Calls are answered from ``start()`` on. `program`, `build` and `options` are the daemon's
    /// version and build and how it was started, for the negotiation.
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
        self.paths = paths
        self.lock = lock
        self.queue = queue
        self.router = router
        self.limits = limits
        home = ServedHome(
            paths.home,
            program: program,
            build: build,
            options: options,
            speaking: versions
        )
        (socket, detour) = try Self.listen(paths, lock, queue)
        try lock.file.write([socket.path])
    }

    /// The socket in the usual place, or else in the home, with why.
    private nonisolated static func listen(
        _ paths: ControlPaths,
        _ lock: ControlLock,
        _ queue: EventQueue
    ) throws(ControlSocketError) -> (ListeningSocket, detour: ControlSocketError?) {
        do {
            return (try ListeningSocket(in: paths.directory, under: lock.file, queue: queue), nil)
        } catch {
            guard paths.directory != paths.home else { throw error }
            return (try ListeningSocket(in: paths.home, under: lock.file, queue: queue), error)
        }
    }

    /// Begins to answer.
    package nonisolated func start() {
        queue.async { [self] in
            if !isStopped { socket.startAccepting { [self] in accept() } }
        }
    }

    /// Makes the socket anew where it is gone, as after a logout that took the runtime directory
    /// along, and in the usual place where that has become possible.
    ///
    /// Open connections stay. To be called now and then.
    package func lookAfterSocket() throws(ControlSocketError) {
        queue.requireCurrent()
        guard !isStopped else { return }
        if socket.isInPlace {
            guard detour != nil,
                let usual = try? ListeningSocket(
                    in: paths.directory,
                    under: lock.file,
                    queue: queue
                )
            else { return }
            socket.close()
            (socket, detour) = (usual, nil)
        } else {
            // Its lock must be free before it is taken again.
            socket.close()
            (socket, detour) = try Self.listen(paths, lock, queue)
        }
        try lock.file.write([socket.path])
        start()
    }

    /// Removes the socket and takes no more calls.
    ///
    /// Each connection ends once the calls that wait are answered and everything is sent. Any
    /// thread may say so.
    package nonisolated func stop() {
        queue.async { [self] in
            guard !isStopped else { return }
            isStopped = true
            socket.close()
            for connection in Array(connections.values) { connection.endOnceQuiet() }
        }
    }

    /// Ends the connections that are left, after ``stop()``; on the queue.
    package func giveUp() {
        for connection in Array(connections.values) { connection.giveUp() }
    }

    /// How many connections there are; to be asked on the queue.
    package var connectionCount: Int { connections.count }

    private func accept() {
        while !isStopped {
            let descriptor = socket.accept()
            guard descriptor >= 0 else { return }
            var user: UInt32 = 0
            guard platform_peer_user(descriptor, &user) >= 0,
                Self.isWelcome(user, to: platform_own_user())
            else {
                platform_close(descriptor)
                continue
            }
            if connections.count >= limits.connections { makeRoom() }
            if connections.count < limits.connections {
                admit(descriptor)
            } else {
                turnAway(descriptor)
            }
        }
    }

    /// Whether a user may call a daemon of another: only itself and root, who can do anything.
    nonisolated static func isWelcome(_ user: UInt32, to owner: UInt32) -> Bool {
        user == owner || user == 0
    }

    /// Hangs up on the connection that nobody has used for longest, if one is idle.
    private func makeRoom() {
        let latest = platform_steady_milliseconds() - ControlLimits.idleMilliseconds
        let idle = connections.values.filter { $0.isIdle && $0.lastUse <= latest }
        idle.min { $0.lastUse < $1.lastUse }?.close()
    }

    private func admit(_ descriptor: Int32) {
        let connection = ControlConnection(
            descriptor: descriptor,
            queue: queue,
            router: router,
            limits: limits,
            home: home
        )
        let key = ObjectIdentifier(connection)
        connections[key] = connection
        connection.onClose { [self] in connections[key] = nil }
        connection.start()
    }

    /// Says why before closing; a fresh socket has room for it.
    private func turnAway(_ descriptor: Int32) {
        let text = "the daemon has \(limits.connections) connections already, all of them busy"
        let frame = RPCEncoding.fault(RPCFault(ControlError(.failed, text)), id: .null)
        _ = platform_send(descriptor, frame, frame.count)
        platform_close(descriptor)
    }
}

/// A socket file in a private directory, with the descriptor that listens at it.
///
/// Who makes or removes such a file holds the lock of its directory, because two homes may share
/// one; and what is removed is the file that was made here, never one that another daemon put in
/// its place.
@EventLoop
final class ListeningSocket {
    let path: String
    private let events: DescriptorEvents
    private let identity: FileIdentity?
    /// The lock of the directory; nil once this is closed.
    private var lock: LockFile?

    /// Makes the socket of a directory in place of one that a killed daemon left behind.
    ///
    /// `home` is the lock of the home, which is that of its directory, too.
    nonisolated convenience init(
        in directory: String,
        under home: LockFile,
        queue: EventQueue
    ) throws(ControlSocketError) {
        let path = directory + "/control.sock"
        guard path.utf8.count <= ControlLimits.pathBytes else { throw .pathTooLong(path) }
        if home.path == directory + "/daemon.lock" {
            // Else another daemon may hold the home that is there by now.
            guard home.isInPlace else { throw .homeReplaced(directory) }
            try self.init(path, home, queue)
        } else {
            try PrivateDirectory.prepare(directory)
            try self.init(path, LockFile(directory + "/daemon.lock"), queue)
        }
    }

    private nonisolated init(
        _ path: String,
        _ lock: LockFile,
        _ queue: EventQueue
    ) throws(ControlSocketError) {
        self.path = path
        self.lock = lock
        let descriptor = try Self.listen(at: path)
        identity = FileIdentity(at: path)
        events = DescriptorEvents(descriptor, queue: queue)
    }

    deinit {
        guard lock != nil else { return }
        Self.remove(path, identity)
        events.cancel()
    }

    /// Whether the path still leads here.
    var isInPlace: Bool {
        lock != nil && identity != nil && FileIdentity(at: path) == identity
    }

    /// Calls `accept` whenever somebody may be waiting.
    func startAccepting(_ accept: @escaping @EventLoop () -> Void) { events.startReading(accept) }

    /// The next that waits: its descriptor, or a negated errno, after which nothing is accepted for
    /// a moment where trying again at once would spin.
    func accept() -> Int32 {
        let descriptor = platform_accept(events.descriptor, nil, nil)
        if descriptor < 0, !platform_would_block(Int(descriptor)) {
            // Above all when descriptors have run out.
            events.pauseReading(for: .milliseconds(ControlLimits.shortageRestMilliseconds))
        }
        return descriptor
    }

    /// Listens no more, removes the file if it is still this one, and lets the lock go.
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
        try ControlSocketError.check(descriptor, "make a socket")
        do {
            let bound = platform_unix_bind(descriptor, path)
            try ControlSocketError.check(bound, "make the socket \(path)")
            try ControlSocketError.check(platform_listen(descriptor, 64), "listen at \(path)")
        } catch {
            platform_close(descriptor)
            throw error
        }
        return descriptor
    }
}

/// Whose daemon answers, for the negotiation: two homes may share a runtime directory.
struct ServedHome: Sendable {
    /// The daemon's version.
    let program: String
    /// Which build it is, where that is known.
    let build: ProgramBuild?
    /// The words with which it was started, as it tells them.
    let options: [String]
    /// The versions of the control interface that it speaks.
    let versions: ClosedRange<Int>
    /// The directory of its state, as it was named when the daemon began.
    let path: String
    private let identity: FileIdentity?

    /// A daemon of this version over a home that is there.
    init(
        _ path: String,
        program: String,
        build: ProgramBuild? = nil,
        options: [String] = [],
        speaking versions: ClosedRange<Int>
    ) {
        self.path = path
        self.program = program
        self.build = build
        self.options = options
        self.versions = versions
        identity = FileIdentity(at: path)
    }

    /// Whether a caller means this home, whatever way the path goes.
    func isMeant(by home: String) -> Bool {
        home == path || (identity != nil && FileIdentity(at: home) == identity)
    }
}
