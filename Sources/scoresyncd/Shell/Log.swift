import CPlatform
import SyncEngine
import SyncProtocol

/// Lines for who looks for the cause of something, on standard error: owns how many are written,
/// and how long the file of the home becomes.
///
/// A write that fails is given up: a full disk under the log must not stop the game. Invariant for
/// `@unchecked Sendable`: used on the daemon's thread only.
final class Log: @unchecked Sendable {
    /// The most bytes of a line, behind its time and level.
    static let lineBytes = 1_024
    /// The length at which the file of the home is put aside.
    static let fileBytes = 1 << 20

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

    /// What a line says: a name from the network must not write lines of its own, nor move a
    /// cursor.
    static func shown(_ text: String) -> String {
        PrintableText.cleaned(PrintableText.visible(text), limit: Log.lineBytes)
    }
}

extension LogLevel {
    init(_ name: DaemonOptions.LogLevelName) {
        switch name {
        case .debug: self = .debug
        case .info: self = .info
        case .warning: self = .warning
        case .error: self = .error
        }
    }
}
