import ControlSocket
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The calls of games that are played move by move.
extension Daemon {
    func routePlay(_ router: inout ControlRouter) {
        onLater(PlayRequest.self, &router) { daemon, request, answer throws(ControlError) in
            try daemon.withWordLists(then: answer) { () throws(ControlError) in
                try daemon.play(request, then: answer)
            }
        }
        onLater(ResetRequest.self, &router) { daemon, request, answer throws(ControlError) in
            try daemon.reset(request, then: answer)
        }
    }

    /// What this device lends to the rules while a move is entered on it.
    private var aids: Aids {
        Aids(chance: generator) { [words, memory] (name) throws(RuleViolation) in
            // The others choose by which list of their own they play, but not what is read here.
            guard !WordSource.isPath(name) || memory.hasChosen(list: name) else {
                throw .game(
                    "this session uses the word list \(name), chosen on another laptop; to "
                        + "enter letters here, have a copy of it at that path and say: "
                        + "scorectl session option list=\(name)"
                )
            }
            return try words.lexicon(name)
        }
    }

    /// Does what may need a word list; where one has to be read first, then once it is.
    func withWordLists<Reply>(
        then answer: @escaping @Sendable (Result<Reply, ControlError>) -> Void,
        _ body: @escaping @Sendable () throws(ControlError) -> Void
    ) throws(ControlError) {
        words.wanted = nil
        do throws(ControlError) { try body() } catch {
            guard let file = words.wanted else { throw error }
            words.read(file, on: queue) { @Sendable [self] list in
                words.keep(list, of: file)
                do throws(ControlError) { try body() } catch { answer(.failure(error)) }
            }
        }
    }

    // MARK: Moves

    private func play(
        _ request: PlayRequest,
        then answer: @escaping @Sendable (Result<PlayReply, ControlError>) -> Void
    ) throws(ControlError) {
        guard !request.words.isEmpty else {
            throw ControlError(.usage, "say the move, as in: scorectl play d3")
        }
        let desk = try WritingDesk(self, session: try session(request.session))
        let present = desk.document.players.filter(\.isPresent)
        guard let text = request.player else {
            let me = present.first { $0.id == held[desk.session]?.me }
            let move = Move(request.words, by: me?.id, details: request.details)
            return write(try unnamed(move, by: me, at: desk), of: move, at: desk, then: answer)
        }
        let player = try player(text, among: present)
        try refuseComputer(player, in: desk.session)
        let move = Move(request.words, by: player.id, details: request.details)
        try play(move, at: desk, then: answer)
    }

    /// Refuses to let somebody move for a computer, whichever laptop it is on.
    ///
    /// One that is said to be of this device, which knows nothing of it, is moved by hand, so that
    /// what others write cannot stop a game.
    private func refuseComputer(_ player: Player, in session: SessionID) throws(ControlError) {
        guard let computer = player.computer else { return }
        guard computer.device != device.id else {
            guard ownComputer(player.id, in: session) != nil else { return }
            throw ControlError(
                .refused,
                "\(player.name) is a computer; this laptop moves for it by itself"
            )
        }
        let name = name(of: computer.device, in: session)
        throw ControlError(.refused, "\(player.name) is a computer; only \(name) moves for it")
    }

    /// Plays a move of a player, of a person or of a computer.
    func play(
        _ move: Move,
        at desk: WritingDesk,
        then answer: @escaping @Sendable (Result<PlayReply, ControlError>) -> Void
    ) throws(ControlError) {
        write(try played(move, at: desk), of: move, at: desk, then: answer)
    }

    /// What a move writes, as the rules of the moment say.
    private func played(_ move: Move, at desk: WritingDesk) throws(ControlError) -> Played {
        guard !desk.document.isFinished else { throw ControlError(RuleViolation.finished) }
        do throws(RuleViolation) {
            var aids = aids
            return try desk.sheet.rules.play(move, in: desk.book, with: &aids)
        } catch { throw ControlError(error) }
    }

    /// What a move writes for which nobody was named: that of this device's player, where somebody
    /// has said who that is, so that nobody moves for another laptop's player by mistake; else of
    /// whoever is to move, but not of a computer.
    private func unnamed(
        _ move: Move,
        by me: Player?,
        at desk: WritingDesk
    ) throws(ControlError) -> Played {
        do throws(ControlError) {
            let played = try played(move, at: desk)
            guard let player = played.player.flatMap(desk.book.player),
                let computer = player.computer
            else { return played }
            let name = name(of: computer.device, in: desk.session)
            throw ControlError(.refused, "\(player.name) is to move, a computer on \(name)")
        } catch {
            let turn = desk.sheet.rules.standings(of: desk.book).turn
            guard let me, let turn, turn != me.id, error.kind == .refused,
                desk.book.player(turn)?.computer == nil
            else { throw error }
            // A move that is refused to everybody needs no other name, and says what it is.
            _ = try played(Move(move.words, by: turn, details: move.details), at: desk)
            let hint = "you are \(me.name); for somebody else, add --player NAME"
            throw ControlError(.refused, "\(error.message) (\(hint))", candidates: error.candidates)
        }
    }

    /// Writes what a move writes, in one commit, and answers with how the game stands after it.
    private func write(
        _ played: Played,
        of move: Move,
        at desk: WritingDesk,
        then answer: @escaping @Sendable (Result<PlayReply, ControlError>) -> Void
    ) {
        let cells = played.writes.map { desk.written($0, of: nil) }
        write(Mutation.scores(played.writes, recording: played.options), to: desk.session) {
            [self] result in
            answer(result.map { self.reply(move, played, cells, in: desk.session) })
        }
    }

    private func reply(
        _ move: Move,
        _ played: Played,
        _ cells: [WrittenCell],
        in session: SessionID
    ) -> PlayReply {
        let (document, book) = (self.document(session), derived(session).book)
        let standings = (try? sheet(of: document)).map { self.standings(session, by: $0) }
        func name(_ player: PlayerID) -> String? { book.player(player)?.name }
        let touched = Set(played.writes.map(\.cell.player))
        let kept = document.players.filter { touched.contains($0.id) && $0.wasKeptIn }.map {
            "\($0.name) was removed by somebody meanwhile and stays in"
        }
        let totals = (standings?.players ?? []).filter(\.player.isPresent).map {
            PlayerTotal(player: $0.player.name, total: $0.total, rank: $0.rank)
        }
        return PlayReply(
            player: played.player.flatMap(name),
            move: move.words.joined(separator: " "),
            cells: cells,
            notes: played.notes + kept
                + lossNotes(
                    of: session,
                    telling: played.writes.map(\.cell)
                ),
            turn: standings?.turn.flatMap(name),
            finished: standings?.isFinished ?? false,
            winners: standings?.winners.compactMap(name) ?? [],
            totalLabel: standings?.totalLabel ?? "",
            totals: totals
        )
    }

    // MARK: Reset

    private func reset(
        _ request: ResetRequest,
        then answer: @escaping @Sendable (Result<ResetReply, ControlError>) -> Void
    ) throws(ControlError) {
        let desk = try WritingDesk(self, session: try session(request.session))
        let reset: Reset
        do throws(RuleViolation) {
            reset = try desk.sheet.rules.reset(of: desk.book)
        } catch { throw ControlError(error) }
        var reply = ResetReply(
            question: desk.question(of: reset),
            token: desk.token(of: reset),
            cells: reset.writes.count,
            done: false
        )
        guard let token = request.token else { return answer(.success(reply)) }
        guard token == reply.token else {
            throw ControlError(
                .refused,
                "what would be reset has changed since you were asked; look at it and reset again"
            )
        }
        reply.done = true
        write(Mutation.scores(reset.writes), to: desk.session) { [reply] result in
            answer(result.map { reply })
        }
    }
}

extension WritingDesk {
    /// What to ask before a reset: also whether what has ended goes out of the results with it.
    fileprivate func question(of reset: Reset) -> String {
        let now = sheet.rules.standings(of: book)
        guard now.isFinished else { return reset.question }
        let cleared = Set(reset.writes.filter { $0.value == .null }.map(\.cell))
        let after = Book(
            players: book.players,
            cells: document.cells.filter { !cleared.contains($0.key) },
            options: book.options,
            isFinished: book.isFinished
        )
        let left = sheet.rules.standings(of: after).outcomes.count
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

    /// What stands for a reset: another one, or one that would take back other values, has another
    /// token.
    fileprivate func token(of reset: Reset) -> String {
        let lines = reset.writes.map { score in
            let live = document.cells[score.cell]?.entries ?? []
            let dots = live.map { "\($0.dot.actor):\($0.dot.sequence)" }.joined(separator: " ")
            return "\(Key.cell(score.cell)) \(Scalar(score.value)) \(dots)"
        }
        let text = ([reset.question] + lines).joined(separator: "\n")
        return String(SipHash.hash(Array(text.utf8)), radix: 16)
    }
}

extension Mutation {
    /// Scores of one player or several and options that are recorded with them, in one commit.
    ///
    /// A score that is entered while somebody else removes the player keeps the player in; clearing
    /// says nothing about that.
    static func scores(_ scores: [Score], recording options: [Symbol: Value] = [:]) -> [Mutation] {
        let scored = Set(scores.filter { $0.value != .null }.map(\.cell.player)).sorted()
        let recorded = options.sorted { $0.key < $1.key }.compactMap { name, value in
            Field.option(name).map { Mutation(.session($0), value) }
        }
        return scores.map { Mutation(.cell($0.cell), $0.value) } + recorded
            + scored.map { .membership(of: $0, isPresent: true) }
    }
}
