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

    /// Refuses a computer player that could take no part in what is played now.
    func checkComputer(in book: Book) throws(RuleViolation)

    /// Refuses a score that must not be written now.
    func check(_ score: Score, in book: Book) throws(RuleViolation)

    /// Refuses an option that must not be changed now.
    func check(option: Symbol, in book: Book) throws(RuleViolation)

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

    /// What is kept of the book, to go on from when it changes.
    func start(_ book: Book) -> any GameState

    /// What the book comes to.
    func standings(of book: Book) -> Standings

    /// What somebody's finished games come to, in the order in which they were finished.
    func statistics(of outcomes: [PlayerOutcome]) -> [Statistic]

    /// What one outcome is called: `game`, or `leg`; with an s for several.
    var outcomeWord: String { get }

    /// Whether an option is a choice of the people, which holds for their next game too, and not a
    /// fact that was recorded for one game, as what was dealt or which word list was opened.
    func isChoice(_ option: Symbol) -> Bool

    /// What people call what is written in a book.
    func words(in book: Book) -> GameWords

    /// What a replay begins with, of what was written in the game before: the same deal, say.
    ///
    /// The players are the same, perhaps in other seats. Its player and notes are of no matter.
    func carriedOver(from book: Book) -> Played
}

extension GameRules {
    /// No: a game says so itself.
    package var hasComputer: Bool { false }

    /// Refuses where the game has none.
    package func checkComputer(in book: Book) throws(RuleViolation) {
        guard hasComputer else { throw .game("\(sheet.name) has no computer players") }
    }

    /// Nothing is kept: a game says so itself where it can be long.
    package func start(_ book: Book) -> any GameState { ReplayedGame(self) }

    /// Anything can be changed until the session is finished.
    package func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
    }

    /// Refuses: a game says so where it is played move by move.
    package func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        throw .noMoves(game: sheet.name)
    }

    /// Everything that anybody wrote.
    package func reset(of book: Book) throws(RuleViolation) -> Reset {
        guard !book.isFinished else { throw .finished }
        let written = book.players.flatMap { book.cells(of: $0.id) }.filter { !$0.isEmpty }
        guard !written.isEmpty else { throw .game("nothing was entered yet") }
        return Reset(
            question: "Clear everything that was entered (\(written.count) values)?",
            writes: written.map { Score($0.cell, .null) }
        )
    }

    /// None.
    package func suggestion(in book: Book, depth: Int) -> Move? { nil }

    /// What can be counted in any game.
    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        Statistic.general(of: outcomes)
    }

    /// A game.
    package var outcomeWord: String { "game" }

    /// Every option of the sheet.
    package func isChoice(_ option: Symbol) -> Bool { sheet.option(option) != nil }

    /// None: rounds are counted and values written as people do it.
    package func words(in book: Book) -> GameWords { GameWords() }

    /// Nothing.
    package func carriedOver(from book: Book) -> Played { Played(by: nil, writes: []) }

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
