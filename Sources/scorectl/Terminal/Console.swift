import ControlSocket
import SyncProtocol

/// The world around one run of `scorectl`: what it reads and writes, and the daemon that it calls.
///
/// Tests give it another world.
struct Console {
    /// Writes bytes to standard output.
    var write: ([UInt8]) -> Void
    /// Writes bytes to standard error.
    var writeError: ([UInt8]) -> Void
    /// The next line of standard input without its end; nil when there is none.
    var readLine: () -> String?
    /// Whether standard input is a terminal, so that somebody can be asked.
    var isInputTerminal = false
    /// Whether standard output is a terminal.
    var isOutputTerminal = false
    /// The columns and rows of the terminal of standard output.
    var size: () -> (columns: Int, rows: Int) = { (80, 24) }
    /// The value of an environment variable.
    var variable: (String) -> String? = { _ in nil }
    /// The wall clock, in milliseconds since 1970.
    var now: () -> Int64
    /// The clock on the wall of this place at a moment, `20:34`.
    var timeOfDay: (Int64) -> String
    /// The calendar on the wall of this place at a moment, `2026-11-20`.
    var date: (Int64) -> String
    /// Where the daemon is, for the home chosen on the command line or nil.
    var paths: (String?) throws(ControlError) -> ControlPaths
    /// Starts a daemon and returns once it can be called.
    var launch: (ControlPaths, [String]) throws(ControlError) -> Void
    /// A descriptor from which the numbers of the signals that end or change a live view are read;
    /// negative where there is none.
    ///
    /// From this call on they do not end the process.
    var signals: () -> Int32 = { -1 }
    /// Ends the process as the signal would have.
    var endBySignal: (Int32) -> Void = { _ in }
}

extension Console {
    /// Whether the terminal can show more than ASCII: unless the locale says that it cannot (POSIX,
    /// "Environment Variables": `LC_ALL`, then `LC_CTYPE`, then `LANG`).
    var isUnicode: Bool {
        let set = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(variable).first { !$0.isEmpty }
        guard let locale = set?.lowercased() else { return true }
        return locale.contains("utf-8") || locale.contains("utf8")
    }

    /// Whether escape sequences belong on standard output.
    func usesColor(_ choice: String?) -> Bool {
        switch choice {
        case "always": true
        case "never": false
        default:
            isOutputTerminal && (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
        }
    }
}
