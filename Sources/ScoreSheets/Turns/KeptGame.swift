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

/// How everybody stands in a kept game, without their cells: what is compared to tell what differs
/// after a change.
struct StandingLines {
    /// The line of one player.
    struct Line {
        let player: Player
        let total: Int64
        let rank: Int?
        var tieBreak: String?
    }

    /// Who stands how: those who are here in seat order, then the others.
    let lines: [Line]
    /// Whether the game is over, or the session finished.
    let isFinished: Bool
    /// Whether somebody has won where the game is over, and it was not broken off.
    var isDecided = true
    /// Who is to move.
    let turn: PlayerID?

    /// Whether those who lead have won.
    private var isWon: Bool { isFinished && isDecided }

    /// The players with their cells.
    func players(_ columns: TurnColumns) -> [PlayerStanding] {
        lines.map { line in
            PlayerStanding(
                player: line.player,
                total: line.total,
                rank: line.rank,
                tieBreak: line.tieBreak,
                cells: columns.cells(of: line.player.id)
            )
        }
    }

    /// Notes what differs from how they stood before; the players are the same.
    func note(_ change: inout ScoreboardChange, since before: StandingLines) {
        for (new, old) in zip(lines, before.lines) {
            let isOtherWin = isWon != before.isWon && (new.rank == 1 || old.rank == 1)
            if isOtherWin || new.total != old.total || new.rank != old.rank
                || new.tieBreak != old.tieBreak
            {
                change.lines.insert(new.player.id)
            }
        }
        if isFinished != before.isFinished { change.isEndDifferent = true }
        if turn != before.turn { change.isOtherTurn = true }
    }
}

extension StandingLines {
    /// What a player has, and what decides between players.
    struct Score {
        /// The total.
        let total: Int64
        /// What is compared, number by number, the greater is better; nil of who has no place.
        let merit: [Int64]?
    }

    /// What is told of players who are equal in one number of their merits.
    struct Tie {
        /// Which number it is.
        let place: Int
        /// What is told of a merit, `tied at 2, legs 1`, and whether others of these differ.
        let words: ([Int64], Bool) -> String

        /// What is told of each of these merits; nil of those that no other one equals.
        fileprivate func words(among merits: [[Int64]?]) -> [String?] {
            let all = merits.compactMap(\.self)
            let equals = Dictionary(grouping: all) { $0[place] }.mapValues(\.count)
            let sharers = Dictionary(grouping: all) { $0 }.mapValues(\.count)
            return merits.map { merit in
                guard let merit, let equals = equals[merit[place]], equals > 1 else { return nil }
                let sharers = sharers[merit] ?? 0
                return words(merit, sharers < equals) + (sharers > 1 ? ", shared" : "")
            }
        }
    }

    /// How these players stand, those who are here first, each by their place among them.
    ///
    /// Where places of the absent are not shown, they still have them, so that nobody wins because
    /// the winner has left.
    init(
        ranking players: [Player],
        isFinished: Bool,
        isDecided: Bool = true,
        turn: PlayerID?,
        showsAbsent: Bool,
        tie: Tie? = nil,
        by score: (Int) -> Score
    ) {
        let here = players.indices.filter { players[$0].isPresent }
        let order = here + players.indices.filter { !players[$0].isPresent }
        let scores = order.map(score)
        let merits = scores.map(\.merit)
        let ranks = CompetitionRanking.ranks(merits)
        let ties = tie?.words(among: merits)
        self.init(
            lines: order.indices.map { place in
                let player = players[order[place]]
                let isShown = player.isPresent || showsAbsent
                return Line(
                    player: player,
                    total: scores[place].total,
                    rank: isShown ? ranks[place] : nil,
                    tieBreak: isShown ? ties?[place] : nil
                )
            },
            isFinished: isFinished,
            isDecided: isDecided,
            turn: turn
        )
    }
}
