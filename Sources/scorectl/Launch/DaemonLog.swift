import CPlatform

/// The file into which a daemon writes that `scorectl` started.
struct DaemonLog {
    /// The size from which a log is put aside at the next start.
    static let rotatedBytes: Int64 = 1 << 20
    /// The most that is read from its end.
    static let tailBytes = 256 << 10

    let path: String

    /// The log at a path, whether it exists or not.
    init(_ path: String) { self.path = path }

    /// How long it is; 0 when it does not exist.
    var bytes: Int64 {
        var file = platform_file()
        return platform_file_status(path, &file) == 0 ? file.bytes : 0
    }

    /// Puts a long log aside in place of the one before it, so that two are kept.
    func rotateIfLong() {
        if bytes >= Self.rotatedBytes { _ = platform_rename(path, path + ".1") }
    }

    /// Its last lines, at most so many and none before an offset; nil when it cannot be read.
    func tail(lines count: Int, after start: Int64 = 0) -> [String]? {
        let end = bytes
        let first = max(start, end - Int64(Self.tailBytes))
        var buffer = [UInt8](repeating: 0, count: Self.tailBytes)
        let read = platform_read_file(path, first, &buffer, buffer.count)
        guard read >= 0 else { return nil }
        let text = buffer.prefix(read)
        let lines = text.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        return lines.suffix(count)
    }
}
