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
            size: terminalSize,
            variable: variable,
            now: platform_wall_milliseconds,
            timeOfDay: LocalTime.timeOfDay,
            date: LocalTime.date,
            paths: { (chosen) throws(ControlError) in try ControlPaths.current(chosen: chosen) },
            launch: { (paths, arguments) throws(ControlError) in
                try DaemonLauncher(paths, arguments: arguments).launch()
            },
            signals: signalPipe,
            endBySignal: { platform_end_by_signal($0) }
        )
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

    private static func signalPipe() -> Int32 {
        let numbers = SignalNumber.allCases.map(\.number)
        return platform_signal_pipe(numbers, Int32(numbers.count))
    }
}
