internal import CPlatform
internal import Descriptors

/// A lock file that this process holds, until the lock is let go.
///
/// The file is never removed: somebody who had opened it just before would lock a file that nobody
/// finds any more. It says which process holds it.
final class LockFile: Sendable {
    let path: String
    private let descriptor: Int32
    private let identity: FileIdentity?

    /// Takes the lock of a file, which is made when it is missing.
    init(_ path: String) throws(ControlSocketError) {
        let descriptor = platform_lock_file(path)
        if platform_would_block(Int(descriptor)) {
            throw .alreadyRunning(process: Self.lines(of: path).first.flatMap { Int32($0) })
        }
        try ControlSocketError.check(descriptor, "open \(path)")
        self.path = path
        self.descriptor = descriptor
        identity = FileIdentity(of: descriptor)
        try say([])
    }

    deinit { platform_close(descriptor) }

    /// Writes into the file, after the process id in its first line, a line each.
    func say(_ lines: [String]) throws(ControlSocketError) {
        let words = ["\(platform_own_process())"] + lines
        let text = Array(words.map { $0 + "\n" }.joined().utf8)
        let written = platform_write_whole(descriptor, text, text.count)
        try ControlSocketError.check(written, "write \(path)")
    }

    /// Whether the path still leads to the file: else somebody else may hold the lock of another.
    var isInPlace: Bool { identity != nil && FileIdentity(at: path) == identity }

    /// What a lock file says, whoever holds it.
    static func lines(of path: String) -> [String] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = platform_read_file(path, 0, &bytes, bytes.count)
        return bytes.prefix(max(0, count)).split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The right to be the daemon of a home, held until the process ends.
///
/// Its file says which process that is, for people, and in the second line where it is called: so
/// it is found also where its socket could not be made in the usual place.
package final class ControlLock: Sendable {
    let file: LockFile

    /// Makes the home, checks that it is private, and takes its lock.
    ///
    /// It must come before anything in the home is opened or removed.
    package init(_ paths: ControlPaths) throws(ControlSocketError) {
        try PrivateDirectory.prepare(paths.home)
        file = try LockFile(paths.homeLock)
    }

    /// Whether a daemon holds the lock of its state now; it may have ended a moment later.
    package static func isHeld(_ paths: ControlPaths) -> Bool {
        platform_lock_is_held(paths.homeLock)
    }

    /// Where the daemon that holds the lock says that it is called; nil where it says nothing.
    package static func socket(_ paths: ControlPaths) -> String? {
        guard isHeld(paths) else { return nil }
        return LockFile.lines(of: paths.homeLock).dropFirst().first
    }
}

/// A directory that nobody but its owner may enter.
package enum PrivateDirectory {
    /// Makes the directory and those above it where they are missing, and checks it.
    package static func prepare(_ path: String) throws(ControlSocketError) {
        var file = platform_file()
        if platform_file_status(path, &file) < 0 {
            var (step, failure) = ("", (path: path, code: Int32(0)))
            for name in path.split(separator: "/") {
                step += "/" + name
                let made = platform_make_directory(step)
                // What is there need not be made, nor what another process made meanwhile.
                if made < 0, platform_file_status(step, &file) < 0 {
                    failure = (step, made)
                    break
                }
            }
            try ControlSocketError.check(failure.code, "make the directory \(failure.path)")
        }
        try check(path)
    }

    /// Throws unless the directory exists, belongs to this user and is closed to others.
    package static func check(_ path: String) throws(ControlSocketError) {
        var file = platform_file()
        try ControlSocketError.check(platform_file_status(path, &file), "look at \(path)")
        guard file.is_directory else { throw .inTheWay(path) }
        guard file.owner == platform_own_user() else {
            throw .foreignDirectory(path, owner: file.owner)
        }
        guard file.mode & 0o077 == 0 else { throw .openDirectory(path, mode: file.mode) }
    }
}
