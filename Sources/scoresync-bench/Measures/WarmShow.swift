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
            floors.append(try CommandSeries([(stage.floorProgram, [])]).time(in: home))
            // Else a daemon that ended would be started again, and outlive this program.
            let show = CommandSeries([(stage.commandProgram, ["show", "--no-spawn"])])
            shows.append(try show.time(in: home))
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
}
