import SessionCRDT

/// A game of which the cells and the line of each player are kept, whatever they come from: turns,
/// or a column of each player's own.
///
/// An engine says what a change leads to (`take`), what a cell comes to and why it does not count,
/// how everybody stands, and what is told and shown. Everything else that a scoreboard asks is
/// here: what differs after a change, strays and flags, and the standings.
protocol KeptGame: GameState {
    /// The game of a book, of which no cells and lines are kept yet.
    init(reading book: Book, by rules: Rules)

    /// What is kept of everybody.
    var kept: KeptStandings { get set }

    /// Takes in that cells say something else, and notes that the panels differ where the game
    /// stands otherwise: then other reasons may hold too.
    ///
    /// - Returns: the cells of which something else may have come, with those that changed; nil
    ///   where the game is to be read anew.
    mutating func take(
        _ change: BookChange,
        of book: Book,
        _ differing: inout ScoreboardChange
    ) -> [Cell]?

    /// What a cell comes to that says something, or has a loser of a conflict in it.
    func verdict(of bookCell: BookCell) -> TurnColumns.Verdict

    /// Why a cell of somebody, with which something is wrong, does not count.
    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation

    /// What is wrong with who plays, how the game is set and what came of it.
    func flagsOfGame(in book: Book) -> [Flag]

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

/// What a game keeps of everybody.
struct KeptStandings: Sendable {
    /// The cells.
    var columns = TurnColumns()
    /// How they stand.
    var lines = StandingLines(lines: [], isFinished: false, turn: nil)
}

extension KeptGame {
    /// The game of a book, from its first entry.
    init(_ rules: Rules, _ book: Book) {
        self.init(reading: book, by: rules)
        var columns = TurnColumns(rows: rules.sheet.placedRows)
        columns.read(book, by: verdict)
        kept = KeptStandings(columns: columns, lines: lines(of: book))
    }

    /// No more than that they are totals.
    var totalLabel: String { "Total" }

    /// None.
    var match: Outcome? { nil }

    mutating func update(to book: Book, _ change: BookChange) -> ScoreboardChange {
        let before = kept.lines
        let notesBefore = notes(isFinished: before.isFinished)
        var differing = ScoreboardChange()
        guard let touched = take(change, of: book, &differing) else {
            self = Self(rules, book)
            return .whole
        }
        for cell in touched {
            guard book.player(cell.player) != nil else {
                differing.areFlagsDifferent = true
                continue
            }
            let judged = book[cell].flatMap { live in
                let bookCell = BookCell(cell: cell, live: live)
                return bookCell.isEmpty ? nil : (bookCell, verdict(of: bookCell))
            }
            kept.columns.keep(judged, in: cell, &differing)
        }
        if differing.arePanelsDifferent, !kept.columns.isClean {
            differing.areFlagsDifferent = true
        }
        kept.lines = lines(of: book)
        kept.lines.note(&differing, since: before)
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
        let flags = strays(of: book) + flagsOfGame(in: book)
        guard !kept.columns.isClean else { return flags }
        return kept.lines.lines.reduce(into: flags) { flags, line in
            flags += kept.columns.flagged(of: line.player.id).map { bookCell in
                Flag(.cell(bookCell.cell), reason(against: bookCell, of: line.player))
            }
        }
    }
}
