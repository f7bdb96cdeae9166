import SessionCRDT

extension BowlingGame {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        let seat = try seat(for: move)
        let stand = stands[seat]
        try move.checkDetails(BowlingRules.words)
        let frame: BowlingFrame
        do throws(BowlingRule) {
            frame = try BowlingFrame(typed: move.words, number: stand.frames.count + 1)
        } catch { throw error.violation }
        var after = self
        after.take(frame, by: seat)
        let number = stand.frames.count + 1
        return Played(
            by: players[seat].id,
            writes: [Score(BowlingGame.cell(players[seat].id, number), .text(frame.spelling))],
            notes: [after.note(on: frame, by: seat)] + after.notes(isFinished: false)
        )
    }

    /// What nobody can enter once everybody has bowled all frames.
    var over: RuleViolation { .game(.turns(.over(winners: []), BowlingRules.words)) }

    /// Whose frame a move is.
    private func seat(for move: Move) throws(RuleViolation) -> Int {
        guard !isOver else { throw over }
        guard let bowler else { throw .game(.turns(.nobody, BowlingRules.words)) }
        guard let wanted = move.player, wanted != players[bowler].id else { return bowler }
        guard let place = players.firstIndex(where: { $0.id == wanted }) else {
            throw .unknownPlayer(wanted)
        }
        guard players[place].isPresent else { throw .removedPlayer(name: players[place].name) }
        guard !stands[place].isOver else {
            throw BowlingRule.done(player: players[place].name).violation
        }
        throw BowlingRule.otherTurn(
            bowler: players[bowler].name,
            frame: stands[bowler].frames.count + 1,
            instead: players[place].name,
            at: stands[place].frames.count + 1
        )
        .violation
    }

    /// What a player is told who has just entered this frame, which the game has.
    private func note(on frame: BowlingFrame, by seat: Int) -> Note {
        let running = stands[seat].runningScores
        let known = running.lastIndex { $0 != nil }.flatMap { place in
            running[place].map { BowlingNote.Known(score: $0, frame: place + 1) }
        }
        return .bowling(
            .bowled(
                player: players[seat].name,
                frame: frame.spelling,
                number: running.count,
                known: known
            )
        )
    }
}
