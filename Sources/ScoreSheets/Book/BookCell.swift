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

    /// Whether nobody's value is live in it.
    package var isEmpty: Bool { live.saysNothing }
}
