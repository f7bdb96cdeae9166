/// One place on the score sheet: a player, a row, and for rows that repeat, a round.
package struct Cell: Hashable, Comparable, Sendable {
    /// Whose score.
    package let player: PlayerID
    /// Which row of the sheet.
    package let row: Symbol
    /// Which round, from 1; nil where the row has no rounds.
    package let round: UInt32?

    /// The last round there can be.
    package static let lastRound: UInt32 = 1_000_000

    /// The cell of a player, a row and a round within 1…`lastRound`.
    package init(player: PlayerID, row: Symbol, round: UInt32? = nil) {
        self.player = player
        self.row = row
        self.round = round
    }

    package static func < (left: Cell, right: Cell) -> Bool {
        (left.player, left.row, left.round ?? 0) < (right.player, right.row, right.round ?? 0)
    }
}
