import ControlSocket
import ScoreSheets
import SyncProtocol

/// A whole game of Othello, a `scorectl play` for each move, while its daemon is running.
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
            let client = try daemon.client()
            let begin = SessionNewRequest(game: "reversi", players: ["Nagano", "Schotte"])
            let session = try client.call(begin).session.id
            try floors.add(1) { _ in try nothing.time(in: home) }
            try replays.add(1) { _ in try game.time(in: home) }
            let show = try client.call(ShowRequest(session: session)).document
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
