import CPlatform
import Descriptors
import SyncEngine
import SyncProtocol

/// The log on standard error, with limits on the rate of lines and the size of the log file.
///
/// In systemd's journal, which adds the time itself, a line begins with its priority as sd-daemon(3)
/// specifies; elsewhere with its time and level.
///
/// A failed write is ignored, because a full disk must not stop the game.
@EventLoop
final class Log {
    /// The maximum length of a line, without its time and level.
    nonisolated static let lineBytes = 1_024
    nonisolated static let fileBytes = 1 << 20

    private let level: LogLevel
    private let goesToJournal = platform_logs_to_journal()
    private var file: LogFile?
    private var limiter = LogRateLimiter()

    /// Creates a log for lines of at least this level; `file` is the path of the home's log file.
    init(level: LogLevel, file: String? = nil) {
        self.level = level
        self.file = file.flatMap { LogFile($0, maxBytes: Log.fileBytes) }
    }

    /// Writes a line, unless its source has exceeded the rate limit.
    func write(
        _ level: LogLevel,
        from source: LogSource = .here,
        _ text: @autoclosure () -> String
    ) {
        guard level >= self.level, limiter.allows(level, from: source, at: Clock.now.uptime)
        else { return }
        let leftOut = limiter.resetLeftOut()
        if leftOut > 0 { put(.warning, "\(leftOut) lines left out by the rate limit") }
        put(level, text())
    }

    private func put(_ level: LogLevel, _ text: String) {
        let now = Timestamp(milliseconds: Clock.wallMilliseconds)
        let head = goesToJournal ? level.journalPrefix : "\(now) \(level) "
        let bytes = Array("\(head)\(Log.shown(text))\n".utf8)
        file?.prepare(for: bytes.count)
        _ = platform_write_all(2, bytes, bytes.count)
    }

    /// Returns the printable text of a line: a name from the network must not begin a new line or
    /// move the cursor.
    nonisolated static func shown(_ text: String) -> String {
        PrintableText.cleaned(PrintableText.visible(text), limit: Log.lineBytes)
    }
}

extension LogLevel {
    /// The priority at the start of a line in the journal, numbered as by syslog(3).
    var journalPrefix: String {
        switch self {
        case .debug: "<7>"
        case .info: "<6>"
        case .warning: "<4>"
        case .error: "<3>"
        }
    }
}

/// The cause of a line: this device with its user and disk, or peers, which can cause any number.
enum LogSource: Hashable, Sendable { case here, others }

/// The rate limit of the log: a burst, and then a few lines per second, separately for each level
/// and source, so that peers can neither fill the disk nor suppress lines about this device.
struct LogRateLimiter {
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
    /// The number of lines dropped since the last line was written.
    private(set) var leftOut = 0

    /// Returns whether a line may be written at that uptime, in milliseconds; counts it if not.
    mutating func allows(_ level: LogLevel, from source: LogSource, at uptime: UInt64) -> Bool {
        let account = Account(level: level, source: source)
        let burst = LogRateLimiter.burst(level)
        var balance = balances[account] ?? Balance(lines: burst, at: uptime)
        let seconds = Double(max(uptime, balance.at) - balance.at) / 1_000
        balance.lines = min(burst, balance.lines + seconds * LogRateLimiter.linesPerSecond(level))
        balance.at = max(uptime, balance.at)
        defer { balances[account] = balance }
        guard balance.lines >= 1 else {
            leftOut += 1
            return false
        }
        balance.lines -= 1
        return true
    }

    mutating func resetLeftOut() -> Int {
        defer { leftOut = 0 }
        return leftOut
    }
}

/// The log file of a daemon that `scorectl` started; a long file is renamed to `.1`.
struct LogFile {
    private let path: String
    private let maxBytes: Int
    private var bytes: Int

    /// Opens the log file at a path; nil unless standard error is that file.
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
            // If that fails because the disk is full, it is tried again after as many further
            // bytes.
            _ = platform_log_rotate(path, path + ".1")
            bytes = 0
        }
        bytes += count
    }
}
