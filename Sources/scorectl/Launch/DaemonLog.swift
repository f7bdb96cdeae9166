import CPlatform
import ControlSocket
import SyncProtocol

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

/// The lines of bytes that arrive in pieces.
private struct ArrivingLines {
    /// A line whose end was not received yet.
    private var partialLine: [UInt8] = []

    /// Returns the lines that end with these bytes.
    mutating func lines(endingIn more: [UInt8]) -> [String] {
        let bytes = partialLine + more
        let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        partialLine = Array(bytes[end...])
        return bytes[..<end].split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The log of the service in systemd's journal.
struct JournalLog {
    private let console: Console
    private var arriving = ArrivingLines()

    init(_ console: Console) { self.console = console }

    /// Passes on the last lines, and with `follows` also new ones until the journal ends.
    ///
    /// - Throws: `notFound` if there are none, because the user may not read them or the journal
    ///   was cleaned up, and `failed` without journalctl.
    mutating func read(
        last count: Int,
        follows: Bool,
        _ receive: ([String]) -> Void
    ) throws(ControlError) {
        var words = ["journalctl", "--user-unit", ServiceFile.unit, "--quiet"]
        words += ["--output", "short-iso", "--no-hostname", "--lines", "\(count)"]
        var isEmpty = true
        let status = console.followProgram(words + (follows ? ["--follow"] : [])) { bytes in
            let lines = arriving.lines(endingIn: bytes)
            guard !lines.isEmpty else { return }
            isEmpty = false
            receive(lines)
        }
        let line = words.prefix(3).joined(separator: " ")
        guard let status else { throw .failed("cannot run '\(line)'") }
        guard status == 0 else {
            throw .failed("'\(line)' exited with status \(status)", hint: "run it to see why")
        }
        guard isEmpty, count > 0 else { return }
        throw .notFound(
            "the journal shows you no lines of the service",
            hint: "sudo journalctl _SYSTEMD_USER_UNIT=\(ServiceFile.unit)"
        )
    }
}

struct LogFollower {
    private let path: String
    private var offset: Int64
    /// The file number (inode).
    private var number: UInt64
    private var arriving = ArrivingLines()

    init(_ path: String) {
        self.path = path
        let file = Files.status(path)
        (offset, number) = (file?.bytes ?? 0, file?.number ?? 0)
    }

    mutating func next() -> [String] {
        guard let file = Files.status(path) else { return [] }
        var bytes: [UInt8] = []
        if file.number != number {
            let old = path + ".1"
            if Files.status(old)?.number == number { bytes += rest(of: old) }
            number = file.number
            offset = 0
        } else if file.bytes < offset {
            offset = 0
        }
        bytes += rest(of: path)
        return arriving.lines(endingIn: bytes)
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
