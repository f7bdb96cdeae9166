import CPlatform
import Descriptors
import SyncEngine
import SyncProtocol

/// The log on standard error: limits the rate of lines, and the size of the log file of the home.
///
/// A write that fails is ignored: a full disk must not stop the game.
@EventLoop
final class Log {
    /// The maximum length of a line, after its time and level.
    nonisolated static let lineBytes = 1_024
    /// The size at which the log file of the home is rotated.
    nonisolated static let fileBytes = 1 << 20

    private let level: LogLevel
    private var file: LogFile?
    private var budget = LogBudget()

    /// Creates a log of lines of at least a level; `file` is the path of the log file of the home.
    init(level: LogLevel, file: String? = nil) {
        self.level = level
        self.file = file.flatMap { LogFile($0, maxBytes: Log.fileBytes) }
    }

    /// Writes a line, if the rate limit of its source allows it.
    func write(
        _ level: LogLevel,
        from source: LogSource = .here,
        _ text: @autoclosure () -> String
    ) {
        guard level >= self.level, budget.allows(level, from: source, at: Clock.now.uptime)
        else { return }
        let leftOut = budget.resetLeftOut()
        if leftOut > 0 { put(.warning, "\(leftOut) lines left out by the rate limit") }
        put(level, text())
    }

    private func put(_ level: LogLevel, _ text: String) {
        let now = Timestamp(milliseconds: Clock.wallMilliseconds)
        let bytes = Array("\(now) \(level) \(Log.shown(text))\n".utf8)
        file?.prepare(for: bytes.count)
        _ = platform_write_all(2, bytes, bytes.count)
    }

    /// Returns the printable text of a line: a name from the network must not write lines of its
    /// own, nor move a cursor.
    nonisolated static func shown(_ text: String) -> String {
        PrintableText.cleaned(PrintableText.visible(text), limit: Log.lineBytes)
    }
}

/// The origin of a line: this device, its user or disk; or others, with any number of lines.
enum LogSource: Hashable, Sendable { case here, others }

/// Rate limit of the log: a burst, and then a few lines a second, separately for each level and
/// source, so that no stranger fills the disk or crowds out lines about this device.
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

    /// Whether a line may be written at that uptime, in milliseconds; if not, it is counted.
    mutating func allows(_ level: LogLevel, from source: LogSource, at uptime: UInt64) -> Bool {
        let account = Account(level: level, source: source)
        let burst = LogBudget.burst(level)
        var balance = balances[account] ?? Balance(lines: burst, at: uptime)
        let seconds = Double(max(uptime, balance.at) - balance.at) / 1_000
        balance.lines = min(burst, balance.lines + seconds * LogBudget.linesPerSecond(level))
        balance.at = max(uptime, balance.at)
        defer { balances[account] = balance }
        guard balance.lines >= 1 else {
            leftOut += 1
            return false
        }
        balance.lines -= 1
        return true
    }

    /// Returns the number of lines left out since the last call.
    mutating func resetLeftOut() -> Int {
        defer { leftOut = 0 }
        return leftOut
    }
}

/// The log file of a daemon that `scorectl` started; rotated when long, with one older file.
struct LogFile {
    private let path: String
    private let maxBytes: Int
    private var bytes: Int

    /// Opens the log file at a path; nil unless standard error is redirected to it.
    init?(_ path: String, maxBytes: Int) {
        let bytes = platform_log_bytes(path)
        guard bytes >= 0 else { return nil }
        self.path = path
        self.maxBytes = maxBytes
        self.bytes = Int(bytes)
    }

    /// Rotates the file if another `count` bytes would exceed its maximum size.
    mutating func prepare(for count: Int) {
        if bytes + count > maxBytes, bytes > 0 {
            // If that fails because the disk is full, it is retried after as many bytes.
            _ = platform_log_rotate(path, path + ".1")
            bytes = 0
        }
        bytes += count
    }
}
