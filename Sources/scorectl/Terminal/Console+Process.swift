import CPlatform
import ControlSocket
import SyncProtocol

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
