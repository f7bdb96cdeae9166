internal import CPlatform

/// The right to be the daemon of a home, held until the process ends.
///
/// The lock files are never removed: a daemon that had opened one just before would lock a file
/// that nobody finds any more. They say which process holds them, for people.
package final class ControlLock: Sendable {
    private let descriptors: [Int32]

    /// Makes the directories, checks that they are private, and takes their locks.
    ///
    /// It must come before anything in the home is opened or removed.
    package init(_ paths: ControlPaths) throws(ControlSocketError) {
        for directory in paths.directories {
            try PrivateDirectory.prepare(directory)
        }
        var taken: [Int32] = []
        do {
            for path in paths.locks { taken.append(try Self.take(path)) }
        } catch {
            for descriptor in taken { platform_close(descriptor) }
            throw error
        }
        descriptors = taken
    }

    deinit {
        for descriptor in descriptors { platform_close(descriptor) }
    }

    /// Whether a daemon holds the lock of its state now; it may have ended a moment later.
    package static func isHeld(_ paths: ControlPaths) -> Bool {
        platform_lock_is_held(paths.home + "/daemon.lock")
    }

    private static func take(_ path: String) throws(ControlSocketError) -> Int32 {
        let descriptor = platform_lock_file(path)
        if platform_would_block(Int(descriptor)) {
            throw .alreadyRunning(process: holder(of: path), lock: path)
        }
        try ControlSocketError.check(descriptor, "open \(path)")
        let text = Array("\(platform_own_process())\n".utf8)
        let written = platform_write_whole(descriptor, text, text.count)
        if written < 0 {
            platform_close(descriptor)
            throw .system("write \(path)", code: -written)
        }
        return descriptor
    }

    /// The process id in a lock file; nil while its holder has not written it yet.
    private static func holder(of path: String) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = platform_read_file(path, 0, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let digits = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
        return Int32(String(decoding: digits, as: UTF8.self))
    }
}
