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
/// - the game itself, `struct CricketGame: TurnGame` with `rules` and `kept`, and for it lines,
///   notes, panels, endings, `play` (by `openTurn`, which says whose turn it is and what it
///   records) and `reset`.
///
/// Everything else is here: gaps, strays, other's turns, the order of play and its changes, removed
/// players, flags, checks of scores and options, and the kept stands. A game in which people do not
/// move in a recorded order has terms and a stand of its own, `TurnTerms` and `TurnStand`.
protocol TurnGame: GameState {
    /// Where the game stands.
    associatedtype Stand: TurnStand

    /// The game of these parts.
    init(rules: Rules, kept: TurnsKept<Stand>)

    /// What is kept of the book.
    var kept: TurnsKept<Stand> { get set }

    /// How everybody stands.
    func lines(of book: Book) -> StandingLines

    /// What is told below the table; `isFinished` says whether the game is over or broken off.
    func notes(isFinished: Bool) -> [Note]

    /// What is shown.
    var panels: [Panel] { get }

    /// What the totals count.
    var totalLabel: String { get }

    /// Where what ended is known from.
    var endings: Standings.Endings { get }

    /// The match that what ended is part of; nil where it is not.
    var match: Outcome? { get }
}

/// What a game of turns keeps of a book.
struct TurnsKept<Stand: TurnStand>: Sendable {
    /// The turns that count.
    var record: TurnRecord<Stand>
    /// The cells of everybody.
    var columns = TurnColumns()
    /// How everybody stands.
    var lines = StandingLines(lines: [], isFinished: false, turn: nil)

    /// What is kept of a book from the first turn, without how everybody stands.
    init(_ terms: Stand.Terms, _ book: Book) {
        record = TurnRecord(terms, book)
        columns.read(book, by: record.verdict)
    }

    /// Takes in that cells say something else.
    ///
    /// - Returns: whether other turns count, or the game stands otherwise.
    mutating func update(
        to book: Book,
        _ cells: [Cell],
        _ differing: inout ScoreboardChange
    ) -> Bool {
        let before = record.stand
        let turned = record.update(to: book, cells)
        for cell in cells + turned {
            columns.judge(cell, in: book, &differing, by: record.verdict)
        }
        return !turned.isEmpty || record.stand != before
    }
}

extension TurnGame {
    /// The game of a book, from the first turn.
    init(_ rules: Rules, _ book: Book) {
        self.init(rules: rules, kept: TurnsKept(Stand.Terms(rules.sheet, book), book))
        kept.lines = lines(of: book)
    }

    /// The turns that count.
    var record: TurnRecord<Stand> { kept.record }

    /// What it is played by and with whom.
    var terms: Stand.Terms { record.terms }

    /// The turns that count, from turn 1.
    var turns: Chunks<Stand.Turn> { record.turns }

    /// Where it stands among those who are here.
    var stand: Stand { record.stand }

    /// What whoever sits there is called.
    func name(_ seat: Int) -> String { terms.name(seat) }

    /// None.
    var match: Outcome? { nil }

    mutating func update(to book: Book, _ change: BookChange) -> ScoreboardChange {
        guard terms.hold(in: book, after: change) else {
            self = Self(rules, book)
            return .whole
        }
        let linesBefore = kept.lines
        let notesBefore = notes(isFinished: linesBefore.isFinished)
        var differing = ScoreboardChange()
        if kept.update(to: book, change.cells, &differing) {
            differing.arePanelsDifferent = true
            if !kept.columns.isClean { differing.areFlagsDifferent = true }
        }
        kept.lines = lines(of: book)
        kept.lines.note(&differing, since: linesBefore)
        if notes(isFinished: kept.lines.isFinished) != notesBefore {
            differing.areNotesDifferent = true
        }
        return differing
    }

    func standings(of book: Book) -> Standings {
        Standings(
            players: kept.lines.players(kept.columns),
            isFinished: kept.lines.isFinished,
            isDecided: kept.lines.isDecided,
            turn: kept.lines.turn,
            flags: flags(of: book),
            notes: notes(isFinished: kept.lines.isFinished),
            totalLabel: totalLabel,
            panels: panels,
            endings: endings,
            match: match
        )
    }

    /// Everything that does not count, and why.
    private func flags(of book: Book) -> [Flag] {
        var flags = strays(of: book) + terms.flags(of: book)
        guard !kept.columns.isClean else { return flags }
        // Everything behind a gap has one reason, of which there may be thousands.
        let behind = record.reasonBehind
        for line in kept.lines.lines {
            flags += kept.columns.flagged(of: line.player.id).map { bookCell in
                let reason = record.reason(against: bookCell, of: line.player, behind: behind)
                return Flag(.cell(bookCell.cell), reason)
            }
        }
        return flags
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try checkTurn(score, in: book)
    }

    /// Refuses a score of somebody at whose turn it would not count.
    func checkTurn(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        let reading = Stand.Terms.reading(score.value, in: score.cell, by: rules.sheet)
        guard let move = try reading.get() else { return }
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
        after.kept.record = record
        return (after, result)
    }
}
