package import SessionCRDT

/// A wish to write a score: where, and what.
package struct Score: Hashable, Sendable {
    /// Where.
    package let cell: Cell
    /// What; `null` empties the cell.
    package let value: Value

    /// The wish to write this value in this cell.
    package init(_ cell: Cell, _ value: Value) {
        self.cell = cell
        self.value = value
    }
}
