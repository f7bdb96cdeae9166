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

/// Reads on in a log as it grows, also when it has become long and was put aside.
struct LogFollower {
    private let path: String
    private var offset: Int64
    private var number: UInt64
    /// A line whose end is not written yet.
    private var begun: [UInt8] = []

    /// What follows in the log at a path from now on.
    init(_ path: String) {
        self.path = path
        var file = platform_file()
        let isThere = platform_file_status(path, &file) == 0
        offset = isThere ? file.bytes : 0
        number = isThere ? file.number : 0
    }

    /// The lines that have come since the last time.
    mutating func next() -> [String] {
        var file = platform_file()
        guard platform_file_status(path, &file) == 0 else { return [] }
        var bytes: [UInt8] = []
        if file.number != number {
            var aside = platform_file()
            let old = path + ".1"
            if platform_file_status(old, &aside) == 0, aside.number == number {
                bytes += rest(of: old)
            }
            number = file.number
            offset = 0
        } else if file.bytes < offset {
            offset = 0
        }
        bytes += rest(of: path)
        let all = begun + bytes
        let end = all.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        begun = Array(all[end...])
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
