package import SessionCRDT

/// What people call what is written in a book, where row, round and value say nothing to them.
///
/// It is made once for a book, because it may need to read all of it. Laws: it answers about every
/// cell and value, also those that are not in the book, and the same on every device.
package struct GameWords: Sendable {
    /// What people call a cell: `Points in turn 2`; nil where row and round are its name.
    package let cell: @Sendable (Cell) -> String?
    /// What a value says to people, with names in place of ids; nil where it is read as it is.
    package let value: @Sendable (Score) -> String?
    /// Whether a value is of the whole table, whoever's cell it stands in, as a deal is.
    package let isOfTable: @Sendable (Score) -> Bool

    /// The words of a game; without any, row, round and value are all that there is.
    package init(
        cell: @escaping @Sendable (Cell) -> String? = { _ in nil },
        value: @escaping @Sendable (Score) -> String? = { _ in nil },
        isOfTable: @escaping @Sendable (Score) -> Bool = { _ in false }
    ) {
        self.cell = cell
        self.value = value
        self.isOfTable = isOfTable
    }
}
