package import SessionCRDT

/// A cell and what is live in it.
package struct BookCell: Hashable, Sendable {
    /// Which cell.
    package let cell: Cell
    /// What is live in it: the winner is what counts, the losers are shown where they differ.
    package let live: LiveSet

    /// A cell with its live set.
    package init(cell: Cell, live: LiveSet) {
        self.cell = cell
        self.live = live
    }

    /// The value that is shown.
    package var value: Value { live.winner.value }

    /// The order of the cells of one player: by row, then by round.
    ///
    /// Unlike that of `Cell` it also tells no round from round 0, which only a broken entry has:
    /// where an order has ties, two devices can sort differently.
    static func precedes(_ left: BookCell, _ right: BookCell) -> Bool {
        (left.cell.row, left.cell.round.map(Int64.init) ?? -1)
            < (right.cell.row, right.cell.round.map(Int64.init) ?? -1)
    }

    /// Whether nobody's value is live in it.
    package var isEmpty: Bool { live.entries.allSatisfy { $0.value == .null } }
}
