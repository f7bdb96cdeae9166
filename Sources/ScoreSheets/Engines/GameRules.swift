package import SessionCRDT

/// The rules of a game: what may be entered, and the standings of what was entered.
///
/// Only raw entries are stored; everything else is derived by these functions, which see nothing
/// but the book. Laws: they are total and never trap, whatever a merge or a hostile member put into
/// the book; the same book gives the same answer on every device, in whatever order it was filled;
/// what does not count is flagged and never silently left out.
///
/// A game with code of its own (an engine) has a folder and one naming scheme: `DartsRules` for the
/// rules and statistics, `DartsOptions` and `DartsSetup` for the settings and players, `DartsState`
/// for the state before a turn, and `DartsGame` for the game of a book and its display.
package protocol GameRules: Sendable {
    /// The rows that a coded game reads, which are all rows of its sheet; nil for any rows.
    static var codedRows: [CodedRow]? { get }

    /// Whether scores are moves that depend on earlier moves; other scores may be entered and
    /// corrected in any order.
    static var hasMoves: Bool { get }

    /// The meanings of teams that a sheet can choose, the default first.
    static var teamRules: [TeamRule] { get }

    init(sheet: Sheet)

    var sheet: Sheet { get }

    /// Whether computers can play, so that `suggestion` returns moves.
    var hasComputer: Bool { get }

    /// Returns the game of a book in which every player is a scorer.
    func game(ofScorers book: Book) -> any Game

    /// Returns statistics over a player's finished games, given in the order in which they
    /// finished.
    func statistics(of outcomes: [PlayerOutcome]) -> [Statistic]

    /// The word for one game: `game`, or `match`.
    var outcomeName: String { get }

    /// The word for a part with its own winner, such as `leg`; nil if there are no parts.
    var partName: String? { get }

    /// The label of the points of moves in a score history, for games whose totals count legs; nil
    /// if the history shows the totals.
    var historyLabel: String? { get }

    /// Throws if a player cannot start with these points.
    func check(start points: Points, in book: Book) throws(RuleViolation)

    /// Returns the maximum points of one move; nil if moves are more than points, so that no keypad
    /// can offer them.
    func maxPoints(in book: Book) -> Int?

    /// Whether every player may enter any player's move, such as a point of a match; otherwise only
    /// the player who moves may enter it.
    var acceptsMovesFromAnyone: Bool { get }

    /// Whether a game proceeds in rounds or moves for all players alike; the score history of other
    /// games is ordered by time.
    func isPlayedInRounds(_ book: Book) -> Bool

    /// Whether an option is chosen by players, so that it also applies to their next game; false
    /// for a fact recorded for one game, such as the deal or the word list in use.
    func isChoice(_ option: Symbol) -> Bool

    /// The options of the sheet that the game records itself.
    var recordedOptions: Set<Symbol> { get }

    /// Returns the option on which the choice of another one depends, as a word list depends on the
    /// language; nil if it depends on none.
    func scope(of option: Symbol) -> Symbol?

    /// Returns the name or path of the word list that a book chooses; nil for games without one.
    func wordList(of book: Book) -> String?
}

extension GameRules {
    package static var hasMoves: Bool { true }
    package static var teamRules: [TeamRule] { [.none] }
    package var hasComputer: Bool { false }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        Statistic.general(of: outcomes)
    }

    package var outcomeName: String { "game" }
    package var partName: String? { nil }
    package var historyLabel: String? { nil }
    package func maxPoints(in book: Book) -> Int? { nil }

    package func check(start points: Points, in book: Book) throws(RuleViolation) {
        throw RuleViolation("nobody starts with points in \(sheet.name)")
    }

    package var acceptsMovesFromAnyone: Bool { false }
    package func isPlayedInRounds(_ book: Book) -> Bool { true }
    package var recordedOptions: Set<Symbol> { [] }
    package func scope(of option: Symbol) -> Symbol? { nil }
    package func wordList(of book: Book) -> String? { nil }

    package func isChoice(_ option: Symbol) -> Bool {
        !recordedOptions.contains(option) && sheet.option(option) != nil
    }

    /// Computes the standings of a book, in time proportional to the number of its cells.
    package func standings(of book: Book) -> Standings { game(of: book).standings(of: book) }

    /// Throws for scores that no game allows: scores of unknown or removed players, scores after
    /// the end, and values that the row does not accept.
    package func checkForm(_ score: Score, in book: Book) throws(RuleViolation) {
        guard let player = book.player(score.cell.player) else {
            throw .unknownPlayer(score.cell.player)
        }
        guard player.isPresent else { throw .removedPlayer(name: player.name) }
        guard !book.isFinished else { throw .finished }
        if let violation = sheet.violation(of: score.value, in: score.cell, of: book) {
            throw violation
        }
    }
}

/// The game of a book, updated in place so that a change of the book costs only its effects.
///
/// It does not store the book, which its owner changes in place: each function must be called with
/// the book of the last update. Law: after any updates it gives the same answers as a new game of
/// the same book. After a change of players, seats, options or status it must be created again.
package protocol Game: Sendable {
    associatedtype Rules: GameRules

    var rules: Rules { get }

    /// Updates the game after these cells changed, each once and in order; `book` already contains
    /// the changes.
    ///
    /// - Returns: the differences in what is shown.
    mutating func update(to book: Book, changed cells: [Cell]) -> ScoreboardChange

    /// Returns the standings, in time proportional to the number of players and lines shown, not of
    /// cells.
    func standings(of book: Book) -> Standings

    /// The panels shown instead of rows. Computed on each access.
    var panels: [Panel] { get }
    /// Whether there are panels; false for sheets of rows.
    var hasPanels: Bool { get }

    /// The board among the panels; nil if there is none.
    var board: Panel.Board? { get }

    /// Throws if a score must not be written now.
    func check(_ score: Score, in book: Book) throws(RuleViolation)

    func check(_ scores: [Score], in book: Book) throws(RuleViolation)

    func check(option: Symbol, in book: Book) throws(RuleViolation)

    /// Throws if a computer player could not take part in the current game.
    func checkComputer(in book: Book) throws(RuleViolation)

    /// Returns what a move writes, after checking it against the current game.
    ///
    /// A move without a player belongs to the player to move.
    func play(
        _ move: Move,
        in book: Book,
        with context: inout MoveContext
    ) throws(RuleViolation) -> Played

    /// Returns the cells that a reset clears and the question to ask first; throws if there is
    /// nothing to clear.
    func reset(of book: Book) throws(RuleViolation) -> Reset

    /// Returns a computer's move for the player to move, the same for the same book and depth; nil
    /// if the game has no computer players or no player can move.
    ///
    /// It may take a second; callers run it on a queue of its own.
    func suggestion(in book: Book, depth: Int) -> Move?

    /// The number of the next turn, from 1; nil after the end and in games without turns.
    var nextTurn: Int? { get }

    /// Returns the number of the turn that a cell can hold; nil for any other cell.
    func turn(of cell: Cell) -> Int?

    /// Returns whether a value in a cell could only be the next turn, after all others: then it
    /// changes neither the points of other entries nor a result.
    func isNextTurn(_ cell: Cell) -> Bool

    /// Returns the round that a new player joins in; nil before the first entry and in games that are
    /// not played in rounds of a sheet.
    func openRound(in book: Book) -> UInt32?

    /// The book of the sides; nil if every player is a scorer.
    var sideBook: SideBook? { get }

    /// Returns what the entry of a cell means that its value does not tell, such as a bust.
    func remark(on cell: Cell) -> Note?

    /// Returns the names of the book's cells and values for display.
    func words(in book: Book) -> GameWords

    /// Returns the entries that a replay of this game starts with, such as the same deal.
    ///
    /// The players are the same, possibly in other seats. The player and the notes of the result
    /// are ignored.
    func carriedOver(from book: Book) -> Played
}

extension Game {
    package func check(_ scores: [Score], in book: Book) throws(RuleViolation) {
        for score in scores { try check(score, in: book) }
    }

    package func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
    }

    package func checkComputer(in book: Book) throws(RuleViolation) {
        guard rules.hasComputer else { throw .noComputers(game: rules.sheet.name) }
    }

    package func play(
        _ move: Move,
        in book: Book,
        with context: inout MoveContext
    ) throws(RuleViolation) -> Played {
        throw .noMoves(game: rules.sheet.name)
    }

    package func reset(of book: Book) throws(RuleViolation) -> Reset {
        guard !book.isFinished else { throw .finished }
        let written = book.players.flatMap { book.cells(of: $0.id) }.filter { !$0.isEmpty }
        guard !written.isEmpty else { throw .nothingEntered }
        let count = written.count == 1 ? "1 value" : "\(written.count) values"
        return Reset(
            question: "Clear everything that was entered (\(count))?",
            clearing: written.map(\.cell)
        )
    }

    package func suggestion(in book: Book, depth: Int) -> Move? { nil }
    package var panels: [Panel] { [] }
    package var hasPanels: Bool { false }
    package var board: Panel.Board? { nil }

    package var nextTurn: Int? { nil }
    package func turn(of cell: Cell) -> Int? { nil }
    package func isNextTurn(_ cell: Cell) -> Bool { false }

    package var sideBook: SideBook? { nil }
    package func openRound(in book: Book) -> UInt32? { nil }
    package func remark(on cell: Cell) -> Note? { nil }
    package func words(in book: Book) -> GameWords { GameWords() }
    package func carriedOver(from book: Book) -> Played { Played() }

    /// Returns a single flag for all entries of players who are not in the book.
    func strays(of book: Book) -> [Flag] {
        book.strayCount > 0 ? [Flag(.game, .strays(book.strayCount))] : []
    }
}
