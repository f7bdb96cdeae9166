import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The calls of games that are played move by move.
///
/// The reply to a move waits for the moves of computers, so that one terminal suffices to play.
@EventLoop
struct PlayCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.play, with: play)
        router.answer(.reset, with: reset)
    }

    // MARK: Moves

    /// Plays a move of the named player.
    ///
    /// Without a name it is that of this device's player if one was chosen, so that nobody moves
    /// for another laptop's player by mistake, else of the player to move.
    private func play(_ request: WordsParameters) async throws(ControlError) -> PlayReply {
        guard !request.words.isEmpty else {
            throw ControlError(.usage, "no move given", hint: "for example: scorectl play d3")
        }
        let write = try await gameOptions.withWordLists { () throws(ControlError) in
            let input = try ScoreInput(try sessions.session(request.session))
            let present = input.board.presentPlayers
            var player = present.first { $0.id == input.session.facts.me }
            if let name = request.player {
                let named = try Naming.player(name, among: present)
                try computers.checkMovesByHand(for: named, in: input.session, of: input.sheet)
                player = named
            }
            let move = Move(request.words, by: player?.id, details: request.details ?? [:])
            let subject = player ?? input.board.turn
            let expected = subject.flatMap {
                ExpectationCheck(request.expecting, of: $0, at: input)
            }
            if let both = try expected?.alternative(of: move, with: gameOptions.moveContext) {
                return PlayWrite(Accepted(both, expected), of: move, at: input)
            }
            let played: Played
            do throws(RuleViolation) {
                played = try input.play(move, with: gameOptions.moveContext)
            } catch {
                var refusal = ControlError(error)
                if error.code == .otherTurn, request.player == nil, refusal.hint == nil,
                    let player, input.board.turn?.computer == nil
                {
                    refusal.hint =
                        "you are \(player.name); to play for another player, add --player NAME"
                }
                throw refusal
            }
            try expected?.check(played)
            try checkNoComputerMoves(in: played, at: input)
            return PlayWrite(Accepted(played), of: move, at: input)
        }
        return try await self.write(write)
    }

    /// Plays a move that a player submits from a phone, and writes the submission's mark with it.
    ///
    /// The move may write for other players only if the rules accept moves from anyone. A move of the
    /// whole table, such as a deal, is nobody else's.
    func play(
        _ words: [String],
        _ details: [String: String],
        expecting expected: Expectation?,
        by submission: @EventLoop () throws(ControlError) -> (ScoreInput, Player, Mutation)?
    ) async throws(ControlError) -> PlayReply? {
        let write = try await gameOptions.withWordLists { () throws(ControlError) in
            try submission().map { input, player, mark throws(ControlError) in
                try computers.checkMovesByHand(for: player, in: input.session, of: input.sheet)
                let move = Move(words, by: player.id, details: details)
                let expected = ExpectationCheck(expected, of: player, at: input)
                if let both = try expected?.alternative(of: move, with: gameOptions.moveContext) {
                    return PlayWrite(Accepted(both, expected), of: move, at: input, marked: mark)
                }
                let played = try byRules(input.play(move, with: gameOptions.moveContext))
                try expected?.check(played)
                let owners = [played.player] + played.writes.map(\.cell.player)
                let isOfTable =
                    !played.writes.isEmpty && played.player == nil
                    && played.writes.allSatisfy { input.gameWords.isOfTable($0) }
                guard
                    isOfTable || owners.allSatisfy({ $0 == player.id })
                        || input.sheet.rules.acceptsMovesFromAnyone
                else {
                    throw ControlError(
                        .refused,
                        "only what \(player.name) does alone can be played here"
                    )
                }
                return PlayWrite(Accepted(played), of: move, at: input, marked: mark)
            }
        }
        guard let write else { return nil }
        return try await self.write(write)
    }

    /// Throws if a list of moves contains the turn of a computer, before any of them is played.
    private func checkNoComputerMoves(in played: Played, at input: ScoreInput) throws(ControlError)
    {
        for (index, score) in played.writes.enumerated() {
            guard let player = input.book.player(score.cell.player) else { continue }
            do throws(ControlError) {
                try computers.checkMovesByHand(for: player, in: input.session, of: input.sheet)
            } catch {
                guard index > 0 else { throw error }
                let value = input.gameWords.value(score)?.shown ?? Scalar(score.value).description
                throw ControlError(
                    .refused,
                    "\(error.message), and \(value) would be its move: nothing was played"
                )
            }
        }
    }

    private func write(_ write: PlayWrite) async throws(ControlError) -> PlayReply {
        let (session, played) = (write.session, write.accepted.played)
        try await writer.write(write.mutations, to: session)
        let board = session.board
        var reply = PlayReply(
            player: played.player.flatMap(board.player)?.name,
            move: write.move.words.joined(separator: " "),
            cells: write.cells,
            totals: []
        )
        let losses = board.losses(
            of: device.id,
            written: played.writes.map(\.cell),
            besides: write.sideEffects,
            session.standings
        )
        reply.notes =
            write.accepted.notes + played.notes.map(\.description)
            + board.remainingPlayerNotes(Set(played.writes.map(\.cell.player))) + losses
            + write.sideEffects.notes
        guard isComputerToMove(in: session) else {
            reply.show(session)
            return reply
        }
        // Most computers find a move within a second.
        _ = await watchers.wait(in: session.id, milliseconds: 2000) {
            isComputerToMove(in: session) ? .unmet("no computer has moved") : .met
        }
        reply.show(session)
        reply.answers = session.board.computerMoves(since: board)
        if !reply.answers.isEmpty {
            reply.notes += (session.standings?.notes ?? []).map(\.description)
        }
        return reply
    }

    /// Whether it is the turn of a computer that is able to move: on this laptop or on a linked
    /// one.
    private func isComputerToMove(in session: Session) -> Bool {
        guard let player = session.turn, let computer = player.computer else { return false }
        return computers.own(player.id, in: session) != nil
            || driver.engine.peers(session.id).contains { $0.device == computer.device }
    }

    // MARK: Reset

    private func reset(_ request: SessionParameters) async throws(ControlError) -> ResetReply {
        let input = try ScoreInput(try sessions.session(request.subject))
        let reset = try byRules(input.game.reset(of: input.book))
        // The token contains the dots of the entries, so that it becomes invalid if one of them
        // changes.
        let traces = reset.writes.map { score in
            let live = input.board[score.cell]?.entries ?? []
            let dots = live.map { "\($0.dot.actor):\($0.dot.sequence)" }.joined(separator: " ")
            return "\(Key.cell(score.cell)) \(Scalar(score.value)) \(dots)"
        }
        let question = request.unanswered(
            Question(asking: input.question(of: reset), about: input.session.id, of: traces)
        )
        if question == nil {
            try await writer.write(Mutation.scores(reset.writes), to: input.session)
        }
        return ResetReply(question: question, cells: reset.writes.count)
    }
}

/// A move that is allowed, or one for a turn that was played meanwhile and is written beside it.
@EventLoop
private struct Accepted {
    let played: Played
    var besides: Set<Cell> = []
    var notes: [String] = []

    init(_ played: Played) { self.played = played }

    init(_ score: Score, _ check: ExpectationCheck?) {
        played = Played(by: score.cell.player, writes: [score])
        besides = [score.cell]
        notes = check?.remarks(on: [score]) ?? []
    }
}

/// A move to write in one commit, with what the reply says about it; like ``ScoreWrite`` it does not
/// keep the scoreboard.
@EventLoop
private struct PlayWrite {
    let session: Session
    let accepted: Accepted
    let move: Move
    let mutations: [Mutation]
    /// The scores with the values that they replace.
    let cells: [WrittenCell]
    let sideEffects: SideEffects

    init(_ accepted: Accepted, of move: Move, at input: ScoreInput, marked mark: Mutation? = nil) {
        (session, self.accepted, self.move) = (input.session, accepted, move)
        let (played, besides) = (accepted.played, accepted.besides)
        let mutations = Mutation.scores(
            played.writes,
            recording: played.options,
            beside: besides
        )
        sideEffects = input.sideEffects(of: mutations)
        self.mutations = mutations + [mark].compactMap(\.self)
        cells = played.writes.filter { !besides.contains($0.cell) }
            .map { input.written($0, of: nil) }
    }
}

extension ScoreInput {
    /// Returns the question before a reset, which mentions the result of a finished game that is
    /// removed.
    fileprivate func question(of reset: Reset) -> String {
        guard let now = board.standings, now.isFinished else { return reset.question }
        let cleared = reset.writes.filter { $0.value == .null }
            .map { Mutation(.cell($0.cell), .null) }
        let left = session.simulating(cleared, on: board).standings?.outcomes.count ?? 0
        guard left < now.outcomes.count else { return reset.question }
        let names = now.winners.compactMap { book.player($0)?.name }.joined(separator: " and ")
        let verb = now.winners.count == 1 ? "has won" : "have won"
        let end = names.isEmpty ? "This game is over. It" : "\(names) \(verb) this game, which"
        return
            "\(reset.question) \(end) will be removed from the results. To keep it, start the next "
            + "game instead."
    }
}

extension PlayReply {
    /// Sets the fields that show the state of the game.
    @EventLoop
    fileprivate mutating func show(_ session: Session) {
        let (board, standings) = (session.board, session.standings)
        turn = session.turn?.name
        finished = session.isOver
        winners = standings?.winners.compactMap { board.player($0)?.name } ?? []
        totalLabel = standings?.totalLabel ?? ""
        totals = (standings?.players ?? []).filter(\.player.isPresent).map {
            PlayerTotal(player: $0.player.name, total: $0.total, rank: $0.rank)
        }
        self.board = board.game?.board.map(ShownBoard.init)
    }
}

extension Scoreboard {
    /// Returns the cells that computers have written since an earlier board.
    fileprivate func computerMoves(since before: Scoreboard) -> [WrittenCell] {
        guard let sheet = try? sheet.get(), let game else { return [] }
        let gameWords = game.words(in: book)
        let lines = standings?.players.filter { $0.player.computer != nil } ?? []
        return lines.flatMap { line in
            line.cells.map(\.bookCell).filter { $0.value != .null && before[$0.cell] != $0.live }
                .map { bookCell in
                    WrittenCell(
                        Score(bookCell.cell, bookCell.value),
                        of: line.player.name,
                        replacing: before[bookCell.cell],
                        on: sheet,
                        in: gameWords
                    )
                }
        }
    }
}
