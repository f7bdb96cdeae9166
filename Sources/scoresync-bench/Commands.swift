import ControlSocket
import ScoreSheets
import SyncProtocol

/// `scorectl show` from start to exit, on a running daemon.
enum WarmShow {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 100)
        let home = try Home(stage, holding: session, try session.contents())
        let daemon = try DaemonProcess.quiet(stage, home)
        _ = try home.client().call(.useSession, .init(session: session.name))
        // Without --no-spawn, a daemon that ended would be started again and outlive this program.
        let show = CommandSeries([(stage.commandProgram, ["show", "--no-spawn"])])
        let nothing = CommandSeries([(stage.floorProgram, [])])
        var shows = Timing { ProcessUse.secondsWithCommands(of: daemon.process) }
        var floors = Timing { ProcessUse.endedChildrenSeconds }
        for _ in 0..<stage.samples(10) {
            try floors.add(10) { _ in try nothing.time(in: home) }
            try shows.add(10) { _ in try show.time(in: home) }
        }
        try daemon.stop()
        return [
            shows.measurement(
                "show",
                "scorectl show, 100 cells, start to exit",
                over: floors.floor("a process that does nothing (true)"),
                target: .overFloor(0.0025)
            )
        ]
    }
}

/// A whole game of Othello, a `scorectl play` for each move, on a running daemon.
enum GameReplay {
    /// Nagano against Schotte at the world championship of 2016, 50 discs to 14.
    private static let moves = """
        f5f6e6f4g5e7e3f3c5d3g4g3g6c3d7c6c4d6b5b3b4h4c7d8h5h3f8f7h2a6\
        a5h7f2c8b6a4b7e2g2f1b8a8a7h1h6g7g1d2c1c2d1e1h8g8e8b1a1b2a3a2
        """

    static func measure(on stage: Stage) throws -> [Measurement] {
        let home = try Home(stage)
        let daemon = try DaemonProcess.quiet(stage, home)
        let words = stride(from: 0, to: moves.count, by: 2)
            .map { String(moves.dropFirst($0).prefix(2)) }
        let game = CommandSeries(words.map { (stage.commandProgram, ["play", "--no-spawn", $0]) })
        let nothing = CommandSeries(words.map { _ in (stage.floorProgram, []) })
        var replays = Timing { ProcessUse.secondsWithCommands(of: daemon.process) }
        var floors = Timing { ProcessUse.endedChildrenSeconds }
        for _ in 0..<stage.samples(5) {
            let client = try home.client()
            let parameters = NewSessionParameters(game: "reversi", players: ["Nagano", "Schotte"])
            let session = try client.call(.newSession, parameters).session.id
            try floors.add(1) { _ in try nothing.time(in: home) }
            try replays.add(1) { _ in try game.time(in: home) }
            let show = try client.call(.show, .init(session: session)).document
            guard show.finished, show.players.map(\.total) == [50, 14] else {
                throw BenchError("the game ended \(show.players.map(\.total)), not 50 to 14")
            }
        }
        try daemon.stop()
        return [
            replays.measurement(
                "replay",
                "a game of Othello by 60 scorectl play, warm daemon",
                over: floors.floor("60 processes that do nothing (true)"),
                target: .atMost(1)
            )
        ]
    }
}

/// A session of 100,000 cells that is exported to a file and imported by an empty laptop: the time
/// of the command and the daemon, and the daemon's peak memory.
enum Exporting {
    private static let cells = 100_000

    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: cells)
        let home = try Home(stage, holding: session, try session.contents())
        let file = home.path + "/export.json"
        let words = ["export", session.name, file, "--yes"]
        let count = stage.isQuick ? 1 : stage.samples(5)
        let exports = try run(words, count, stage) { home }
        let imports = try run(["import", file], count, stage) { try Home(stage) }
        let floor = try Timing(count) { _ = try DiskFloor.read(file) }
            .floor("reading the exported file")
        return measurements("export", "export of \(cells) cells", exports, over: floor)
            + measurements("import", "import of them", imports, over: floor)
    }

    /// Runs a command several times, each with a daemon of its own.
    private static func run(
        _ words: [String],
        _ count: Int,
        _ stage: Stage,
        in home: () throws -> Home
    ) throws -> (timing: Timing, peaks: [Double]) {
        var timing = Timing { ProcessUse.endedChildrenSeconds }
        var peaks: [Double] = []
        try timing.add(count) { _ in
            let home = try home()
            let daemon = try DaemonProcess.quiet(stage, home)
            let seconds = try CommandSeries([(stage.commandProgram, words)]).time(in: home)
            if let peak = ProcessUse.peakMemory(of: daemon.process) { peaks.append(peak) }
            try daemon.stop()
            return seconds
        }
        return (timing, peaks)
    }

    private static func measurements(
        _ name: String,
        _ title: String,
        _ run: (timing: Timing, peaks: [Double]),
        over floor: Measurement.Floor
    ) -> [Measurement] {
        let time = run.timing.measurement(name, title, over: floor, target: .atMost(5))
        let memory = Measurement.bytes(
            name + "-memory",
            "  the daemon's memory at most",
            run.peaks,
            atMost: 100e6
        )
        return [time, memory].compactMap(\.self)
    }
}
