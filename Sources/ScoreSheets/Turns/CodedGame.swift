import SessionCRDT

/// A game with code of its own, played in turns or in a column for each player, whose standings are
/// updated change by change.
///
/// An engine provides the effect of a change (`apply`), the score of a cell or the reason why it
/// does not count, the line of each player, notes and panels. The extensions here provide the rest
/// of a scoreboard: the differences after a change, flags, and the standings.
protocol CodedGame: Game {
    /// Creates the game of a book, before its cells are scored.
    init(reading book: Book, by rules: Rules)

    /// The cells and lines of all players.
    var cached: CachedStandings { get set }

    /// Applies changed cells; marks the panels in `diff` as different if the game changed, because
    /// the reasons of flags may then differ, too.
    ///
    /// - Returns: the cells that may score differently, including the changed ones; nil if the game
    ///   must be created again from the book.
    mutating func apply(_ cells: [Cell], of book: Book, _ diff: inout ScoreboardChange) -> [Cell]?

    /// Returns the score of a cell that holds a value or the loser of a conflict.
    func score(of bookCell: BookCell) -> CellScore

    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation

    /// Returns the flags on players, options and results; the flags on cells are added elsewhere.
    func flagsOfGame(in book: Book) -> [Flag]

    func lines(of book: Book) -> StandingLines

    /// Returns the notes below the table; `isFinished` is true once the game is over or abandoned.
    func notes(isFinished: Bool) -> [Note]

    /// The words for turns, and the details that can be given with a move.
    static var words: TurnWords { get }
    static var details: [String] { get }

    /// Returns what a move writes in an open session; unknown details were rejected before.
    ///
    /// A game that needs random numbers or a word list implements `play` instead.
    func played(_ move: Move, in book: Book) throws(RuleViolation) -> Played

    var moveInput: MoveInput { get }

    /// The headlines of players whose total is not what matters most.
    var headlines: [PlayerID: Headline] { get }

    /// The darts of the last visit; empty in other games or if only the total is known.
    var lastDarts: [String] { get }
    var totalLabel: String { get }

    /// The games or parts that ended.
    var endings: Standings.Endings { get }

    /// The match that the endings are parts of; nil if they are whole games.
    var match: Outcome? { get }
}

/// The parts of the standings that a coded game stores between changes.
struct CachedStandings: Sendable {
    var columns = ScoreColumns()
    var lines = StandingLines()
    var notes: [Note] = []
}

extension CodedGame {
    /// Creates the game of a book by replaying all entries.
    init(_ rules: Rules, _ book: Book) {
        self.init(reading: book, by: rules)
        var columns = ScoreColumns(rows: rules.sheet.placedRows)
        columns.read(book, by: score)
        cached = CachedStandings(columns: columns, lines: lines(of: book))
        cached.notes = notes(isFinished: cached.lines.isFinished)
    }

    var totalLabel: String { "Total" }
    var match: Outcome? { nil }
    var hasPanels: Bool { true }
    var headlines: [PlayerID: Headline] { [:] }
    var lastDarts: [String] { [] }
    static var details: [String] { [] }

    func play(
        _ move: Move,
        in book: Book,
        with context: inout MoveContext
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        try move.checkDetails(Self.words, known: Self.details)
        return try played(move, in: book)
    }

    func played(_ move: Move, in book: Book) throws(RuleViolation) -> Played {
        throw .noMoves(game: rules.sheet.name)
    }

    mutating func update(to book: Book, changed cells: [Cell]) -> ScoreboardChange {
        var change = ScoreboardChange()
        guard let touched = apply(cells, of: book, &change) else {
            self = Self(rules, book)
            return .whole
        }
        for cell in touched {
            guard book.player(cell.player) != nil else {
                change.areFlagsDifferent = true
                continue
            }
            let scored = book[cell].flatMap { live in
                let bookCell = BookCell(cell: cell, live: live)
                return bookCell.isEmpty ? nil : (bookCell, score(of: bookCell))
            }
            cached.columns.set(scored, in: cell, &change)
        }
        if change.arePanelsDifferent, !cached.columns.isClean {
            change.areFlagsDifferent = true
        }
        let lines = lines(of: book)
        lines.recordDifferences(from: cached.lines, in: &change)
        cached.lines = lines
        let notes = notes(isFinished: lines.isFinished)
        if notes != cached.notes { change.areNotesDifferent = true }
        cached.notes = notes
        return change
    }

    func standings(of book: Book) -> Standings {
        Standings(
            players: cached.lines.players(cached.columns),
            isFinished: cached.lines.isFinished,
            isDecided: cached.lines.isDecided,
            turn: cached.lines.turn,
            turnNumber: cached.lines.isFinished ? nil : nextTurn,
            flags: flags(of: book),
            notes: cached.notes,
            totalLabel: totalLabel,
            moveInput: moveInput,
            headlines: headlines,
            darts: lastDarts,
            endings: endings,
            match: match
        )
    }

    private func flags(of book: Book) -> [Flag] {
        let flags = strays(of: book) + flagsOfGame(in: book)
        guard !cached.columns.isClean else { return flags }
        let reason = { @Sendable (cell: Cell) in self.reason(against: cell, in: book) }
        return cached.lines.lines.reduce(into: flags) { flags, line in
            flags += cached.columns.flagged(of: line.player.id).map { place in
                Flag(place.cell(of: line.player.id), reason: reason)
            }
        }
    }

    private func reason(against cell: Cell, in book: Book) -> RuleViolation {
        guard let live = book[cell], let player = book.player(cell.player) else {
            preconditionFailure("a flagged cell is one of the book")
        }
        return reason(against: BookCell(cell: cell, live: live), of: player)
    }
}

/// The standings of a coded game without the cells, stored to find the differences after a change.
struct StandingLines {
    struct Line {
        let player: Player
        let total: Int64
        let rank: Int?
        var tieBreak: String?
    }

    /// A player's total, and the numbers that are compared one by one to rank players, greater
    /// first; nil for a player without a rank.
    typealias Score = (total: Int64, merit: [Int64]?)

    /// The tie-break text for players whose merits have the same number at one index.
    struct Tie {
        let index: Int
        /// Returns the words for a merit, `tied at 2, legs 1`; the flag is true if some of the tied
        /// players have another merit.
        let words: ([Int64], Bool) -> String

        /// Returns the words for each merit; nil for a merit that no other one equals.
        fileprivate func words(among merits: [[Int64]?]) -> [String?] {
            let all = merits.compactMap(\.self)
            let equals = Dictionary(grouping: all) { $0[index] }.mapValues(\.count)
            let sharers = Dictionary(grouping: all) { $0 }.mapValues(\.count)
            return merits.map { merit in
                guard let merit, let equals = equals[merit[index]], equals > 1 else { return nil }
                let sharers = sharers[merit] ?? 0
                return words(merit, sharers < equals) + (sharers > 1 ? ", shared" : "")
            }
        }
    }

    /// The present players in seat order, then the others.
    let lines: [Line]
    /// Whether the game is over, or the session finished.
    let isFinished: Bool
    /// Whether the game, once over, has a winner; false if it was abandoned.
    let isDecided: Bool
    let turn: PlayerID?

    /// Creates the lines of a game without entries.
    init() { (lines, isFinished, isDecided, turn) = ([], false, true, nil) }

    /// Ranks the players of a book by the score of their seat.
    ///
    /// Only seats in `ranked` have a rank, or all if it is nil; absent players are ranked even if
    /// that is not shown, so that no player wins only because the leader left. `canBeBrokenOff` is
    /// false if the leaders win when the session is finished early.
    init(
        _ book: Book,
        isOver: Bool,
        mover: PlayerID?,
        canBeBrokenOff: Bool = true,
        showsAbsent: Bool = false,
        ranked: Set<Int>? = nil,
        tie: Tie? = nil,
        by score: (Int) -> Score
    ) {
        let players = book.players
        let order =
            players.indices.filter { players[$0].isPresent }
            + players.indices.filter { !players[$0].isPresent }
        let scores = order.map(score)
        let merits = zip(order, scores).map { seat, score in
            ranked?.contains(seat) == false ? nil : score.merit
        }
        let ranks = CompetitionRanking.ranks(merits)
        let ties = tie?.words(among: merits)
        lines = order.indices.map { index in
            let player = players[order[index]]
            let isShown = player.isPresent || showsAbsent
            return Line(
                player: player,
                total: scores[index].total,
                rank: isShown ? ranks[index] : nil,
                tieBreak: isShown ? ties?[index] : nil
            )
        }
        isFinished = book.isFinished || isOver
        isDecided = isOver || !canBeBrokenOff
        turn = isFinished ? nil : mover
    }

    private var isWon: Bool { isFinished && isDecided }

    func players(_ columns: ScoreColumns) -> [PlayerStanding] {
        lines.map { line in
            PlayerStanding(
                player: line.player,
                total: Points(line.total),
                rank: line.rank,
                tieBreak: line.tieBreak,
                cells: columns.cells(of: line.player.id),
                computed: []
            )
        }
    }

    func recordDifferences(from before: StandingLines, in change: inout ScoreboardChange) {
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

extension Outcome {
    /// Ranks the players of a game or part that ended; `isWon` is false if it is still in progress.
    ///
    /// `shares` has the parts of each tally by member, in the order of the players.
    init(
        _ number: Int = 1,
        at stamp: Stamp?,
        isWon: Bool = true,
        countsAlone: Bool = true,
        of players: [(player: Player, score: StandingLines.Score, tally: [Symbol: Int64])],
        shares: [[Int: [Symbol: Int64]]] = []
    ) {
        let ranks = CompetitionRanking.ranks(players.map(\.score.merit))
        self.init(
            number: number,
            at: stamp,
            players: zip(players, ranks).enumerated().map { index, line in
                let (entry, rank) = line
                var outcome = PlayerOutcome(
                    player: entry.player.id,
                    name: entry.player.name,
                    isWinner: isWon && rank == 1,
                    rank: rank,
                    total: Points(entry.score.total),
                    tally: entry.tally,
                    hasOpponents: countsAlone || players.count > 1
                )
                if shares.indices.contains(index) { outcome.shares = shares[index] }
                return outcome
            }
        )
    }
}
