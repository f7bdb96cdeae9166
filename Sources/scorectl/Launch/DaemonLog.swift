import CPlatform

/// The log of a daemon that `scorectl` started.
struct DaemonLog {
    /// The size from which the log is rotated at the next start.
    static let rotatedBytes: Int64 = 1 << 20
    static let tailBytes = 256 << 10

    let path: String

    init(_ path: String) { self.path = path }

    /// Its size; 0 if it does not exist.
    var bytes: Int64 {
        var file = platform_file()
        return platform_file_status(path, &file) == 0 ? file.bytes : 0
    }

    /// Renames a long log, so that two are kept.
    func rotateIfLong() {
        if bytes >= Self.rotatedBytes { _ = platform_rename(path, path + ".1") }
    }

    /// Its last lines after an offset; nil if it cannot be read.
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

/// Follows a log as it grows and is rotated.
struct LogFollower {
    private let path: String
    private var offset: Int64
    /// The file number (inode).
    private var number: UInt64
    /// A line whose end is not written yet.
    private var partialLine: [UInt8] = []
    init(_ path: String) {
        self.path = path
        var file = platform_file()
        let exists = platform_file_status(path, &file) == 0
        (offset, number) = exists ? (file.bytes, file.number) : (0, 0)
    }

    /// The lines since the last call.
    mutating func next() -> [String] {
        var file = platform_file()
        guard platform_file_status(path, &file) == 0 else { return [] }
        var bytes: [UInt8] = []
        if file.number != number {
            var rotated = platform_file()
            let old = path + ".1"
            if platform_file_status(old, &rotated) == 0, rotated.number == number {
                bytes += rest(of: old)
            }
            number = file.number
            offset = 0
        } else if file.bytes < offset {
            offset = 0
        }
        bytes += rest(of: path)
        let all = partialLine + bytes
        let end = all.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        partialLine = Array(all[end...])
        return all[..<end].split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func rest(of path: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = platform_read_file(path, offset, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
            offset += Int64(count)
        }
    }
}
