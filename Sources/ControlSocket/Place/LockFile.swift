internal import CPlatform

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
