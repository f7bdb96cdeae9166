internal import CPlatform
package import Descriptors
internal import SyncProtocol

/// The daemon's control socket.
///
/// Only processes of the same user and of root get an answer. The socket file is 0600 from its
/// birth, in a directory that only the user can enter. It is where everybody looks first, or, where
/// it cannot be made there, in the home; the lock of the home says which.
///
/// Invariant for `@unchecked Sendable`: everything is touched on `queue` only, but for what `init`
/// does before anybody else knows the listener.
package final class ControlListener: @unchecked Sendable {
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
    package init(
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
        try lock.file.say([socket.path])
    }

    /// The socket in the usual place, or else in the home, with why.
    private static func listen(
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
    package func start() {
        queue.async { @Sendable [self] in
            if !isStopped { socket.startAccepting { @Sendable [self] in accept() } }
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
        try lock.file.say([socket.path])
        start()
    }

    /// Removes the socket and takes no more calls.
    ///
    /// Each connection ends once the calls that wait are answered and everything is sent. Any
    /// thread may say so.
    package func stop() {
        queue.async { @Sendable [self] in
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
    static func isWelcome(_ user: UInt32, to owner: UInt32) -> Bool { user == owner || user == 0 }

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
        connection.onClose { @Sendable [self] in connections[key] = nil }
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
