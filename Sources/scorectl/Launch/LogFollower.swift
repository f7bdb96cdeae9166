import CPlatform

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
