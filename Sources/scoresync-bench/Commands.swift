import ControlSocket
import ScoreSheets
import SyncProtocol

/// Commands for a running daemon, in turn with as many processes that do nothing.
private struct WarmCommands {
    let home: Home
    private let daemon: DaemonProcess
    private let series: (floor: CommandSeries, commands: CommandSeries)
    private(set) var floor = Timing { ProcessUse.endedChildrenSeconds }
    private(set) var timing: Timing

    /// Starts a daemon for words of `scorectl`.
    init(_ stage: Stage, _ home: Home, _ commands: [[String]]) throws {
        let daemon = try DaemonProcess.quiet(stage, home)
        (self.home, self.daemon) = (home, daemon)
        // Without --no-spawn, a daemon that ended would be started again and outlive this program.
        series = (
            CommandSeries(commands.map { _ in (stage.floorProgram, []) }),
            CommandSeries(commands.map { (stage.commandProgram, $0 + ["--no-spawn"]) })
        )
        timing = Timing { ProcessUse.secondsWithCommands(of: daemon.process) }
    }

    mutating func add(_ count: Int) throws {
        try floor.add(count) { _ in try series.floor.time(in: home) }
        try timing.add(count) { _ in try series.commands.time(in: home) }
    }

    func stop() throws { try daemon.stop() }
}

/// `scorectl show` from start to exit, on a running daemon.
enum WarmShow {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 100)
        var show = try WarmCommands(stage, Home(stage, holding: [session]), [["show"]])
        _ = try show.home.client().call(.useSession, .init(session: session.name))
        for _ in 0..<stage.samples(10) { try show.add(10) }
        try show.stop()
        return [
            show.timing.measurement(
                "show",
                "scorectl show, 100 cells, start to exit",
                over: show.floor.floor("a process that does nothing (true)"),
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
        let words = stride(from: 0, to: moves.count, by: 2)
            .map { ["play", String(moves.dropFirst($0).prefix(2))] }
        var game = try WarmCommands(stage, Home(stage), words)
        for _ in 0..<stage.samples(5) {
            let client = try game.home.client()
            let parameters = NewSessionParameters(game: "reversi", players: ["Nagano", "Schotte"])
            let session = try client.call(.newSession, parameters).session.id
            try game.add(1)
            let show = try client.call(.show, .init(session: session)).document
            guard show.finished, show.players.map(\.total) == [50, 14] else {
                throw BenchError("the game ended \(show.players.map(\.total)), not 50 to 14")
            }
        }
        try game.stop()
        return [
            game.timing.measurement(
                "replay",
                "a game of Othello by 60 scorectl play, warm daemon",
                over: game.floor.floor("60 processes that do nothing (true)"),
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
        let home = try Home(stage, holding: [session])
        let file = home.path + "/export.json"
        let words = ["export", session.name, file, "--yes"]
        return try measure("export", "export of \(cells) cells", words, file, stage) { home }
            + measure("import", "import of them", ["import", file], file, stage) { try Home(stage) }
    }

    /// Runs a command several times, each with a daemon of its own.
    private static func measure(
        _ name: String,
        _ title: String,
        _ words: [String],
        _ file: String,
        _ stage: Stage,
        in home: () throws -> Home
    ) throws -> [Measurement] {
        let count = stage.isQuick ? 1 : stage.samples(5)
        let command = CommandSeries([(stage.commandProgram, words)])
        var timing = Timing { ProcessUse.endedChildrenSeconds }
        var peaks: [Double] = []
        try timing.add(count) { _ in
            let home = try home()
            let daemon = try DaemonProcess.quiet(stage, home)
            let seconds = try command.time(in: home)
            if let peak = ProcessUse.peakMemory(of: daemon.process) { peaks.append(peak) }
            try daemon.stop()
            return seconds
        }
        let floor = try Timing(count) { _ = try DiskFloor.read(file) }
            .floor("reading the exported file")
        return [timing.measurement(name, title, over: floor, target: .atMost(5))]
            + Measurement.bytes(
                name + "-memory",
                "  the daemon's memory at most",
                peaks,
                atMost: 100e6
            )
    }
}
