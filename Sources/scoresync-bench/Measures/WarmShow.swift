import ControlSocket
import SyncProtocol

/// `scorectl show` from start to exit, while its daemon is running.
enum WarmShow {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 100)
        let home = try Home(stage, holding: session, try session.contents())
        let daemon = try DaemonProcess.quiet(stage, home)
        _ = try daemon.client().call(SessionUseRequest(session: session.name))
        var shows = Timing { ProcessUse.secondsWithCommands(of: daemon.process) }
        var nothing = Timing { ProcessUse.endedChildrenSeconds }
        for _ in 0..<stage.samples(10) {
            try nothing.add(10) { _ in
                try CommandSeries([(stage.floorProgram, [])]).time(in: home)
            }
            // Else a daemon that ended would be started again, and outlive this program.
            try shows.add(10) { _ in
                try CommandSeries([(stage.commandProgram, ["show", "--no-spawn"])]).time(in: home)
            }
        }
        try daemon.stop()
        return [
            shows.measurement(
                "show",
                "scorectl show, 100 cells, start to exit",
                over: nothing.floor("a process that does nothing (true)"),
                target: .overFloor(0.0025)
            )
        ]
    }
}
