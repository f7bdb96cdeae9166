import SessionCRDT

extension ReversiGame {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        if let count = terms.missing ?? terms.crowd { throw count }
        if let absent = terms.absent { throw .removedPlayer(name: absent.name) }
        let squares = try squares(of: move)
        guard let first = stand.mover else { throw record.reasonBehind }
        if let player = move.player, player != terms.players[first].id {
            throw terms.seats[player] == nil
                ? noSeat(player, in: book) : terms.violation(at: record.openTurn, of: first)
        }
        var (after, writes) = (self, [Score]())
        for square in squares {
            writes.append(try after.put(square, amongOthers: squares.count > 1))
        }
        return Played(
            by: terms.players[first].id,
            writes: writes,
            options: terms.toRecord,
            notes: after.notes(from: turns.count)
        )
    }

    private func squares(of move: Move) throws(RuleViolation) -> [ReversiSquare] {
        try move.checkDetails(ReversiTerms.words)
        do throws(ReversiRule) {
            return try ReversiTranscript(move.words).squares
        } catch { throw error.violation }
    }

    private func noSeat(_ player: PlayerID, in book: Book) -> RuleViolation {
        let name = book.player(player)?.name ?? "player \(player)"
        return ReversiRule.noSeat(name, players: terms.whoPlays).violation
    }

    /// Puts the next disc, which perhaps is one of several moves; gives back what it writes.
    private mutating func put(
        _ square: ReversiSquare,
        amongOthers isOneOfSeveral: Bool
    ) throws(RuleViolation) -> Score {
        let number = turns.count + 1
        if let rule = stand.rule(against: square) {
            throw (isOneOfSeveral ? .inTranscript(number, rule) : rule).violation
        }
        let score = Score(terms.cell(stand.side.seat, number), .text(square.description))
        self = try playing(score.value, by: stand.side.seat).game
        return score
    }

    /// What is told about the moves from one on: who was passed over, and how it ended.
    private func notes(from start: Int) -> [Note] {
        let passes = (start..<turns.count).filter { turns[$0].result.isPassed }.map { index in
            let name = name(1 - turns[index].seat)
            return index + 1 == turns.count
                ? ReversiNote.passes(name, next: nil) : .passed(name, afterMove: index + 1)
        }
        return (passes + (stand.isOver ? [ending] : [])).map(Note.reversi)
    }
}
