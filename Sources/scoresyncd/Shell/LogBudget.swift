import SyncEngine

/// Who brings it about that a line is logged.
enum LogSource: Hashable, Sendable {
    /// This device, its user or its disk.
    case here
    /// Somebody else on the network, who may do so as often as they like.
    case others
}

/// How many lines the log takes: a burst, and then a few a second, for each level and each source
/// on its own, so that no stranger fills the disk or crowds out what this device has to say.
struct LogBudget {
    /// How many lines are taken at once.
    static func burst(_ level: LogLevel) -> Double { level == .debug ? 2_000 : 200 }
    /// How many are taken each second in the long run.
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
    /// How many lines were left out since a line was taken.
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
