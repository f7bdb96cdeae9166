package import SessionCRDT

/// What the rules of a game keep of a book, so that a change costs what it changes.
///
/// It keeps no book, which changes in place beside it: each function is given the book that the
/// state was started or updated with last. Law: after any updates it says the same as `start` of
/// the same book. A change of players, seats, options or status starts it anew.
package protocol GameState: Sendable {
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
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played

    /// What a reset takes back, and the question to ask before; refused where there is nothing.
    func reset(of book: Book) throws(RuleViolation) -> Reset

    /// The move that a computer makes for the player to move; see `GameRules.suggestion`.
    func suggestion(in book: Book, depth: Int) -> Move?

    /// What people call what is written in the book.
    func words(in book: Book) -> GameWords

    /// What a replay begins with, of what was written in the game before.
    func carriedOver(from book: Book) -> Played
}

extension GameState {
    /// The cells that do not count.
    func uncounted(in book: Book) -> [Cell] {
        standings(of: book).flags.compactMap { flag in
            if case .cell(let cell) = flag.subject { cell } else { nil }
        }
    }
}

/// A state that leaves to the rules what it knows no shorter way for.
protocol RuledGame: GameState {
    /// The rules.
    var rules: any GameRules { get }
}

extension RuledGame {
    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        try rules.check(option: option, in: book)
    }

    func checkComputer(in book: Book) throws(RuleViolation) { try rules.checkComputer(in: book) }

    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        try rules.play(move, in: book, with: &aids)
    }

    func reset(of book: Book) throws(RuleViolation) -> Reset { try rules.reset(of: book) }

    func suggestion(in book: Book, depth: Int) -> Move? {
        rules.suggestion(in: book, depth: depth)
    }

    func words(in book: Book) -> GameWords { rules.words(in: book) }

    func carriedOver(from book: Book) -> Played { rules.carriedOver(from: book) }
}

/// A game of which nothing is kept: it is replayed whenever somebody asks.
///
/// For games that are short by their rules, as the sixty turns of Reversi.
struct ReplayedGame: RuledGame {
    let rules: any GameRules

    /// The game of these rules.
    init(_ rules: any GameRules) { self.rules = rules }

    mutating func update(to book: Book, _ change: BookChange) -> ScoreboardChange { .whole }

    func standings(of book: Book) -> Standings { rules.standings(of: book) }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.check(score, in: book)
    }
}
