import ControlSocket
import SyncProtocol

/// `scorectl show` from start to exit, while its daemon is running.
enum WarmShow {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 100)
        let home = try Home(stage, holding: session, try session.contents())
        let daemon = try DaemonProcess.quiet(stage, home)
        _ = try daemon.client().call(SessionUseRequest(session: session.name))
        var shows: [Double] = []
        var floors: [Double] = []
        for _ in 0..<stage.samples(100) {
            floors.append(try run("/usr/bin/true", [], in: home))
            // Else a daemon that ended would be started again, and outlive this program.
            shows.append(try run(stage.commandProgram, ["show", "--no-spawn"], in: home))
        }
        try daemon.stop()
        return [
            Measurement(
                name: "show",
                title: "scorectl show, 100 cells, start to exit",
                series: Series(shows),
                floor: Measurement.Floor(
                    title: "a process that does nothing (true)",
                    series: Series(floors)
                ),
                budget: Measurement.Budget(value: 0.01)
            )
        ]
    }

    private static func run(_ program: String, _ words: [String], in home: Home) throws -> Double {
        var status: Int32 = 0
        let time = try Stopwatch.time {
            let child = try Child(program, words, home: home.path, log: home.path + "/bench.log")
            status = try child.waitUntilEnded()
        }
        guard status == 0 else { throw BenchError("\(program) ended with status \(status)") }
        return time
    }
}
