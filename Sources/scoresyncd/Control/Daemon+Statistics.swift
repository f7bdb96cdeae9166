import ControlSocket
import Dispatch
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The calls about what has ended: results, leaders, statistics.
extension Daemon {
    func routeStatistics(_ router: inout ControlRouter) {
        onBoard(ResultsRequest.self, &router) { daemon, request, board throws(ControlError) in
            let game = try daemon.game(request.game, on: board)
            return ResultsReply(results: (game.map { board.of($0) } ?? board).summaries)
        }
        onBoard(LeadersRequest.self, &router) { daemon, request, board throws(ControlError) in
            let game = try daemon.game(request.game, on: board)
            let counted = daemon.counted(board)
            let games = game.map { [$0] } ?? counted.games
            return LeadersReply(games: games.map { counted.leaders(of: $0, all: request.all) })
        }
        onBoard(StatsRequest.self, &router) { daemon, request, board throws(ControlError) in
            try daemon.stats(request, board)
        }
        onLater(StatsResetRequest.self, &router) { daemon, request, answer in
            daemon.readBoard { @Sendable result in
                switch result {
                case .failure(let error): answer(.failure(error))
                case .success(let board): daemon.resetStats(request, board, then: answer)
                }
            }
        }
    }

    /// Answers a call that looks at everything that has ended.
    private func onBoard<Request: ControlRequest>(
        _ type: Request.Type,
        _ router: inout ControlRouter,
        _ reply:
            @escaping @Sendable (
                Daemon, Request, ResultBoard
            ) throws(ControlError) -> Request.Reply
    ) {
        onLater(type, &router) { daemon, request, answer in
            daemon.readBoard { @Sendable result in
                do throws(ControlError) {
                    answer(.success(try reply(daemon, request, try result.get())))
                } catch { answer(.failure(error)) }
            }
        }
    }

    // MARK: What has ended

    /// What has ended in a session that is held; nil where that cannot be told, because its data
    /// has not come or its game is not known here.
    func results(of session: SessionID) -> [ResultRecord]? { ended(in: session)?.results }

    /// What has ended in a session, derived anew only when the session has changed.
    private func ended(in session: SessionID) -> EndedGames? {
        guard let committed = engine.replicas[session]?.committed else { return nil }
        if let known = ended[session], known.isTrue(of: committed) { return known }
        // A document that nobody looks at is not kept.
        let looked = documents[session].flatMap { $0.isTrue(of: committed) ? $0 : nil }
        let derived = looked ?? DerivedDocument(committed)
        let sheet = try? sheet(of: derived.document)
        let games = EndedGames(
            vector: derived.vector,
            digest: derived.digest,
            sheet: sheet,
            results: sheet.map { results(of: session, derived, by: $0) }
        )
        ended[session] = games
        return games
    }

    private func results(
        of session: SessionID,
        _ derived: DerivedDocument,
        by sheet: Sheet
    ) -> [ResultRecord] {
        let document = derived.document
        let computers = Set(document.players.filter { $0.computer != nil }.map(\.id))
        let standings = derived.standings ?? sheet.rules.standings(of: derived.book)
        return standings.outcomes.compactMap { outcome in
            // A game in which nothing was entered was none.
            guard outcome.at != nil else { return nil }
            return ResultRecord(
                session: session,
                number: outcome.number,
                game: sheet.id.description,
                title: document.title,
                endedAt: outcome.at?.milliseconds,
                players: outcome.players.map {
                    ResultPlayer($0, isComputer: computers.contains($0.player))
                }
            )
        }
    }

    /// Derives what has ended here, then reads what was kept of sessions that were left.
    private func readBoard(
        _ completion: @escaping @Sendable (Result<ResultBoard, ControlError>) -> Void
    ) {
        deriveEnded(held.keys.sorted()[...]) { @Sendable [weak self] in
            self?.store.perform(
                { store throws(StoreError) in try store.results() },
                completion: { @Sendable [weak self] result in
                    guard let self else { return }
                    completion(
                        result.map { self.board($0) }.mapError { ControlError(.failed, "\($0)") }
                    )
                }
            )
        }
    }

    /// Derives what has ended in sessions, each that has changed in a turn of the queue of its own,
    /// so that nobody waits for all of them.
    private func deriveEnded(
        _ sessions: ArraySlice<SessionID>,
        then done: @escaping @Sendable () -> Void
    ) {
        var rest = sessions
        while let session = rest.popFirst() {
            let before = ended[session]?.vector
            guard let after = ended(in: session), before != after.vector else { continue }
            queue.async { @Sendable [weak self, rest] in self?.deriveEnded(rest, then: done) }
            return
        }
        done()
    }

    private func board(_ kept: [ResultRecord]) -> ResultBoard {
        var sheets: [String: Sheet] = [:]
        var results: [ResultRecord] = []
        var derived: Set<SessionID> = []
        for (session, games) in ended.sorted(by: { $0.key < $1.key }) {
            guard let ended = games.results else { continue }
            derived.insert(session)
            results += ended
            if let sheet = games.sheet { sheets[sheet.id.description] = sheet }
        }
        for sheet in library.sheets { sheets[sheet.id.description] = sheet }
        return ResultBoard(kept.filter { !derived.contains($0.session) } + results, sheets: sheets)
    }

    /// What counts: what ended since a game's statistics were reset.
    private func counted(_ board: ResultBoard) -> ResultBoard {
        board.since { memory.reset(of: $0) }
    }

    /// The id of the game that a text names, among those that were played or can be; nil of none.
    private func game(_ text: String?, on board: ResultBoard) throws(ControlError) -> String? {
        guard let text else { return nil }
        let known = library.sheets.map(\.id.description)
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
        _ request: StatsRequest,
        _ board: ResultBoard
    ) throws(ControlError) -> StatsReply {
        let game = try game(request.game, on: board)
        let counted = counted(board)
        let all = (game.map { [$0] } ?? counted.games).map { game in
            counted.statistics(of: game, since: memory.reset(of: game))
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

    private func resetStats(
        _ request: StatsResetRequest,
        _ board: ResultBoard,
        then answer: @escaping @Sendable (Result<StatsResetReply, ControlError>) -> Void
    ) {
        let found: String?
        do throws(ControlError) { found = try game(request.game, on: board) } catch {
            return answer(.failure(error))
        }
        guard let game = found else { return }
        let counted = counted(board).of(game).results
        let words =
            "\(counted.count) finished "
            + board.unit(of: game) + (counted.count == 1 ? "" : "s")
        guard !counted.isEmpty else {
            let text = "nothing is counted of \(board.name(of: game)) yet"
            return answer(.failure(ControlError(.refused, text)))
        }
        guard request.confirmed else {
            let question =
                "Let leaders and statistics of \(board.name(of: game)) start anew on this laptop? "
                + "\(words) will count no longer; 'results' lists them still."
            return answer(
                .success(StatsResetReply(forgotten: counted.count, question: question))
            )
        }
        let now = Clock.wallMilliseconds
        let latest = counted.compactMap(\.endedAt).max() ?? 0
        let moment = max(now, min(latest, now + Daemon.mostAheadMilliseconds))
        store.perform(
            { store throws(StoreError) in try store.changeMemory { $0.reset(game, at: moment) } },
            completion: { @Sendable [weak self] result in
                if case .success = result { self?.memory.reset(game, at: moment) }
                answer(
                    result.map { StatsResetReply(forgotten: counted.count) }
                        .mapError { ControlError(.failed, "\($0)") }
                )
            }
        )
    }
}
