import CPlatform
import SyncEngine
import SyncProtocol

/// Lines for who looks for the cause of something, on standard error.
///
/// A write that fails is given up: a full disk under the log must not stop the game.
struct Log: Sendable {
    let level: LogLevel

    func write(_ level: LogLevel, _ text: @autoclosure () -> String) {
        guard level >= self.level else { return }
        let now = Timestamp(milliseconds: Clock.wallMilliseconds)
        // A name from the network must not write lines of its own.
        let line = text().unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : "\($0)" }
        let bytes = Array("\(now) \(level) \(line.joined())\n".utf8)
        _ = platform_write_all(2, bytes, bytes.count)
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
