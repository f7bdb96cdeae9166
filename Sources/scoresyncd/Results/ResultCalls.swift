import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

@EventLoop
struct ResultCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.results) { request async throws(ControlError) in
            let (board, game) = try await board(request.game)
            return ResultsReply((game.map { board.filtered(byGame: $0) } ?? board).summaries)
        }
        router.answer(.leaders) { request async throws(ControlError) in
            let (board, game) = try await board(request.game)
            let counted = counted(board)
            let games = game.map { [$0] } ?? counted.games
            return LeadersReply(
                games.map { counted.leaders(of: $0, all: request.all == true) }
            )
        }
        router.answer(.addResults, with: add)
        router.answer(.statistics, with: statistics)
        router.answer(.resetStatistics, with: reset)
    }

    /// Returns the results since the reset of each game's statistics.
    private func counted(_ board: ResultBoard) -> ResultBoard {
        board.since { settings.memory.reset(of: $0) }
    }

    /// Returns all results, and the id of the game that a text names, if it has results or is
    /// known.
    private func board(
        _ text: String?
    ) async throws(ControlError) -> (board: ResultBoard, game: String?) {
        let board = try await ResultSource(daemon: daemon).board()
        guard let text else { return (board, nil) }
        let known = userSheets.library.sheets.map(\.id.description)
        let games = board.games + known.filter { !board.games.contains($0) }
        let game = try Match(text, among: games, \.self, board.name).only(
            of: text,
            "games",
            missing: "there is no game “\(text)”",
            known: games,
            precise: \.self
        )
        return (board, game)
    }

    /// Adds games that were played with another program; they are kept like the results of sessions
    /// that were left.
    private func add(
        _ request: PlayedGamesParameters
    ) async throws(ControlError) -> AddedResultsReply {
        guard request.plays.count <= PlayedGamesParameters.maxPlays else {
            throw .usage("more than \(PlayedGamesParameters.maxPlays) plays in one call")
        }
        var seen = PlayedResults(try await ResultSource(daemon: daemon).board())
        var records: [ResultRecord] = []
        for play in request.plays {
            let record = try ResultRecord(play, userSheets.library.sheets)
            if seen.insert(record) { records.append(record) }
        }
        if !request.dryRun, !records.isEmpty {
            try await storage.run { [records] store throws(StoreError) in
                try store.atomically(to: "store results") { () throws(StoreError) in
                    for record in records { try store.save([record], of: record.session) }
                }
            }
        }
        return AddedResultsReply(
            added: records.count,
            known: request.plays.count - records.count
        )
    }

    private func statistics(_ request: GameParameters) async throws(ControlError) -> StatsReply {
        let (board, game) = try await board(request.game)
        let counted = counted(board)
        var games = (game.map { [$0] } ?? counted.games).map { game in
            counted.statistics(
                of: game,
                since: settings.memory.reset(of: game),
                withHistory: request.history == true
            )
        }
        guard let text = request.player else { return StatsReply(games) }
        var names: [String] = []
        for person in games.flatMap(\.people)
        where !names.contains(where: { $0.lowercased() == person.name.lowercased() }) {
            names.append(person.name)
        }
        let name = try Match(text, among: names, \.self).only(
            of: text,
            "people",
            missing: "no finished game of a player named “\(text)” on this laptop",
            known: names,
            precise: \.self
        )
        for index in games.indices {
            games[index].people.removeAll { $0.name.lowercased() != name.lowercased() }
        }
        return StatsReply(games.filter { !$0.people.isEmpty })
    }

    /// A tolerance for clocks of other laptops that are ahead, so that their results are excluded,
    /// too.
    private static let maxAheadMilliseconds: UInt64 = 600_000

    private func reset(_ request: GameConfirmation) async throws(ControlError) -> StatsResetReply {
        let (board, named) = try await board(request.game)
        let game = named ?? request.game
        let ended = counted(board).filtered(byGame: game).countedResults
        guard !ended.isEmpty else {
            throw .refused("no finished games of \(board.name(of: game)) yet")
        }
        let unit =
            (board.partUnit(of: game) ?? board.unit(of: game)) + (ended.count == 1 ? "" : "s")
        let question = Question(
            asking: "Restart leaders and statistics of \(board.name(of: game)) on this laptop? "
                + "\(ended.count) finished \(unit) will no longer count; 'results' still lists them."
        )
        if let question = request.unanswered(question) {
            return StatsResetReply(forgotten: ended.count, question: question)
        }
        let now = Clock.wallMilliseconds
        let latest = ended.compactMap(\.endedAt).max() ?? 0
        let moment = max(now, min(latest, now + ResultCalls.maxAheadMilliseconds))
        try await settings.reset(game, at: moment)
        return StatsResetReply(forgotten: ended.count)
    }
}

@EventLoop
struct ChartCalls: CallGroup {
    let daemon: Daemon
    /// The thread on which games are replayed, one at a time, so that scores need not wait for
    /// charts.
    private let replays = WorkerThread()

    func register(on router: inout ControlRouter) {
        router.answer(.chart) { request async throws(ControlError) in
            let session = try sessions.session(request.session)
            let board = session.board
            let sheet = try board.playedSheet()
            return await queue.run(on: replays) { [id = session.id] in
                ChartReply(ScoreHistory(of: board.book, by: sheet), of: id, board, sheet)
            }
        }
    }
}

extension ChartReply {
    fileprivate init(_ history: ScoreHistory, of id: SessionID, _ board: Scoreboard, _ sheet: Sheet)
    {
        self.init(
            session: ShownSession(id, board.header, sheet),
            label: history.label,
            unit: sheet.rules.isPlayedInRounds(board.book)
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
