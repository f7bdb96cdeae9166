import CPlatform

struct DaemonLog {
    /// The size from which the log is rotated at the next start.
    static let rotatedBytes: Int64 = 1 << 20
    static let tailBytes = 256 << 10

    let path: String

    var bytes: Int64 { Files.status(path)?.bytes ?? 0 }

    /// Renames a long log, so that two are kept.
    func rotateIfLong() {
        if bytes >= Self.rotatedBytes { _ = platform_rename(path, path + ".1") }
    }

    /// Returns the last lines of the log after an offset; nil if it cannot be read.
    func tail(lines count: Int, after start: Int64 = 0) -> [String]? {
        let first = max(start, bytes - Int64(Self.tailBytes))
        let text = try? Files.read(path, from: first, atMost: Self.tailBytes)
        return text?.split(separator: 0x0A).suffix(count).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

struct LogFollower {
    private let path: String
    private var offset: Int64
    /// The file number (inode).
    private var number: UInt64
    /// A line whose end is not written yet.
    private var partialLine: [UInt8] = []

    init(_ path: String) {
        self.path = path
        let file = Files.status(path)
        (offset, number) = (file?.bytes ?? 0, file?.number ?? 0)
    }

    mutating func next() -> [String] {
        guard let file = Files.status(path) else { return [] }
        var bytes = partialLine
        if file.number != number {
            let old = path + ".1"
            if Files.status(old)?.number == number { bytes += rest(of: old) }
            number = file.number
            offset = 0
        } else if file.bytes < offset {
            offset = 0
        }
        bytes += rest(of: path)
        let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        partialLine = Array(bytes[end...])
        return bytes[..<end].split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func rest(of path: String) -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = try? Files.read(path, from: offset, atMost: 64 << 10), !more.isEmpty {
            bytes += more
            offset += Int64(more.count)
        }
        return bytes
    }
}
