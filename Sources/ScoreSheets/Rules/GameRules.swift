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

    /// Refuses a score that must not be written now.
    func check(_ score: Score, in book: Book) throws(RuleViolation)

    /// The scores that a move writes, as `play` takes it; not yet checked.
    ///
    /// Without a player it is a move of whoever is to move.
    func move(
        _ text: String,
        by player: PlayerID?,
        in book: Book
    ) throws(RuleViolation) -> [Score]

    /// What the book comes to.
    func standings(of book: Book) -> Standings
}

extension GameRules {
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
