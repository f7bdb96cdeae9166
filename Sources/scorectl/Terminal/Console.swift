import CPlatform
import ControlSocket
import SyncProtocol
import TerminalText

/// The environment of one run of `scorectl`: its input and output, its clocks, and the daemon.
///
/// Tests replace it.
struct Console {
    var write: ([UInt8]) -> Void
    var writeError: ([UInt8]) -> Void
    /// Reads a line of standard input without its end; nil at the end.
    var readLine: () -> String?
    var isInputTerminal = false
    var isOutputTerminal = false
    var isErrorTerminal = false
    var size: () -> (columns: Int, rows: Int) = { (80, 24) }
    var environmentVariable: (String) -> String? = { _ in nil }
    var now: () -> Int64
    var steady: () -> Int64 = platform_steady_milliseconds
    /// The local time at a moment, `20:34`.
    var timeOfDay: (Int64) -> String
    /// The local date at a moment, `2026-11-20`.
    var date: (Int64) -> String
    /// The paths of the daemon, for the value of `--home` or nil.
    var paths: (String?) throws(ControlError) -> ControlPaths
    /// Starts a daemon and returns once it accepts calls.
    var launch: (ControlPaths, [String]) throws(ControlError) -> Void
    /// Runs a task of the daemon's program (``DaemonTask``) and returns its output.
    var runTask: (ControlPaths, [String], (Double?) -> Void) throws(ControlError) -> [UInt8] =
        { _, _, _ in [] }
    /// The build of the installed daemon; nil if there is none.
    var installedDaemon: () -> ProgramBuild? = { nil }
    /// Throws if the daemon's program is not installed.
    var checkProgram: () throws(ControlError) -> Void = {}
    /// Returns a descriptor from which the numbers of these signals are read, negative on failure;
    /// from now on they do not end the process.
    var openSignalDescriptor: ([Int32]) -> Int32 = { _ in -1 }
    /// Registers a file to be removed when a signal ends the process; nil unregisters it.
    var removeOnSignal: (String?) -> Void = { _ in }
    /// Puts the terminal of standard input into raw mode and returns its descriptor, negative on
    /// failure.
    var enterRawMode: () -> Int32 = { -1 }
    var leaveRawMode: () -> Void = {}
    /// Whether this is macOS, which has another service manager.
    var isMac = false
    /// Runs a program of the system without input and output and returns its exit status; nil if it
    /// cannot be run.
    var runProgram: ([String]) -> Int32? = { _ in nil }
    /// Runs a program of the system without input, passes on its output as it comes, and returns its
    /// exit status; nil if it cannot be run.
    var followProgram: ([String], ([UInt8]) -> Void) -> Int32? = { _, _ in nil }
    /// Shows a text in a pager, given as a shell command; false if that cannot be run.
    var showInPager: (String, [UInt8]) -> Bool = { _, _ in false }
    /// Suspends the process as Ctrl-Z does; returns when it continues.
    var suspend: () -> Void = {}
    /// Ends the process as the signal would have.
    var endBySignal: (Int32) -> Void = { _ in }
}

extension Console {
    /// The terminal that the streams and the environment describe.
    var terminal: Terminal {
        Terminal(
            isOutput: isOutputTerminal,
            isError: isErrorTerminal,
            size: size,
            variable: environmentVariable
        )
    }

    /// Prints a message on standard error.
    func inform(_ text: String) { writeError(Array((terminal.message(text) + "\n").utf8)) }

    /// Prints a question on standard error, after which the answer is typed.
    func prompt(_ question: String) {
        writeError(Array((terminal.message(question) + " ").utf8))
    }

    /// Rings the bell of the terminal, and shows a text on the desktop if that is possible.
    func notify(_ text: String) {
        if isOutputTerminal { write([0x07]) }
        // In the background, because the desktop may take long to answer.
        let script = #"notify-send --app-name=ScoreSync -- "$1" &"#
        _ = runProgram(["sh", "-c", script, "sh", Line(text).text])
    }

    /// Asks a question; returns the answer in lower case without spaces, nil if there is none.
    func answer(to question: String) -> String? {
        prompt(question)
        return readLine()?.lowercased().filter { !$0.isWhitespace }
    }

    /// This console, with pipes in place of a terminal that can only print.
    var withoutDumbTerminal: Console {
        var console = self
        (console.isOutputTerminal, console.isErrorTerminal) = (terminal.isOutput, terminal.isError)
        return console
    }

    /// The shell command of the pager for pages that are longer than the screen; nil for none.
    var pager: String? {
        guard isOutputTerminal else { return nil }
        guard let chosen = environmentVariable("PAGER") else { return "less -FRX" }
        return ["", "cat"].contains(chosen) ? nil : chosen
    }
}

extension Console {
    static func ofThisProcess() -> Console {
        Console(
            write: { put($0, on: 1) },
            writeError: { put($0, on: 2) },
            readLine: { Swift.readLine() },
            isInputTerminal: platform_is_terminal(0),
            isOutputTerminal: platform_is_terminal(1),
            isErrorTerminal: platform_is_terminal(2),
            size: Terminal.reportedSize,
            environmentVariable: Terminal.environmentVariable,
            now: platform_wall_milliseconds,
            timeOfDay: LocalTime.timeOfDay,
            date: LocalTime.date,
            paths: { (chosen) throws(ControlError) in try ControlPaths.current(chosen: chosen) },
            launch: { (paths, arguments) throws(ControlError) in
                try DaemonLauncher(paths: paths, arguments: arguments).launch()
            },
            runTask: { (paths, arguments, progress) throws(ControlError) in
                try DaemonTask(paths: paths, arguments: arguments).run(progress: progress)
            },
            installedDaemon: {
                InstalledProgram("scoresyncd").flatMap { ProgramBuild(at: $0.path) }
            },
            checkProgram: { () throws(ControlError) in _ = try DaemonLauncher.installed() },
            openSignalDescriptor: { platform_signal_pipe($0, Int32($0.count)) },
            // Fails only for paths that are too long to be created.
            removeOnSignal: { _ = platform_remove_on_signal($0) },
            enterRawMode: { platform_enter_raw_mode(0) < 0 ? -1 : 0 },
            leaveRawMode: { platform_leave_raw_mode() },
            isMac: isMac,
            runProgram: { words in
                words.first.flatMap { InstalledProgram($0) }?.status(of: Array(words.dropFirst()))
            },
            followProgram: { words, receive in
                words.first.flatMap { InstalledProgram($0) }?
                    .follow(Array(words.dropFirst()), receive)
            },
            showInPager: { command, text in
                // The shell exits with 126 or 127 if it cannot run the command (POSIX, "sh").
                InstalledProgram.runShell(command, input: text, adding: pagerVariables)
                    .map { ![126, 127].contains($0) } ?? false
            },
            suspend: { platform_stop_process() },
            endBySignal: { platform_end_by_signal($0) }
        )
    }

    /// The variables for pagers that the user has not configured: colours, and no pager for a text
    /// that fits on the screen.
    private static var pagerVariables: [String] {
        [("LESS", "FRX"), ("LV", "-c")].filter { Terminal.environmentVariable($0.0) == nil }
            .map { "\($0)=\($1)" }
    }

    private static var isMac: Bool {
        #if os(macOS)
        true
        #else
        false
        #endif
    }

    private static func put(_ bytes: [UInt8], on descriptor: Int32) {
        // If the reader has closed the pipe, SIGPIPE has already ended this process.
        let result = platform_write_all(descriptor, bytes, bytes.count)
        guard result < 0 else { return }
        if descriptor != 2 {
            let error = ControlSocketError.system("write the output", code: -result)
            put(Array("scorectl: \(error); the command itself was carried out\n".utf8), on: 2)
        }
        platform_exit(1)
    }
}

/// The numbers of the signals that a live view handles.
enum SignalNumber {
    static let interrupt = platform_signal_interrupt()
    static let resize = platform_signal_resize()
    static let stop = platform_signal_stop()
    static let terminating = [
        interrupt, platform_signal_terminate(), platform_signal_hang_up(), platform_signal_quit(),
    ]
}
