import ControlSocket
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// Commands for a running daemon, in turn with as many processes that do nothing.
private struct WarmCommands {
    let daemon: DaemonProcess
    private let nothing: [Home.Command]
    private let commands: [Home.Command]
    private(set) var floor = Timing { ProcessUse.endedChildrenSeconds }
    private(set) var timing: Timing

    /// Starts a daemon for words of `scorectl`.
    init(_ stage: Stage, _ home: Home, _ commands: [[String]]) throws {
        let daemon = try DaemonProcess.quiet(stage, home)
        self.daemon = daemon
        nothing = commands.map { _ in (stage.floorProgram, []) }
        // Without --no-spawn, a daemon that ended would be started again and outlive this program.
        self.commands = commands.map { (stage.commandProgram, $0 + ["--no-spawn"]) }
        timing = Timing { ProcessUse.secondsWithCommands(of: daemon.process) }
    }

    mutating func add(_ count: Int) throws {
        try floor.add(count) { _ in try daemon.home.time(nothing) }
        try timing.add(count) { _ in try daemon.home.time(commands) }
    }
}

/// `scorectl show` from start to exit, on a running daemon.
enum WarmShow {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let small = try measure(stage, "show", cells: 100)
        let large = try measure(stage, "show-10000", cells: 10_000)
        return [small.targeting(.overFloor(0.0025)), large]
    }

    private static func measure(
        _ stage: Stage,
        _ id: String,
        cells: Int
    ) throws -> Measurement {
        let session = SampleSession(cells: cells)
        var show = try WarmCommands(stage, Home(stage, holding: [session]), [["show"]])
        _ = try show.daemon.home.client().call(.useSession, .init(session: session.name))
        for _ in 0..<stage.samples(10) { try show.add(10) }
        try show.daemon.stop()
        return show.timing.line(id, "scorectl show, \(cells) cells, start to exit")
            .over(show.floor.floor("a process that does nothing (true)"))
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
            let client = try game.daemon.home.client()
            let parameters = NewSessionParameters(game: "reversi", players: ["Nagano", "Schotte"])
            let session = try client.call(.newSession, parameters).session.id
            try game.add(1)
            let show = try client.call(.show, .init(session: session)).document
            guard show.finished, show.players.map(\.total) == [50, 14] else {
                throw BenchError("the game ended \(show.players.map(\.total)), not 50 to 14")
            }
        }
        try game.daemon.stop()
        return [
            game.timing.line("replay", "a game of Othello by 60 scorectl play, warm daemon")
                .over(game.floor.floor("60 processes that do nothing (true)"))
                .targeting(.atMost(1))
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
        let count = stage.isQuick ? 1 : stage.samples(5)
        let runs: [(name: String, title: String, words: [String], home: Home?)] = [
            ("export", "export of \(cells) cells", ["export", session.name, file, "--yes"], home),
            ("import", "import of them", ["import", file], nil),
        ]
        return try runs.flatMap { name, title, words, home in
            var timing = Timing { ProcessUse.endedChildrenSeconds }
            var peaks: [Double] = []
            // Each sample has a daemon of its own, and each import a new home.
            try timing.add(count) { _ in
                let home = try home ?? Home(stage)
                let daemon = try DaemonProcess.quiet(stage, home)
                let seconds = try home.time([(stage.commandProgram, words)])
                if let peak = ProcessUse.bytes(.peak, of: daemon.process) { peaks.append(peak) }
                try daemon.stop()
                return seconds
            }
            let reading = try Timing(count) { _ = try DiskFloor.read(file) }
            return [
                timing.line(name, title).over(reading.floor("reading the exported file"))
                    .targeting(.atMost(5)),
                .line(name + "-memory", "  the daemon's memory at most", .bytes, peaks)
                    .targeting(.atMost(100e6)),
            ]
        }
    }
}
