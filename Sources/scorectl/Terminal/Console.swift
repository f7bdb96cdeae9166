import CPlatform
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
    /// Whether standard error is a terminal, so that somebody sees how far long work is.
    var isErrorTerminal = false
    /// The columns and rows of the terminal of standard output.
    var size: () -> (columns: Int, rows: Int) = { (80, 24) }
    /// The value of an environment variable.
    var variable: (String) -> String? = { _ in nil }
    /// The wall clock, in milliseconds since 1970.
    var now: () -> Int64
    /// A clock that never jumps, in milliseconds.
    var steady: () -> Int64 = platform_steady_milliseconds
    /// The clock on the wall of this place at a moment, `20:34`.
    var timeOfDay: (Int64) -> String
    /// The calendar on the wall of this place at a moment, `2026-11-20`.
    var date: (Int64) -> String
    /// Where the daemon is, for the home chosen on the command line or nil.
    var paths: (String?) throws(ControlError) -> ControlPaths
    /// Starts a daemon and returns once it can be called.
    var launch: (ControlPaths, [String]) throws(ControlError) -> Void
    /// Runs the daemon's program for something that it does and ends; what it said.
    ///
    /// Meanwhile it tells again and again how much is done, from 0 to 1, or nil as long as nobody
    /// knows.
    var errand: (ControlPaths, [String], (Double?) -> Void) throws(ControlError) -> [UInt8] =
        { _, _, _ in [] }
    /// Which build of the daemon would be started; nil where none is installed.
    var installedDaemon: () -> ProgramBuild? = { nil }
    /// A descriptor from which the numbers of these signals are read as they come; negative where
    /// there is none.
    ///
    /// From this call on they do not end the process.
    var signals: ([SignalNumber]) -> Int32 = { _ in -1 }
    /// Has a file removed where a signal ends the process; nil ends that.
    var removeOnSignal: (String?) -> Void = { _ in }
    /// Lets the terminal of standard input give each key as it is typed; where keys are read from,
    /// negative where that cannot be.
    var takeKeys: () -> Int32 = { -1 }
    /// Makes that terminal as it was.
    var giveKeysBack: () -> Void = {}
    /// Whether this is macOS, where another program keeps services running.
    var isMac = false
    /// Runs a program of the system that says nothing; its exit status, or nil where it cannot be
    /// run.
    var runProgram: ([String]) -> Int32? = { _ in nil }
    /// Stops the process as Ctrl-Z does; returns when it goes on.
    var stop: () -> Void = {}
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

    /// The columns for output that goes to no terminal, where `COLUMNS` says a number that makes
    /// sense (POSIX, "Environment Variables").
    var toldColumns: Int? {
        variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 < 1 ? nil : min(max(20, $0), 1_000) }
    }

    /// Whether escape sequences belong on standard output.
    ///
    /// What was typed comes first, then what the environment forces, forbids and prefers, as
    /// force-color.org, no-color.org and bixense.com/clicolors have it.
    func usesColor(_ choice: String?) -> Bool {
        if choice == "always" { return true }
        if choice == "never" { return false }
        if isSet("FORCE_COLOR") { return true }
        if isSet("NO_COLOR") { return false }
        if isSet("CLICOLOR_FORCE"), variable("CLICOLOR_FORCE") != "0" { return true }
        return isOutputTerminal && variable("CLICOLOR") != "0" && variable("TERM") != "dumb"
    }

    private func isSet(_ name: String) -> Bool { !(variable(name) ?? "").isEmpty }
}

extension Console {
    /// The world of this process.
    static func ofThisProcess() -> Console {
        Console(
            write: { put($0, on: 1) },
            writeError: { put($0, on: 2) },
            readLine: { Swift.readLine() },
            isInputTerminal: platform_is_terminal(0),
            isOutputTerminal: platform_is_terminal(1),
            isErrorTerminal: platform_is_terminal(2),
            size: terminalSize,
            variable: variable,
            now: platform_wall_milliseconds,
            timeOfDay: LocalTime.timeOfDay,
            date: LocalTime.date,
            paths: { (chosen) throws(ControlError) in try ControlPaths.current(chosen: chosen) },
            launch: { (paths, arguments) throws(ControlError) in
                try DaemonLauncher(paths, arguments: arguments).launch()
            },
            errand: { (paths, words, tell) throws(ControlError) in
                try DaemonErrand(paths, words).run(telling: tell)
            },
            installedDaemon: {
                InstalledProgram("scoresyncd").flatMap { ProgramBuild(at: $0.path) }
            },
            signals: signalPipe,
            // A path that is too long for that is too long to be made.
            removeOnSignal: { _ = platform_remove_on_signal($0) },
            takeKeys: { platform_take_keys(0) < 0 ? -1 : 0 },
            giveKeysBack: { platform_give_keys_back() },
            isMac: isMac,
            runProgram: { words in
                words.first.flatMap { InstalledProgram($0) }?.status(of: Array(words.dropFirst()))
            },
            stop: { platform_stop_process() },
            endBySignal: { platform_end_by_signal($0) }
        )
    }

    private static var isMac: Bool {
        #if os(macOS)
        true
        #else
        false
        #endif
    }

    private static func put(_ bytes: [UInt8], on descriptor: Int32) {
        // A reader that has gone ends this process by SIGPIPE; nobody is left to hear of the rest.
        let result = platform_write_all(descriptor, bytes, bytes.count)
        guard result < 0 else { return }
        if descriptor != 2 {
            let what = ControlSocketError.system("write the output", code: -result)
            put(Array("scorectl: \(what); the command itself was carried out\n".utf8), on: 2)
        }
        platform_exit(1)
    }

    private static func variable(_ name: String) -> String? {
        platform_environment(name).map { String(cString: $0) }
    }

    /// The size that the terminal tells, else that of the environment, else the old standard.
    private static func terminalSize() -> (columns: Int, rows: Int) {
        var columns: Int32 = 0
        var rows: Int32 = 0
        _ = platform_terminal_size(1, &columns, &rows)
        let told = (variable("COLUMNS").flatMap { Int($0) }, variable("LINES").flatMap { Int($0) })
        return (
            columns > 0 ? Int(columns) : max(20, told.0 ?? 80),
            rows > 0 ? Int(rows) : max(5, told.1 ?? 24)
        )
    }

    private static func signalPipe(of signals: [SignalNumber]) -> Int32 {
        let numbers = signals.map(\.number)
        return platform_signal_pipe(numbers, Int32(numbers.count))
    }
}

/// The signals that a live view cares about.
enum SignalNumber {
    /// Ctrl-C.
    case interrupt
    /// Somebody asks the process to end.
    case terminate
    /// The terminal has gone.
    case hangUp
    /// Ctrl-\.
    case quit
    /// The terminal has another size now.
    case resize
    /// Ctrl-Z.
    case stop

    /// Those that end a process that shows something.
    static let ends: [SignalNumber] = [.interrupt, .terminate, .hangUp, .quit]

    /// The number that this system gives it.
    var number: Int32 {
        switch self {
        case .interrupt: platform_signal_interrupt()
        case .terminate: platform_signal_terminate()
        case .hangUp: platform_signal_hang_up()
        case .quit: platform_signal_quit()
        case .resize: platform_signal_resize()
        case .stop: platform_signal_stop()
        }
    }
}
