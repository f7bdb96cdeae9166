import SessionCRDT

/// A match of two sides.
struct SportGame: TurnGame {
    let rules: SportRules
    var record: TurnRecord<SportTurns>
    var kept: KeptStandings

    /// Where the match stands.
    var board: SportStand { stand.match }

    var totalLabel: String {
        let mode = terms.mode
        if mode.best > 1 { return terms.part.title }
        return mode.hasGames ? SportPartWord.game.title : "Points"
    }

    var endings: Standings.Endings { .told(outcomes) }

    /// How everybody stands; nobody leads before a part is won, or a point where there is one part.
    func lines(of book: Book) -> StandingLines {
        let isBegun = SportSide.allCases.contains { board.total(of: $0) > 0 }
        return StandingLines(
            ranking: terms.players,
            isFinished: book.isFinished || stand.isOver,
            isDecided: stand.isOver,
            turn: nil,
            showsAbsent: false
        ) { seat in
            let total = terms.side(of: seat).map { Int64(board.total(of: $0)) }
            let merit = isBegun ? total.map { [$0] } : nil
            return StandingLines.Score(total: total ?? 0, merit: merit)
        }
    }

    /// The match once it is over.
    private var outcomes: [Outcome] {
        guard let winner = board.winner else { return [] }
        let outcome = Outcome(
            number: 1,
            at: stand.latest,
            players: zip(SportSide.allCases, terms.sides).map { side, seat in
                PlayerOutcome(
                    player: terms.players[seat].id,
                    name: terms.players[seat].name,
                    isWinner: side == winner,
                    rank: side == winner ? 1 : 2,
                    total: Int64(board.total(of: side)),
                    tally: SportTally.counts(of: board, side)
                )
            }
        )
        return [outcome]
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        let read = try SportTerms.move(of: score.value, in: score.cell, by: rules.sheet)
        guard let count = read else { return }
        guard let place = record.place(of: score.cell), place.turn <= record.openTurn,
            place.turn < record.openTurn || !stand.isOver
        else { throw record.reasonBehind }
        // A point that counts for the other side becomes this one's: the later entry counts.
        _ = try record.stand(before: place.turn).result(of: count, by: place.seat, terms)
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        let isOpen = !terms.isRecorded || terms.match.recorded?.mode == nil
        try check(option: option, of: SportMode.options, isOpen: isOpen, in: book)
    }
}
