import CPlatform
import Descriptors
import SyncEngine
import SyncProtocol

/// Lines for who looks for the cause of something, on standard error: owns how many are written,
/// and how long the file of the home becomes.
///
/// A write that fails is given up: a full disk under the log must not stop the game.
@EventLoop
final class Log {
    /// The most bytes of a line, behind its time and level.
    nonisolated static let lineBytes = 1_024
    /// The length at which the file of the home is put aside.
    nonisolated static let fileBytes = 1 << 20

    private let level: LogLevel
    private var file: LogFile?
    private var budget = LogBudget()

    /// A log of what is at least so important; `file` is the one of the home.
    init(level: LogLevel, file: String? = nil) {
        self.level = level
        self.file = file.flatMap { LogFile($0, mostBytes: Log.fileBytes) }
    }

    /// Writes a line, if there is budget for it: `others` may cause as many as they like.
    func write(
        _ level: LogLevel,
        from source: LogSource = .here,
        _ text: @autoclosure () -> String
    ) {
        guard level >= self.level, budget.takes(level, from: source, at: Clock.now.uptime)
        else { return }
        let leftOut = budget.takeLeftOut()
        if leftOut > 0 { put(.warning, "\(leftOut) lines were left out, because they were many") }
        put(level, text())
    }

    private func put(_ level: LogLevel, _ text: String) {
        let now = Timestamp(milliseconds: Clock.wallMilliseconds)
        let bytes = Array("\(now) \(level) \(Log.shown(text))\n".utf8)
        file?.prepare(for: bytes.count)
        _ = platform_write_all(2, bytes, bytes.count)
    }

    /// The printable text of a line: a name from the network must not write lines of its own, nor move a
    /// cursor.
    nonisolated static func shown(_ text: String) -> String {
        PrintableText.cleaned(PrintableText.visible(text), limit: Log.lineBytes)
    }
}

/// The cause of a line.
enum LogSource: Hashable, Sendable {
    /// This device, its user or its disk.
    case here
    /// Somebody else on the network, who may do so as often as they like.
    case others
}

/// Rate limit of the log: a burst, and then a few lines a second, for each level and each source
/// on its own, so that no stranger fills the disk or crowds out what this device has to say.
struct LogBudget {
    static func burst(_ level: LogLevel) -> Double { level == .debug ? 2_000 : 200 }
    static func linesPerSecond(_ level: LogLevel) -> Double { level == .debug ? 20 : 1 }

    private struct Account: Hashable {
        let level: LogLevel
        let source: LogSource
    }

    private struct Balance {
        var lines: Double
        var at: UInt64
    }

    private var balances: [Account: Balance] = [:]
    /// The lines left out since one was written.
    private(set) var leftOut = 0

    /// Whether a line is taken at that uptime, in milliseconds; one that is not is counted.
    mutating func takes(_ level: LogLevel, from source: LogSource, at uptime: UInt64) -> Bool {
        let account = Account(level: level, source: source)
        let most = LogBudget.burst(level)
        var balance = balances[account] ?? Balance(lines: most, at: uptime)
        let seconds = Double(max(uptime, balance.at) - balance.at) / 1_000
        balance.lines = min(most, balance.lines + seconds * LogBudget.linesPerSecond(level))
        balance.at = max(uptime, balance.at)
        defer { balances[account] = balance }
        guard balance.lines >= 1 else {
            leftOut += 1
            return false
        }
        balance.lines -= 1
        return true
    }

    /// The number of lines that were left out, to be told once.
    mutating func takeLeftOut() -> Int {
        defer { leftOut = 0 }
        return leftOut
    }
}

/// The file of the home into which a daemon writes that `scorectl` started: it is put aside
/// whenever it has become long, so that it and the one before it are all that is kept.
struct LogFile {
    private let path: String
    private let mostBytes: Int
    private var bytes: Int

    /// The file at a path; nil unless standard error leads to it.
    ///
    /// Another file, or a journal, belongs to whoever made it.
    init?(_ path: String, mostBytes: Int) {
        let bytes = platform_log_bytes(path)
        guard bytes >= 0 else { return nil }
        self.path = path
        self.mostBytes = mostBytes
        self.bytes = Int(bytes)
    }

    /// Makes room for so many bytes.
    mutating func prepare(for count: Int) {
        if bytes + count > mostBytes, bytes > 0 {
            // Where that fails, because the disk is full, it is tried again after as much more.
            _ = platform_log_rotate(path, path + ".1")
            bytes = 0
        }
        bytes += count
    }
}
