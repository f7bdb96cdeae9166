import ControlSocket
import SyncProtocol

/// A score on a daemon that holds many sessions, of which all but one are over: they should cost
/// nothing.
enum HeldSessions {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let one = try Holder(stage, holding: 1)
        var lines: [Measurement] = []
        for count in stage.isQuick ? [200] : [30, 200, 1000] {
            let many = try Holder(stage, holding: count)
            lines += try compare(many, one, count, stage)
            try many.daemon.stop()
        }
        try one.daemon.stop()
        return lines
    }

    /// One daemon with a session that is written to and others that are over.
    private struct Holder {
        let home: Home
        let daemon: DaemonProcess
        let scene: Scene
        let session: SampleSession

        init(_ stage: Stage, holding count: Int) throws {
            session = SampleSession(cells: 100)
            home = try Home(stage, holding: session, try session.contents())
            try home.addFinished(count - 1)
            daemon = try DaemonProcess.quiet(stage, home)
            let client = try daemon.client()
            _ = try client.call(SessionUseRequest(session: session.name))
            scene = try Scene(session, writingAt: home, watchers: 0, at: home, [daemon])
        }

        /// An empty timing of commands that are typed here: theirs and the daemon's time.
        var commandTiming: Timing {
            Timing { [process = daemon.process] in ProcessUse.secondsWithCommands(of: process) }
        }

        /// Seconds that a score takes as it is typed, start to exit.
        func type(_ number: Int, _ stage: Stage) throws -> Double {
            let words = ["score", "--no-spawn", "Ann", "round.\(number % 10 + 1)=\(number)"]
            return try CommandSeries([(stage.commandProgram, words)]).time(in: home)
        }
    }

    private static func compare(
        _ many: Holder,
        _ one: Holder,
        _ count: Int,
        _ stage: Stage
    ) throws -> [Measurement] {
        var writes = (many: many.scene.timing, one: one.scene.timing)
        var commands = (many: many.commandTiming, one: one.commandTiming)
        for block in 0..<stage.samples(10) {
            try writes.one.add(30) { _ in try one.scene.write() }
            try writes.many.add(30) { _ in try many.scene.write() }
            try commands.one.add(5) { try one.type(block * 5 + $0, stage) }
            try commands.many.add(5) { try many.type(block * 5 + $0, stage) }
        }
        return [
            writes.many.measurement(
                "held-\(count)",
                "write to acknowledgement, \(count) sessions held",
                over: writes.one.floor("the same, one session held"),
                target: .timesFloor(1.2)
            ),
            commands.many.measurement(
                "score-\(count)",
                "  scorectl score, start to exit",
                over: commands.one.floor("the same, one session held"),
                target: .timesFloor(1.2)
            ),
        ]
    }
}
