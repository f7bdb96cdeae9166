package import SessionCRDT

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
