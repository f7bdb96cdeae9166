internal import CPlatform
package import Descriptors
internal import SyncProtocol

/// The daemon's control socket.
///
/// Only processes of the same user and of root get an answer. The socket file is 0600 from its
/// birth, in a directory that only the user can enter.
///
/// Invariant for `@unchecked Sendable`: everything is touched on `queue` only, but for what `init`
/// does before anybody else knows the listener.
package final class ControlListener: @unchecked Sendable {
    private let path: String
    /// Held as long as the listener, so that nobody can replace the socket under it.
    private let lock: ControlLock
    private let queue: EventQueue
    private let router: ControlRouter
    private let limits: ControlLimits
    private let program: String
    private let events: DescriptorEvents
    private var connections: [ObjectIdentifier: ControlConnection] = [:]
    private var isStopped = false

    /// Makes the socket in place of one that a killed daemon left behind, and listens.
    ///
    /// Calls are answered from ``start()`` on. `program` is the daemon's version, for the
    /// negotiation.
    package init(
        paths: ControlPaths,
        lock: ControlLock,
        queue: EventQueue,
        router: ControlRouter,
        limits: ControlLimits = ControlLimits(),
        program: String = Versions.program
    ) throws(ControlSocketError) {
        path = paths.socket
        self.lock = lock
        self.queue = queue
        self.router = router
        self.limits = limits
        self.program = program
        let descriptor = try Self.listen(at: paths.socket)
        let path = self.path
        // The lock is kept until the file is gone: the closure holds it.
        events = DescriptorEvents(descriptor, queue: queue) { @Sendable [lock] in
            withExtendedLifetime(lock) { _ = platform_unlink(path) }
        }
    }

    private static func listen(at path: String) throws(ControlSocketError) -> Int32 {
        guard path.utf8.count <= ControlLimits.pathBytes else { throw .pathTooLong(path) }
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

    /// Begins to answer.
    package func start() {
        queue.async { @Sendable [self] in
            guard !isStopped else { return }
            events.startReading { @Sendable [self] in accept() }
        }
    }

    /// Removes the socket and ends all connections, after what is queued now has been done.
    package func stop() {
        queue.async { @Sendable [self] in
            guard !isStopped else { return }
            isStopped = true
            events.cancel()
            for connection in connections.values { connection.close() }
        }
    }

    /// How many connections there are; to be asked on the queue.
    package var connectionCount: Int { connections.count }

    private func accept() {
        while !isStopped {
            let descriptor = platform_accept(events.descriptor, nil, nil)
            if descriptor < 0 {
                // Above all when descriptors have run out: trying again at once would spin.
                if !platform_would_block(Int(descriptor)) {
                    events.pauseReading(for: .milliseconds(ControlLimits.shortageRestMilliseconds))
                }
                return
            }
            var user: UInt32 = 0
            guard platform_peer_user(descriptor, &user) >= 0,
                Self.isWelcome(user, to: platform_own_user())
            else {
                platform_close(descriptor)
                continue
            }
            if connections.count < limits.connections {
                admit(descriptor)
            } else {
                turnAway(descriptor)
            }
        }
    }

    /// Whether a user may call a daemon of another: only itself and root, who can do anything.
    static func isWelcome(_ user: UInt32, to owner: UInt32) -> Bool { user == owner || user == 0 }

    private func admit(_ descriptor: Int32) {
        let connection = ControlConnection(
            descriptor: descriptor,
            queue: queue,
            router: router,
            limits: limits,
            program: program
        )
        let key = ObjectIdentifier(connection)
        connections[key] = connection
        connection.onClose { @Sendable [self] in connections[key] = nil }
        connection.start()
    }

    /// Says why before closing; a fresh socket has room for it.
    private func turnAway(_ descriptor: Int32) {
        let text = "the daemon has \(limits.connections) connections already"
        let frame = RPCEncoding.fault(RPCFault(ControlError(.failed, text)), id: .null)
        _ = platform_send(descriptor, frame, frame.count)
        platform_close(descriptor)
    }
}
