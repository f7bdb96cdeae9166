import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The calls of games that are played move by move.
@EventLoop
struct PlayCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.play, with: play)
        router.answer(.reset, with: reset)
    }

    // MARK: Moves

    private func play(_ request: WordsParameters) async throws(ControlError) -> PlayReply {
        guard !request.words.isEmpty else {
            throw ControlError(.usage, "no move given", hint: "for example: scorectl play d3")
        }
        let details = request.details ?? [:]
        let (input, move, played) = try await options.withWordLists { () throws(ControlError) in
            let input = try ScoreInput(try sessions.session(request.session))
            let present = input.board.presentPlayers
            guard let text = request.player else {
                let me = present.first { $0.id == input.session.facts.me }
                let move = Move(request.words, by: me?.id, details: details)
                return (input, move, try unnamed(move, by: me, at: input))
            }
            let player = try Naming.player(text, among: present)
            try computers.refuseHand(for: player, in: input.session, of: input.sheet)
            let move = Move(request.words, by: player.id, details: details)
            let played = try moves.played(move, at: input)
            try refuseComputers(in: played, at: input)
            return (input, move, played)
        }
        return try await write(played, of: move, at: input)
    }

    /// Plays a move that a player's phone sends, with its mark, if it writes nothing for anybody
    /// else; or any move where the rules accept moves from anyone.
    func play(
        _ words: [String],
        _ details: [String: String],
        by submission: @EventLoop () throws(ControlError) -> (ScoreInput, Player, Mutation)?
    ) async throws(ControlError) -> PlayReply? {
        let accepted = try await options.withWordLists { () throws(ControlError) in
            try submission().map { input, player, mark throws(ControlError) in
                try computers.refuseHand(for: player, in: input.session, of: input.sheet)
                let move = Move(words, by: player.id, details: details)
                let played = try moves.played(move, at: input)
                let owners = [played.player] + played.writes.map(\.cell.player)
                guard
                    owners.allSatisfy({ $0 == player.id })
                        || input.sheet.rules.acceptsMovesFromAnyone
                else {
                    throw ControlError(
                        .refused,
                        "only what \(player.name) does alone can be played here"
                    )
                }
                return (input, move, played, mark)
            }
        }
        guard let (input, move, played, mark) = accepted else { return nil }
        return try await write(played, of: move, at: input, marked: [mark])
    }

    private func write(
        _ played: Played,
        of move: Move,
        at input: ScoreInput,
        marked marks: [Mutation] = []
    ) async throws(ControlError) -> PlayReply {
        let cells = played.writes.map { input.written($0, of: nil) }
        let mutations = Mutation.scores(played.writes, recording: played.options)
        let sideEffects = input.sideEffects(of: mutations)
        try await writer.write(mutations + marks, to: input.session)
        return await PlayReplies(daemon: daemon).reply(
            to: move,
            played,
            cells,
            sideEffects,
            in: input.session
        )
    }

    /// Refuses a list of moves that comes to a computer's turn, whole, so that nothing has to be
    /// taken back.
    private func refuseComputers(in played: Played, at input: ScoreInput) throws(ControlError) {
        for (place, score) in played.writes.enumerated() {
            guard let player = input.book.player(score.cell.player) else { continue }
            do throws(ControlError) {
                try computers.refuseHand(for: player, in: input.session, of: input.sheet)
            } catch {
                guard place > 0 else { throw error }
                let value = input.gameWords.value(score)?.shown ?? Scalar(score.value).description
                throw ControlError(
                    .refused,
                    "\(error.message), and \(value) would be its move: nothing was played"
                )
            }
        }
    }

    /// The result of a move without a player's name: by the player of this device if one was
    /// chosen, so that no one moves for another laptop's player by mistake; else by the player to
    /// move, unless that is a computer.
    private func unnamed(
        _ move: Move,
        by me: Player?,
        at input: ScoreInput
    ) throws(ControlError) -> Played {
        let played: Played
        do throws(RuleViolation) { played = try moves.play(move, at: input) } catch {
            var refusal = ControlError(error)
            if error.code == .otherTurn, refusal.hint == nil, let me,
                input.board.standings?.turn.flatMap(input.book.player)?.computer == nil
            {
                refusal.hint = "you are \(me.name); to play for another player, add --player NAME"
            }
            throw refusal
        }
        try refuseComputers(in: played, at: input)
        return played
    }

    // MARK: Reset

    private func reset(_ request: SessionParameters) async throws(ControlError) -> ResetReply {
        let input = try ScoreInput(try sessions.session(request.subject))
        let reset: Reset
        do throws(RuleViolation) {
            reset = try input.game.reset(of: input.book)
        } catch { throw ControlError(error) }
        var reply = ResetReply(cells: reset.writes.count)
        reply.question = request.unanswered(
            Question(
                asking: input.question(of: reset),
                about: input.session.id,
                of: input.traces(of: reset)
            )
        )
        guard reply.question == nil else { return reply }
        try await writer.write(Mutation.scores(reset.writes), to: input.session)
        return reply
    }
}

extension ScoreInput {
    /// The question before a reset: also whether a finished game is removed from the results.
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

    /// The entries that a reset would clear, a line each, so that the token of another one differs.
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
@EventLoop
struct PlayReplies: DaemonPart {
    let daemon: Daemon

    /// The timeout for computers in milliseconds: most move within a second.
    static let patience = 2000

    /// Answers a move that is on disk with how the game stands, after those of computers that come
    /// in time.
    func reply(
        to move: Move,
        _ played: Played,
        _ cells: [WrittenCell],
        _ sideEffects: SideEffects,
        in session: Session
    ) async -> PlayReply {
        let before = session.board
        var reply = before.reply(to: move, played, cells, sideEffects, by: device.id)
        guard isComputerToMove(in: session) else { return reply }
        _ = await watchers.wait(
            in: session.id,
            until: { !isComputerToMove(in: session) },
            otherwise: { "no computer has moved" },
            milliseconds: Self.patience
        )
        let after = session.board
        reply.answers = after.computerMoves(since: before)
        reply.tell(after)
        if !reply.answers.isEmpty {
            reply.notes += (after.standings?.notes ?? []).map(\.description)
        }
        return reply
    }

    /// Whether a computer is to move that can, because it is on this laptop or on a linked one.
    private func isComputerToMove(in session: Session) -> Bool {
        guard let player = session.board.turn, let computer = player.computer else { return false }
        return computers.own(player.id, in: session) != nil
            || driver.engine.peers(session.id).contains { $0.device == computer.device }
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
    fileprivate func reply(
        to move: Move,
        _ played: Played,
        _ cells: [WrittenCell],
        _ sideEffects: SideEffects,
        by device: DeviceID
    ) -> PlayReply {
        let touched = Set(played.writes.map(\.cell.player))
        let kept = players.filter { touched.contains($0.id) && $0.wasKeptIn }.map {
            "\($0.name) was removed by somebody meanwhile and stays in"
        }
        let losses = losses(
            of: device,
            telling: played.writes.map(\.cell),
            besides: sideEffects,
            standings
        )
        var reply = PlayReply(
            player: played.player.flatMap(player)?.name,
            move: move.words.joined(separator: " "),
            cells: cells,
            totals: []
        ).with {
            $0.notes =
                played.notes.map(\.description) + kept + losses
                + sideEffects.notes
        }
        reply.tell(self)
        return reply
    }

    /// The moves of computers since an earlier board.
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
@EventLoop
struct Moves: DaemonPart {
    let daemon: Daemon

    /// The result of a move by the rules of the game.
    func played(_ move: Move, at input: ScoreInput) throws(ControlError) -> Played {
        do throws(RuleViolation) { return try play(move, at: input) } catch {
            throw ControlError(error)
        }
    }

    /// The result of a move; throws the rule that refuses it.
    func play(_ move: Move, at input: ScoreInput) throws(RuleViolation) -> Played {
        guard !input.board.header.isFinished else { throw .finished }
        var aids = options.aids
        return try input.game.play(move, in: input.book, with: &aids)
    }

    /// Writes what a move writes, in one commit.
    func write(_ played: Played, in session: Session) async throws(ControlError) {
        let mutations = Mutation.scores(played.writes, recording: played.options)
        try await writer.write(mutations, to: session)
    }
}
