import SessionCRDT

/// A game of turns that goes on from the last turn before a change: what all of them share.
///
/// To build an engine on it, write
/// - a `TurnMode`: the row, how a value is read as a move, the options that the first turn records,
///   and what the game calls its turns;
/// - a `MatchStand`, whose terms are `MatchTerms` of that mode: who is to move (a `TurnRotation`
///   in it), what a move comes to or why it does not fit, and what the stand becomes after it. Set
///   `isMoverFixed` to false where the cell of any player may hold a turn: then of what fits the
///   latest entry counts;
/// - the game itself, `struct CricketGame: TurnGame` with `rules`, `record` and `kept`, and for it
///   lines, notes, panels, endings, `play` (by `openTurn`, which says whose turn it is and what it
///   records) and `reset`.
///
/// Everything else is here: gaps, strays, other's turns, the order of play and its changes, removed
/// players, flags, checks of scores and options, and the kept stands. A game in which people do not
/// move in a recorded order has terms and a stand of its own, `TurnTerms` and `TurnStand`; what
/// stands beside its turns, as points of other rows, its terms take in (`take`), and its stand with
/// the turn (`begin`). One without turns is a `KeptGame`.
protocol TurnGame: KeptGame {
    /// Where the game stands.
    associatedtype Stand: TurnStand

    /// The game of these parts.
    init(rules: Rules, record: TurnRecord<Stand>, kept: KeptStandings)

    /// The turns that count.
    var record: TurnRecord<Stand> { get set }
}

extension TurnGame {
    init(reading book: Book, by rules: Rules) {
        let terms = Stand.Terms(rules.sheet, book)
        self.init(rules: rules, record: TurnRecord(terms, book), kept: KeptStandings())
    }

    /// What it is played by and with whom.
    var terms: Stand.Terms { record.terms }

    /// The turns that count, from turn 1.
    var turns: Chunks<Stand.Turn> { record.turns }

    /// Where it stands among those who are here.
    var stand: Stand { record.stand }

    /// What whoever sits there is called.
    func name(_ seat: Int) -> String { terms.name(seat) }

    mutating func take(
        _ change: BookChange,
        of book: Book,
        _ differing: inout ScoreboardChange
    ) -> [Cell]? {
        guard terms.hold(in: book, after: change) else { return nil }
        let before = stand
        let turned = record.update(to: book, change.cells)
        differing.arePanelsDifferent = !turned.isEmpty || stand != before
        return change.cells + turned
    }

    func verdict(of bookCell: BookCell) -> TurnColumns.Verdict { record.verdict(of: bookCell) }

    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        record.reason(against: bookCell, of: player)
    }

    func flagsOfGame(in book: Book) -> [Flag] { terms.flags(of: book) }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try checkTurn(score, in: book)
    }

    /// Refuses a score of somebody at whose turn it would not count.
    func checkTurn(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        let read = try Stand.Terms.move(of: score.value, in: score.cell, by: rules.sheet)
        guard let move = read else { return }
        let player = book.player(score.cell.player)
        if let reason = record.reason(against: move, in: score.cell, of: player) { throw reason }
    }

    /// The game after a move of somebody at the open turn, and what it came to.
    func playing(
        _ move: Stand.Terms.Move,
        by seat: Int
    ) throws(RuleViolation) -> (game: Self, result: Stand.Result) {
        var after = self
        let (record, result) = try record.playing(move, by: seat)
        after.record = record
        return (after, result)
    }
}
