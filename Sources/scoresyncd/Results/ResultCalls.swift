import ControlSocket
import Descriptors
import Dispatch
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// The calls about what has ended: results, leaders, statistics.
struct ResultCalls {
    let results: Results
    let shelf: SheetShelf
    let notes: DeviceNotes

    func register(on router: inout ControlRouter) {
        answer(.results, on: &router) { request, board throws(ControlError) in
            let game = try game(request.game, on: board)
            return ResultsReply(results: (game.map { board.of($0) } ?? board).summaries)
        }
        answer(.leaders, on: &router) { request, board throws(ControlError) in
            let game = try game(request.game, on: board)
            let counted = counted(board)
            let games = game.map { [$0] } ?? counted.games
            return LeadersReply(games: games.map { counted.leaders(of: $0, all: request.all) })
        }
        answer(.statistics, on: &router, with: stats)
        router.answerLater(.resetStatistics) { request, answer in
            results.board { result in
                switch result {
                case .failure(let error): answer(.failure(error))
                case .success(let board): reset(request, board, then: answer)
                }
            }
        }
    }

    /// Lets a call that looks at everything that has ended be answered.
    private func answer<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        on router: inout ControlRouter,
        with reply:
            @escaping @Sendable (Parameters, ResultBoard) throws(ControlError) -> Reply
    ) {
        router.answerLater(method) { request, answer in
            results.board { result in
                do throws(ControlError) {
                    answer(.success(try reply(request, try result.get())))
                } catch { answer(.failure(error)) }
            }
        }
    }

    /// What counts: what ended since a game's statistics were reset.
    private func counted(_ board: ResultBoard) -> ResultBoard {
        board.since { notes.memory.reset(of: $0) }
    }

    /// The id of the game that a text names, among those that were played or can be; nil of none.
    private func game(_ text: String?, on board: ResultBoard) throws(ControlError) -> String? {
        guard let text else { return nil }
        let known = shelf.library.sheets.map(\.id.description)
        let games = board.games + known.filter { !board.games.contains($0) }
        return try Match(text, among: games, \.self, board.name).only(
            of: text,
            "games",
            missing: "there is no game “\(text)”",
            known: games,
            precise: \.self
        )
    }

    // MARK: Statistics

    private func stats(
        _ request: StatsParameters,
        _ board: ResultBoard
    ) throws(ControlError) -> StatsReply {
        let game = try game(request.game, on: board)
        let counted = counted(board)
        let all = (game.map { [$0] } ?? counted.games).map { game in
            counted.statistics(of: game, since: notes.memory.reset(of: game))
        }
        guard let text = request.player else { return StatsReply(games: all) }
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
        return StatsReply(games: games.filter { !$0.people.isEmpty })
    }

    /// How far clocks of others may be ahead, so that what they ended is forgotten too.
    private static let mostAheadMilliseconds: UInt64 = 600_000

    private func reset(
        _ request: GameConfirmation,
        _ board: ResultBoard,
        then answer: @escaping Answer<StatsResetReply>
    ) {
        let found: String?
        do throws(ControlError) { found = try game(request.game, on: board) } catch {
            return answer(.failure(error))
        }
        guard let game = found else { return }
        let counted = counted(board).of(game).parts
        let unit = board.partUnit(of: game) ?? board.unit(of: game)
        let words = "\(counted.count) finished \(unit)" + (counted.count == 1 ? "" : "s")
        guard !counted.isEmpty else {
            let text = "nothing is counted of \(board.name(of: game)) yet"
            return answer(.failure(ControlError(.refused, text)))
        }
        let question = Question(
            asking: "Let leaders and statistics of \(board.name(of: game)) start anew on this "
                + "laptop? \(words) will count no longer; 'results' lists them still."
        )
        if let question = request.unanswered(question) {
            return answer(.success(StatsResetReply(forgotten: counted.count, question: question)))
        }
        let now = Clock.wallMilliseconds
        let latest = counted.compactMap(\.endedAt).max() ?? 0
        let moment = max(now, min(latest, now + ResultCalls.mostAheadMilliseconds))
        notes.reset(game, at: moment) { result in
            answer(result.map { StatsResetReply(forgotten: counted.count) })
        }
    }
}

/// The call that tells how everybody came to stand as they do.
struct ChartCalls {
    let sessions: SessionCatalog
    /// The daemon's queue.
    let queue: EventQueue
    /// Where games are gone through, one after the other, so that no score waits for a chart.
    private let replays = DispatchQueue(label: "charts", qos: .utility)

    init(sessions: SessionCatalog, queue: EventQueue) {
        self.sessions = sessions
        self.queue = queue
    }

    func register(on router: inout ControlRouter) {
        router.answerLater(.chart, with: chart)
    }

    private func chart(
        _ request: SessionParameters,
        then answer: @escaping Answer<ChartReply>
    ) throws(ControlError) {
        let session = try sessions.session(request.session)
        let board = session.board
        let sheet = try board.playedSheet()
        replays.async { @Sendable [queue, id = session.id] in
            let reply = ChartReply(ScoreHistory(of: board.book, by: sheet), of: id, board, sheet)
            queue.async { @Sendable in answer(.success(reply)) }
        }
    }
}

extension ChartReply {
    fileprivate init(_ history: ScoreHistory, of id: SessionID, _ board: Scoreboard, _ sheet: Sheet)
    {
        self.init(
            session: ShownSession(id, board.header, sheet),
            label: history.label,
            lowestWins: sheet.winRule(of: board.book) == .lowest,
            unit: sheet.rules.goesByRounds(board.book)
                ? sheet.gameEngine == .rows ? .round : .move : .time,
            steps: history.steps.map { step in
                switch step {
                case .round(let round): Step(round: Int(round))
                case .moment(let moment): Step(at: Timestamp(milliseconds: moment))
                }
            },
            players: history.players.map { line in
                Line(id: line.player.id.description, name: line.player.name, totals: line.totals)
            },
            teams: history.teams.map { Line(name: $0.name, totals: $0.totals) }
        )
    }
}
