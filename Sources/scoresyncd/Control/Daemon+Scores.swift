import ControlSocket
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The calls that write scores.
extension Daemon {
    func routeScores(_ router: inout ControlRouter) {
        onLater(ScoreRequest.self, &router) { daemon, request, answer throws(ControlError) in
            try daemon.score(request, then: answer)
        }
        onLater(ClearRequest.self, &router) { daemon, request, answer throws(ControlError) in
            try daemon.clear(request, then: answer)
        }
        onLater(ResolveRequest.self, &router) { daemon, request, answer throws(ControlError) in
            try daemon.resolve(request, then: answer)
        }
        onLater(UndoRequest.self, &router) { daemon, request, answer throws(ControlError) in
            daemon.undo(try daemon.session(request.session), then: answer)
        }
    }

    private func score(
        _ request: ScoreRequest,
        then answer: @escaping @Sendable (Result<WrittenReply, ControlError>) -> Void
    ) throws(ControlError) {
        let desk = try WritingDesk(self, session: try session(request.session))
        try desk.checkRows(of: request.words)
        let (player, entries) = try desk.subject(of: request.words) { EntryParser.isEntry($0) }
        guard !entries.isEmpty else {
            throw ControlError(.usage, "say what to score, as in: scorectl score Ann 42")
        }
        let scores: [Score]
        do throws(RuleViolation) {
            scores = try EntryParser(desk.sheet).scores(entries, for: player.id, in: desk.book)
            for score in scores { try desk.sheet.rules.check(score, in: desk.book) }
        } catch { throw ControlError(error) }
        write(scores, of: player, at: desk, then: answer)
    }

    private func clear(
        _ request: ClearRequest,
        then answer: @escaping @Sendable (Result<WrittenReply, ControlError>) -> Void
    ) throws(ControlError) {
        let desk = try WritingDesk(self, session: try session(request.session))
        let (player, places) = try desk.subject(of: request.words) { desk.isPlace($0) }
        guard !places.isEmpty else {
            throw ControlError(.usage, "say what to clear, as in: scorectl clear Ann round.3")
        }
        let scores = try desk.clearings(places, of: player)
        write(scores, of: player, at: desk, then: answer)
    }

    private func resolve(
        _ request: ResolveRequest,
        then answer: @escaping @Sendable (Result<WrittenReply, ControlError>) -> Void
    ) throws(ControlError) {
        guard request.words.count == 3 else {
            throw ControlError(
                .usage,
                "write: scorectl resolve PLAYER ROW[.ROUND] VALUE, as `conflicts` lists it"
            )
        }
        let desk = try WritingDesk(self, session: try session(request.session))
        let player = try player(request.words[0], among: desk.document.players)
        let score = try desk.choice(request.words[1], request.words[2], of: player)
        do throws(RuleViolation) { try desk.sheet.rules.check(score, in: desk.book) } catch {
            throw ControlError(error)
        }
        write([score], of: player, at: desk, then: answer)
    }

    /// Writes scores that have been checked, in one commit, and answers with what they replaced.
    private func write(
        _ scores: [Score],
        of player: Player,
        at desk: WritingDesk,
        then answer: @escaping @Sendable (Result<WrittenReply, ControlError>) -> Void
    ) {
        let written = WrittenScores(
            player: player.id,
            places: scores.map(\.cell),
            cells: scores.map { desk.written($0, of: player.id) },
            wasOver: isOver(desk.session)
        )
        write(Mutation.scores(scores), to: desk.session) { [self] result in
            answer(result.map { self.reply(written, in: desk.session) })
        }
    }

    /// Whether the game of a session is over by its rules, as it is on disk.
    func isOver(_ session: SessionID) -> Bool {
        let sheet = try? sheet(of: document(session))
        return sheet.map { standings(session, by: $0).isFinished } ?? false
    }

    /// What was written, with the player's total now.
    func reply(_ written: WrittenScores, in session: SessionID) -> WrittenReply {
        let document = document(session)
        let player = written.player
        let now = document.players.first { $0.id == player }
        let standings = (try? sheet(of: document)).map { self.standings(session, by: $0) }
        var notes: [String] = []
        if let now, now.wasKeptIn {
            notes.append("\(now.name) was removed by somebody meanwhile and stays in")
        }
        if let standings { notes += endNotes(standings, wasOver: written.wasOver) }
        notes += lossNotes(of: session, telling: written.places)
        return WrittenReply(
            player: now?.name ?? "",
            cells: written.cells,
            // A count of discs or legs is no total of what was written.
            total: standings.flatMap { $0.panels.isEmpty ? $0[player]?.total : nil },
            notes: notes
        )
    }

    /// Who has won, where a command ended the game or changed one that was over.
    private func endNotes(_ standings: Standings, wasOver: Bool) -> [String] {
        guard standings.isFinished else {
            // Whose turn it is says the same.
            return wasOver && standings.turn == nil ? ["the game is not over any more"] : []
        }
        let names = standings.winners.compactMap { standings[$0]?.player.name }
        let verb = names.count == 1 ? " has won" : " have won"
        let won = names.isEmpty ? [] : [names.joined(separator: ", ") + verb]
        let change = wasOver ? ["this changes a game that is over"] : []
        let note = (won + change).joined(separator: "; ")
        return note.isEmpty ? [] : [note]
    }
}

/// What a command wrote, for the answer to it.
struct WrittenScores {
    /// Whom the answer is about.
    let player: PlayerID
    /// Where it wrote.
    let places: [Cell]
    /// What it wrote there, as clients see it.
    let cells: [WrittenCell]
    /// Whether the game was over before.
    let wasOver: Bool
}
