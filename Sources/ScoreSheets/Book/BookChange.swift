package import SessionCRDT

/// What differs between a book and the one before.
package struct BookChange: Hashable, Sendable {
    /// The cells that say something else now, by player, row and round, each once.
    package let cells: [Cell]

    /// A change of these cells.
    package init(cells: [Cell]) {
        self.cells = cells
    }
}
