import ScoreSheets
import SessionCRDT

/// What a session of the worst entries costs until everybody sees how all stand.
enum HostileGames {
    static func measure(on stage: Stage) throws -> [Measurement] {
        try HostileSession.games.flatMap { game in
            let session = try HostileSession(game)
            let finder: Scoreboard.SheetFinder = { (_: SessionHeader) throws(SheetError) in
                session.sheet
            }
            let floor = Timing(stage.samples(3)) { sort(session.live) }
                .floor("sorting the cells")
            let timing = Timing(stage.samples(3)) {
                let standings = Scoreboard(session.live, findingSheet: finder).standings
                precondition(standings?.players.count == Seating.most, "the crowd is seated")
            }
            let derived = timing.measurement(
                "hostile-\(game)",
                "\(session.live.count) hostile entries of \(game), derived",
                over: floor,
                target: .atMost(0.5)
            )
            let board = Scoreboard(session.live, findingSheet: finder)
            return [derived] + results(of: board, game, stage)
        }
    }

    /// What it costs to tell how the games and legs ended, where there are several.
    private static func results(
        of board: Scoreboard,
        _ game: String,
        _ stage: Stage
    ) -> [Measurement] {
        guard let standings = board.standings else { return [] }
        let count = standings.outcomes.count
        guard count > 1 else { return [] }
        let timing = Timing(stage.samples(3)) {
            precondition(standings.outcomes.count == count, "what ended is told")
        }
        return [timing.measurement("hostile-\(game)-results", "\(count) results of it, told")]
    }

    private static func sort(_ live: [Key: LiveSet]) {
        var cells: [(PlayerID, Symbol, UInt32)] = []
        for case .cell(let cell) in live.keys {
            cells.append((cell.player, cell.row, cell.round ?? 0))
        }
        let sorted = cells.sorted { $0 < $1 }
        precondition(sorted.count == cells.count, "what is sorted is used")
    }
}
