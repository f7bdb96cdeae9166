internal import CPlatform
internal import Descriptors

/// The lock of a daemon's home or of a socket's directory, held until it is released.
///
/// The file is never removed, because a process that has just opened it would then lock a deleted
/// file. Its first line is the process id of the holder. In a home the second line is the path of
/// the socket, for clients that do not find it at the usual path.
package final class ControlLock: Sendable {
    let path: String
    private let descriptor: Int32
    private let identity: FileIdentity?

    /// Creates the home if needed, checks that it is private, and locks it; or the substitute, for
    /// the paths of a daemon that can only read its home.
    ///
    /// No file in the home may be opened or removed before.
    package convenience init(_ paths: ControlPaths) throws(ControlSocketError) {
        try PrivateDirectory.prepare(paths.state)
        try self.init(file: paths.lock)
    }

    /// Locks a file, and creates it if it is missing.
    package init(file path: String) throws(ControlSocketError) {
        let descriptor = platform_lock_file(path)
        if platform_would_block(Int(descriptor)) {
            throw .alreadyRunning(process: Self.lines(of: path).first.flatMap { Int32($0) })
        }
        try ControlSocketError.check(descriptor, "open \(path)")
        (self.path, self.descriptor) = (path, descriptor)
        identity = FileIdentity(of: descriptor)
        try write([])
    }

    deinit { platform_close(descriptor) }

    /// Writes the process id and these lines.
    package func write(_ lines: [String]) throws(ControlSocketError) {
        let words = ["\(platform_own_process())"] + lines
        let text = Array(words.map { $0 + "\n" }.joined().utf8)
        let written = platform_write_whole(descriptor, text, text.count)
        try ControlSocketError.check(written, "write \(path)")
    }

    /// Whether the path still leads to the locked file; otherwise another process may have locked a
    /// new file at the path.
    var isCurrentFile: Bool { identity != nil && FileIdentity(at: path) == identity }

    /// Whether a daemon is running in the home.
    package static func isHeld(_ paths: ControlPaths) -> Bool {
        paths.locks.contains { platform_lock_is_held($0) }
    }

    /// Returns the path of the running daemon's socket; nil if it is unknown.
    package static func socket(_ paths: ControlPaths) -> String? {
        paths.locks.first { platform_lock_is_held($0) }.flatMap { lines(of: $0).dropFirst().first }
    }

    static func lines(of path: String) -> [String] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = platform_read_file(path, 0, &bytes, bytes.count)
        return bytes.prefix(max(0, count)).split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Directories and files that only their owner can access.
package enum PrivateDirectory {
    /// Creates a directory and its missing parents, and checks that it is private.
    package static func prepare(_ path: String) throws(ControlSocketError) {
        var file = platform_file()
        if platform_file_status(path, &file) < 0 {
            var (step, failure) = ("", (path: path, code: Int32(0)))
            for name in path.split(separator: "/") {
                step += "/" + name
                let made = platform_make_directory(step)
                // A failure does not matter if the directory exists, as when another process has
                // created it.
                if made < 0, platform_file_status(step, &file) < 0 {
                    failure = (step, made)
                    break
                }
            }
            try ControlSocketError.check(failure.code, "create the directory \(failure.path)")
        } else if file.is_directory, file.mode & 0o077 != 0 {
            // Made by hand with the usual mode. A failure leaves it open, which is refused below.
            _ = platform_close_to_others(path)
        }
        try check(path)
    }

    /// Writes a new file that only its owner can read, in place of one at the path.
    package static func write(_ bytes: [UInt8], to path: String) throws(ControlSocketError) {
        _ = platform_unlink(path)
        let file = platform_create_file(path, true)
        try ControlSocketError.check(file, "write \(path)")
        defer { platform_close(file) }
        let written = platform_write_whole(file, bytes, bytes.count)
        try ControlSocketError.check(written, "write \(path)")
    }

    /// Throws unless the directory exists, belongs to this user, and is inaccessible to other
    /// users.
    package static func check(_ path: String) throws(ControlSocketError) {
        var file = platform_file()
        try ControlSocketError.check(platform_file_status(path, &file), "inspect \(path)")
        guard file.is_directory else { throw .inTheWay(path) }
        guard file.owner == platform_own_user() else {
            throw .foreignDirectory(path, owner: file.owner)
        }
        guard file.mode & 0o077 == 0 else { throw .openDirectory(path, mode: file.mode) }
    }
}
