import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The calls of games that are played move by move.
struct PlayCalls {
    let sessions: SessionCatalog
    let moves: Moves
    let options: GameOptions
    let computers: ComputerPlayers
    let replies: PlayReplies
    let writer: SessionWriter

    func register(on router: inout ControlRouter) {
        router.answerLater(.play) { request, answer throws(ControlError) in
            try options.withWordLists(then: answer) { () throws(ControlError) in
                try play(request, then: answer)
            }
        }
        router.answerLater(.reset, with: reset)
    }

    // MARK: Moves

    private func play(
        _ request: PlayParameters,
        then answer: @escaping Answer<PlayReply>
    ) throws(ControlError) {
        guard !request.words.isEmpty else {
            throw ControlError(.usage, "say the move, as in: scorectl play d3")
        }
        let desk = try WritingDesk(try sessions.session(request.session))
        let present = desk.board.presentPlayers
        guard let text = request.player else {
            let me = present.first { $0.id == desk.session.facts.me }
            let move = Move(request.words, by: me?.id, details: request.details)
            return write(try unnamed(move, by: me, at: desk), of: move, at: desk, then: answer)
        }
        let player = try Naming.player(text, among: present)
        try computers.refuseHand(for: player, in: desk.session, of: desk.sheet)
        let move = Move(request.words, by: player.id, details: request.details)
        let played = try moves.played(move, at: desk)
        try refuseComputers(in: played, at: desk)
        write(played, of: move, at: desk, then: answer)
    }

    /// Plays a move that a player tells, with marks beside it, if it is that player's and writes
    /// nothing for anybody else; or anybody's where everybody tells.
    func play(
        _ words: [String],
        _ details: [String: String],
        of player: Player,
        at desk: WritingDesk,
        marked marks: [Mutation],
        then answer: @escaping Answer<PlayReply>
    ) throws(ControlError) {
        try computers.refuseHand(for: player, in: desk.session, of: desk.sheet)
        let move = Move(words, by: player.id, details: details)
        let played = try moves.played(move, at: desk)
        let owners = [played.player] + played.writes.map(\.cell.player)
        guard owners.allSatisfy({ $0 == player.id }) || desk.sheet.rules.acceptsMovesFromAnyone
        else {
            throw ControlError(.refused, "only what \(player.name) does alone can be played here")
        }
        write(played, of: move, at: desk, marked: marks, then: answer)
    }

    private func write(
        _ played: Played,
        of move: Move,
        at desk: WritingDesk,
        marked marks: [Mutation] = [],
        then answer: @escaping Answer<PlayReply>
    ) {
        let cells = played.writes.map { desk.written($0, of: nil) }
        let mutations = Mutation.scores(played.writes, recording: played.options)
        let consequences = desk.consequences(of: mutations)
        writer.write(mutations + marks, to: desk.session) {
            [replies, session = desk.session] result in
            switch result {
            case .success:
                replies.reply(to: move, played, cells, consequences, in: session, then: answer)
            case .failure(let error): answer(.failure(error))
            }
        }
    }

    /// Refuses a list of moves that comes to a computer's turn, whole, so that nothing has to be
    /// taken back.
    private func refuseComputers(in played: Played, at desk: WritingDesk) throws(ControlError) {
        for (place, score) in played.writes.enumerated() {
            guard let player = desk.book.player(score.cell.player) else { continue }
            do throws(ControlError) {
                try computers.refuseHand(for: player, in: desk.session, of: desk.sheet)
            } catch {
                guard place > 0 else { throw error }
                let value = desk.gameWords.value(score)?.shown ?? Scalar(score.value).description
                throw ControlError(
                    .refused,
                    "\(error.message), and \(value) would be its move: nothing was played"
                )
            }
        }
    }

    /// What a move writes for which nobody was named: that of this device's player, where somebody
    /// has said who that is, so that nobody moves for another laptop's player by mistake; else of
    /// whoever is to move, but not of a computer.
    private func unnamed(
        _ move: Move,
        by me: Player?,
        at desk: WritingDesk
    ) throws(ControlError) -> Played {
        let played: Played
        do throws(ControlError) { played = try moves.played(move, at: desk) } catch {
            guard let me, let turn = desk.board.standings?.turn, turn != me.id,
                error.kind == .refused, error.hint == nil,
                desk.book.player(turn)?.computer == nil
            else { throw error }
            var error = error
            error.hint = "you are \(me.name); to play for another player, add --player NAME"
            throw error
        }
        try refuseComputers(in: played, at: desk)
        return played
    }

    // MARK: Reset

    private func reset(
        _ request: SessionConfirmation,
        then answer: @escaping Answer<ResetReply>
    ) throws(ControlError) {
        let desk = try WritingDesk(try sessions.session(request.subject))
        let reset: Reset
        do throws(RuleViolation) {
            reset = try desk.game.reset(of: desk.book)
        } catch { throw ControlError(error) }
        var reply = ResetReply(cells: reset.writes.count)
        reply.question = request.unanswered(
            Question(
                asking: desk.question(of: reset),
                about: desk.session.id,
                of: desk.traces(of: reset)
            )
        )
        guard reply.question == nil else { return answer(.success(reply)) }
        writer.write(Mutation.scores(reset.writes), to: desk.session) { [reply] result in
            answer(result.map { reply })
        }
    }
}

extension WritingDesk {
    /// What to ask before a reset: also whether what has ended goes out of the results with it.
    fileprivate func question(of reset: Reset) -> String {
        guard let now = board.standings, now.isFinished else { return reset.question }
        let cleared = reset.writes.filter { $0.value == .null }
            .map { Mutation(.cell($0.cell), .null) }
        let left = session.supposing(cleared, on: board).standings?.outcomes.count ?? 0
        guard left < now.outcomes.count else { return reset.question }
        let names = now.winners.compactMap { book.player($0)?.name }
        let won = names.count == 1 ? "has won" : "have won"
        let end =
            names.isEmpty
            ? "This game is over. It"
            : "\(names.joined(separator: " and ")) \(won) this game, which"
        return "\(reset.question) \(end) goes out of the results with it; "
            + "'scorectl session new --again' keeps it."
    }

    /// What a reset would take back, a line each: another one has other lines.
    fileprivate func traces(of reset: Reset) -> [String] {
        reset.writes.map { score in
            let live = board[score.cell]?.entries ?? []
            let dots = live.map { "\($0.dot.actor):\($0.dot.sequence)" }.joined(separator: " ")
            return "\(Key.cell(score.cell)) \(Scalar(score.value)) \(dots)"
        }
    }
}

/// The answers to moves, given once the computers have answered too, so that one terminal is enough
/// to play against them.
struct PlayReplies: Sendable {
    let computers: ComputerPlayers
    let watchers: Watchers
    let loop: EngineLoop
    let queue: EventQueue
    let device: DeviceID

    /// How long computers are waited for, in milliseconds: most move within a second.
    static let patience = 2000

    /// Answers a move that is on disk with how the game stands, after those of computers that come
    /// in time.
    func reply(
        to move: Move,
        _ played: Played,
        _ cells: [WrittenCell],
        _ consequences: Consequences,
        in session: Session,
        then answer: @escaping Answer<PlayReply>
    ) {
        let before = session.board
        let reply = before.reply(to: move, played, cells, consequences, by: device)
        guard isComputerToMove(in: session) else { return answer(.success(reply)) }
        let wait = Wait(
            for: session.id,
            until: { !isComputerToMove(in: session) },
            what: { "no computer has moved" },
            milliseconds: Self.patience,
            on: queue,
            then: { _ in
                let after = session.board
                var late = reply
                late.answers = after.computerMoves(since: before)
                late.tell(after)
                if !late.answers.isEmpty {
                    late.notes += (after.standings?.notes ?? []).map(\.description)
                }
                answer(.success(late))
            }
        )
        watchers.add(wait)
    }

    /// Whether a computer is to move that can, because it is on this laptop or on a linked one.
    private func isComputerToMove(in session: Session) -> Bool {
        guard let player = session.board.turn, let computer = player.computer else { return false }
        return computers.own(player.id, in: session) != nil
            || loop.engine.peers(session.id).contains { $0.device == computer.device }
    }
}

extension PlayReply {
    /// Says how the game stands on a board.
    fileprivate mutating func tell(_ board: Scoreboard) {
        let standings = board.standings
        func name(_ id: PlayerID) -> String? { board.player(id)?.name }
        turn = standings?.turn.flatMap(name)
        finished = standings?.isFinished ?? false
        winners = standings?.winners.compactMap(name) ?? []
        totalLabel = standings?.totalLabel ?? ""
        totals = (standings?.players ?? []).filter(\.player.isPresent).map {
            PlayerTotal(player: $0.player.name, total: $0.total, rank: $0.rank)
        }
        self.board =
            standings?.panels.lazy.compactMap { panel in
                guard case .board(let board) = ShownPanel(panel) else { return nil }
                return board
            }.first
    }
}

extension Scoreboard {
    /// How the game stands after a move.
    fileprivate func reply(
        to move: Move,
        _ played: Played,
        _ cells: [WrittenCell],
        _ consequences: Consequences,
        by device: DeviceID
    ) -> PlayReply {
        let touched = Set(played.writes.map(\.cell.player))
        let kept = players.filter { touched.contains($0.id) && $0.wasKeptIn }.map {
            "\($0.name) was removed by somebody meanwhile and stays in"
        }
        let losses = losses(
            of: device,
            telling: played.writes.map(\.cell),
            besides: consequences,
            standings
        )
        var reply = PlayReply(
            player: played.player.flatMap(player)?.name,
            move: move.words.joined(separator: " "),
            cells: cells,
            notes: played.notes.map(\.description) + kept + losses
                + consequences.notes,
            finished: false,
            totals: []
        )
        reply.tell(self)
        return reply
    }

    /// What computers have written since a board of before.
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

/// Moves of people and of computers: checks them by the rules of the moment and writes them.
struct Moves: Sendable {
    let options: GameOptions
    let writer: SessionWriter

    /// What a move writes, as the rules of the moment say.
    func played(_ move: Move, at desk: WritingDesk) throws(ControlError) -> Played {
        guard !desk.board.header.isFinished else { throw ControlError(RuleViolation.finished) }
        do throws(RuleViolation) {
            var aids = options.aids
            return try desk.game.play(move, in: desk.book, with: &aids)
        } catch { throw ControlError(error) }
    }

    /// Writes what a move writes, in one commit.
    func write(_ played: Played, in session: Session, then answer: @escaping Answer<Void>) {
        let mutations = Mutation.scores(played.writes, recording: played.options)
        writer.write(mutations, to: session, then: answer)
    }
}
