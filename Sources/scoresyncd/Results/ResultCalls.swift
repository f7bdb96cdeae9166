import ControlSocket
import Descriptors
import Dispatch
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// The calls about what has ended: results, leaders, statistics.
@EventLoop
struct ResultCalls: CallGroup {
    let daemon: Daemon
    private var results: Results { Results(daemon: daemon) }

    func register(on router: inout ControlRouter) {
        router.answer(.results) { request async throws(ControlError) in
            let board = try await results.board()
            let game = try optionalGame(request.game, on: board)
            return ResultsReply((game.map { board.of($0) } ?? board).summaries)
        }
        router.answer(.leaders) { request async throws(ControlError) in
            let board = try await results.board()
            let game = try optionalGame(request.game, on: board)
            let counted = counted(board)
            let games = game.map { [$0] } ?? counted.games
            return LeadersReply(
                games.map { counted.leaders(of: $0, all: request.all == true) }
            )
        }
        router.answer(.statistics) { request async throws(ControlError) in
            try statistics(request, try await results.board())
        }
        router.answer(.resetStatistics, with: reset)
    }

    /// The results since a game's statistics were reset.
    private func counted(_ board: ResultBoard) -> ResultBoard {
        board.since { settings.memory.reset(of: $0) }
    }

    /// The id of the game that a text names, among those that were played or can be.
    private func game(_ text: String, on board: ResultBoard) throws(ControlError) -> String {
        let known = userSheets.library.sheets.map(\.id.description)
        let games = board.games + known.filter { !board.games.contains($0) }
        return try Match(text, among: games, \.self, board.name).only(
            of: text,
            "games",
            missing: "there is no game “\(text)”",
            known: games,
            precise: \.self
        )
    }

    private func optionalGame(
        _ text: String?,
        on board: ResultBoard
    ) throws(ControlError) -> String? {
        guard let text else { return nil }
        return try game(text, on: board)
    }

    // MARK: Statistics

    private func statistics(
        _ request: GameParameters,
        _ board: ResultBoard
    ) throws(ControlError) -> StatsReply {
        let game = try optionalGame(request.game, on: board)
        let counted = counted(board)
        let all = (game.map { [$0] } ?? counted.games).map { game in
            counted.statistics(of: game, since: settings.memory.reset(of: game))
        }
        guard let text = request.player else { return StatsReply(all) }
        var names: [String] = []
        for person in all.flatMap(\.people)
        where !names.contains(where: { $0.lowercased() == person.name.lowercased() }) {
            names.append(person.name)
        }
        let name = try Match(text, among: names, \.self).only(
            of: text,
            "people",
            missing: "nobody called “\(text)” has played to the end here",
            known: names,
            precise: \.self
        )
        let games = all.map { game in
            var game = game
            game.people = game.people.filter { $0.name.lowercased() == name.lowercased() }
            return game
        }
        return StatsReply(games.filter { !$0.people.isEmpty })
    }

    /// Tolerance for clocks of others that are ahead, so that their results are forgotten too.
    private static let mostAheadMilliseconds: UInt64 = 600_000

    private func reset(_ request: GameConfirmation) async throws(ControlError) -> StatsResetReply {
        let board = try await results.board()
        let game = try game(request.game, on: board)
        let counted = counted(board).of(game).parts
        let unit = board.partUnit(of: game) ?? board.unit(of: game)
        let words = "\(counted.count) finished \(unit)" + (counted.count == 1 ? "" : "s")
        guard !counted.isEmpty else {
            throw ControlError(.refused, "nothing is counted of \(board.name(of: game)) yet")
        }
        let question = Question(
            asking: "Restart leaders and statistics of \(board.name(of: game)) on this laptop? "
                + "\(words) will no longer count; 'results' still lists them."
        )
        if let question = request.unanswered(question) {
            return StatsResetReply(forgotten: counted.count, question: question)
        }
        let now = Clock.wallMilliseconds
        let latest = counted.compactMap(\.endedAt).max() ?? 0
        let moment = max(now, min(latest, now + ResultCalls.mostAheadMilliseconds))
        try await settings.reset(game, at: moment)
        return StatsResetReply(forgotten: counted.count)
    }
}

/// The call that tells how everybody came to stand as they do.
@EventLoop
struct ChartCalls: CallGroup {
    let daemon: Daemon
    /// Replays games one after the other, so that no score waits for a chart.
    private let replays = DispatchQueue(label: "charts", qos: .utility)

    func register(on router: inout ControlRouter) {
        router.answer(.chart, with: chart)
    }

    private func chart(_ request: SessionParameters) async throws(ControlError) -> ChartReply {
        let session = try sessions.session(request.session)
        let board = session.board
        let sheet = try board.playedSheet()
        return await queue.run(on: replays) { [id = session.id] in
            ChartReply(ScoreHistory(of: board.book, by: sheet), of: id, board, sheet)
        }
    }
}

extension ChartReply {
    fileprivate init(_ history: ScoreHistory, of id: SessionID, _ board: Scoreboard, _ sheet: Sheet)
    {
        self.init(
            session: ShownSession(id, board.header, sheet),
            label: history.label,
            unit: sheet.rules.goesByRounds(board.book)
                ? sheet.hasMoves ? .move : .round : .time,
            steps: history.steps.map { step in
                switch step {
                case .round(let round): Step(round: Int(round))
                case .moment(let moment): Step(at: Timestamp(milliseconds: moment))
                }
            }
        )
        self.lowestWins = sheet.winRule(of: board.book) == .lowest
        self.players = history.players.map { line in
            Line(id: line.player.id.description, name: line.player.name, totals: line.totals)
        }
        self.teams = history.teams.map { Line(name: $0.name, totals: $0.totals) }
    }
}
