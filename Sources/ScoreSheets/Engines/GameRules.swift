package import SessionCRDT

/// The rules of a game: what may be written, and what all that was written comes to.
///
/// Only raw entries are stored; everything else is derived by these functions, which see nothing
/// but the book. Laws: they are total, whatever a merge or a hostile member put into the book, and
/// never trap; the same book gives the same answer on every device, in whatever order it was
/// filled; what does not count is flagged and never silently left out.
package protocol GameRules: Sendable {
    /// The sheet that these are the rules of.
    var sheet: Sheet { get }

    /// Whether computers can play: whether `suggestion` knows moves.
    var hasComputer: Bool { get }

    /// What is kept of the book, to go on from when it changes; what is asked of a book is asked of
    /// it.
    func start(_ book: Book) -> any GameState

    /// What somebody's finished games come to, in the order in which they were finished.
    func statistics(of outcomes: [PlayerOutcome]) -> [Statistic]

    /// What one game is called: `game`, or `match`.
    var outcomeWord: String { get }

    /// What a part of it with a winner of its own is called, as a leg is; nil where it has none.
    var partWord: String? { get }

    /// What the points of moves are called where they tell the course of a game, because its totals
    /// count legs; nil where the totals do.
    var courseLabel: String? { get }

    /// Whether everybody who plays may tell whose a move was, as who has won a point of a match;
    /// else a move is told by who makes it.
    var isToldByEverybody: Bool { get }

    /// Whether an option is a choice of the people, which holds for their next game too, and not a
    /// fact that was recorded for one game, as what was dealt or which word list was opened.
    func isChoice(_ option: Symbol) -> Bool

    /// The options of the sheet that are no choice, for the game records them itself.
    var recordedOptions: Set<Symbol> { get }

    /// The option that says for what another is chosen, as a language for what word list; nil of
    /// one that is chosen for the game as a whole.
    func ground(of option: Symbol) -> Symbol?
}

extension GameRules {
    /// No: a game says so itself.
    package var hasComputer: Bool { false }

    /// What can be counted in any game.
    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        Statistic.general(of: outcomes)
    }

    /// A game.
    package var outcomeWord: String { "game" }

    /// None.
    package var partWord: String? { nil }

    /// The totals.
    package var courseLabel: String? { nil }

    /// By who makes it.
    package var isToldByEverybody: Bool { false }

    /// Every option of the sheet but those that are recorded.
    package func isChoice(_ option: Symbol) -> Bool {
        !recordedOptions.contains(option) && sheet.option(option) != nil
    }

    /// None.
    package var recordedOptions: Set<Symbol> { [] }

    /// None.
    package func ground(of option: Symbol) -> Symbol? { nil }

    /// Refuses what no game allows: scores of strangers, of removed players, after the end, and
    /// values that the row does not take.
    package func checkForm(_ score: Score, in book: Book) throws(RuleViolation) {
        guard let player = book.player(score.cell.player) else {
            throw .unknownPlayer(score.cell.player)
        }
        guard player.isPresent else { throw .removedPlayer(name: player.name) }
        guard !book.isFinished else { throw .finished }
        if let violation = sheet.violation(of: score.value, in: score.cell) { throw violation }
    }
}

/// What is asked of a book of which no state is kept: at the cost of all its cells.
extension GameRules {
    /// What the book comes to.
    package func standings(of book: Book) -> Standings { start(book).standings(of: book) }

    /// Refuses a score that must not be written now.
    package func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try start(book).check(score, in: book)
    }

    /// Refuses an option that must not be changed now.
    package func check(option: Symbol, in book: Book) throws(RuleViolation) {
        try start(book).check(option: option, in: book)
    }

    /// Refuses a computer player that could take no part in what is played now.
    package func checkComputer(in book: Book) throws(RuleViolation) {
        try start(book).checkComputer(in: book)
    }

    /// What a move writes, checked by the rules of the moment.
    package func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        try start(book).play(move, in: book, with: &aids)
    }

    /// What a reset takes back, and the question to ask before; refused where there is nothing.
    package func reset(of book: Book) throws(RuleViolation) -> Reset {
        try start(book).reset(of: book)
    }

    /// The move that a computer makes for the player to move; see `GameState.suggestion`.
    package func suggestion(in book: Book, depth: Int) -> Move? {
        start(book).suggestion(in: book, depth: depth)
    }

    /// What people call what is written in a book.
    package func words(in book: Book) -> GameWords { start(book).words(in: book) }

    /// What a replay begins with, of what was written in the game before.
    package func carriedOver(from book: Book) -> Played { start(book).carriedOver(from: book) }
}

/// What the rules of a game keep of a book, so that a change costs what it changes.
///
/// It keeps no book, which changes in place beside it: each function is given the book that the
/// state was started or updated with last. Law: after any updates it says the same as `start` of
/// the same book. A change of players, seats, options or status starts it anew.
package protocol GameState: Sendable {
    /// The rules of the game.
    associatedtype Rules: GameRules

    /// The rules that it is played by.
    var rules: Rules { get }

    /// Takes in that cells say something else; `book` has them already.
    ///
    /// - Returns: what differs now in what is shown.
    mutating func update(to book: Book, _ change: BookChange) -> ScoreboardChange

    /// What the book comes to: at the cost of the players and of what is shown, not of the cells.
    func standings(of book: Book) -> Standings

    /// Refuses a score that must not be written now.
    func check(_ score: Score, in book: Book) throws(RuleViolation)

    /// Refuses an option that must not be changed now.
    func check(option: Symbol, in book: Book) throws(RuleViolation)

    /// Refuses a computer player that could take no part in what is played now.
    func checkComputer(in book: Book) throws(RuleViolation)

    /// What a move writes, as `play` takes it, checked by the rules of the moment.
    ///
    /// Without a player it is a move of whoever is to move.
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played

    /// What a reset takes back, and the question to ask before; refused where there is nothing.
    func reset(of book: Book) throws(RuleViolation) -> Reset

    /// The move that a computer makes for the player to move, the same for the same book and depth;
    /// nil where the game has no computer players or nobody is to move.
    ///
    /// It may take a second, and is called on a queue of its own.
    func suggestion(in book: Book, depth: Int) -> Move?

    /// What people call what is written in the book.
    func words(in book: Book) -> GameWords

    /// What a replay begins with, of what was written in the game before: the same deal, say.
    ///
    /// The players are the same, perhaps in other seats. Its player and notes are of no matter.
    func carriedOver(from book: Book) -> Played
}

extension GameState {
    /// Anything can be changed until the session is finished.
    package func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
    }

    /// Refuses where the game has none.
    package func checkComputer(in book: Book) throws(RuleViolation) {
        guard rules.hasComputer else { throw .noComputers(game: rules.sheet.name) }
    }

    /// Refuses: a game says so where it is played move by move.
    package func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        throw .noMoves(game: rules.sheet.name)
    }

    /// Everything that anybody wrote.
    package func reset(of book: Book) throws(RuleViolation) -> Reset {
        guard !book.isFinished else { throw .finished }
        let written = book.players.flatMap { book.cells(of: $0.id) }.filter { !$0.isEmpty }
        guard !written.isEmpty else { throw .nothingEntered }
        return Reset(
            question: "Clear everything that was entered (\(written.count) values)?",
            clearing: written.map(\.cell)
        )
    }

    /// None.
    package func suggestion(in book: Book, depth: Int) -> Move? { nil }

    /// None: rounds are counted and values written as people do it.
    package func words(in book: Book) -> GameWords { GameWords() }

    /// Nothing.
    package func carriedOver(from book: Book) -> Played { Played(by: nil, writes: []) }

    /// What is written of those who are not players of the book: one flag, however much that is.
    func strays(of book: Book) -> [Flag] {
        book.strayCount > 0 ? [Flag(.game, .strays(book.strayCount))] : []
    }
}
