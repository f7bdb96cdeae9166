import SessionCRDT

/// A game of Reversi.
struct ReversiGame: TurnGame {
    let rules: ReversiRules
    var record: TurnRecord<ReversiStand>
    var kept: KeptStandings

    var totalLabel: String { "Discs" }

    /// Where nothing but the loser of a conflict is left nothing is wrong, whatever row it is in.
    func verdict(of bookCell: BookCell) -> TurnColumns.Verdict {
        bookCell.value == .null
            ? TurnColumns.Verdict(points: nil, isFlagged: false) : record.verdict(of: bookCell)
    }

    /// Refuses one that would only watch, because a move has settled who plays.
    func checkComputer(in book: Book) throws(RuleViolation) {
        guard !terms.isRecorded else {
            throw ReversiRule.sidesFixed(players: terms.whoPlays).violation
        }
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard option != ReversiTerms.sides else { throw ReversiRule.recorded.violation }
    }

    /// Refuses what does not count at its turn, judged by the moves before it, and all while too
    /// many could play.
    ///
    /// An earlier move can be corrected: those that follow are judged again when they are read.
    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        if score.value != .null, let crowd = terms.crowd { throw crowd }
        try checkTurn(score, in: book)
    }

    func suggestion(in book: Book, depth: Int) -> Move? {
        guard let player = kept.lines.turn, terms.crowd == nil else { return nil }
        var search = ReversiSearch(depth: depth)
        return search.move(in: stand.position).map { Move([$0.description], by: player) }
    }
}
