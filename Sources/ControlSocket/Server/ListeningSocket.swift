internal import CPlatform
internal import Descriptors

/// A socket file in a private directory, with the descriptor that listens at it.
///
/// Who makes or removes such a file holds the lock of its directory, because two homes may share
/// one; and what is removed is the file that was made here, never one that another daemon put in
/// its place.
///
/// Invariant for `@unchecked Sendable`: touched on the listener's queue only, but for what `init`
/// does before anybody else knows it.
final class ListeningSocket: @unchecked Sendable {
    let path: String
    private let events: DescriptorEvents
    private let identity: FileIdentity?
    /// The lock of the directory; nil once this is closed.
    private var lock: LockFile?

    /// Makes the socket of a directory in place of one that a killed daemon left behind.
    ///
    /// `home` is the lock of the home, which is that of its directory, too.
    convenience init(
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

    private init(_ path: String, _ lock: LockFile, _ queue: EventQueue) throws(ControlSocketError) {
        self.path = path
        self.lock = lock
        let descriptor = try Self.listen(at: path)
        identity = FileIdentity(at: path)
        events = DescriptorEvents(descriptor, queue: queue)
    }

    deinit { close() }

    /// Whether the path still leads here.
    var isInPlace: Bool { lock != nil && isOwnFile }

    private var isOwnFile: Bool { identity != nil && FileIdentity(at: path) == identity }

    /// Calls `accept` whenever somebody may be waiting.
    func startAccepting(_ accept: @escaping @Sendable () -> Void) { events.startReading(accept) }

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
        if isOwnFile { _ = platform_unlink(path) }
        lock = nil
        events.cancel()
    }

    private static func listen(at path: String) throws(ControlSocketError) -> Int32 {
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
