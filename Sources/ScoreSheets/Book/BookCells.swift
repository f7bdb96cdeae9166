import SessionCRDT

/// The cells of one player, by row and round, cleared ones too: a view that copies none of them.
///
/// It is gone through from the first to the last; `row` gives those of one row.
package struct BookCells: Sequence, Sendable {
    private let player: PlayerID
    private let rows: OrderedPieces<BookRow>

    /// The cells of a column.
    init(_ column: BookColumn) {
        player = column.player
        rows = column.rows
    }

    /// Goes through the rows, and through the rounds of each.
    package struct Iterator: IteratorProtocol {
        private let player: PlayerID
        private var rows: OrderedPieces<BookRow>.Iterator
        private var row: Symbol?
        private var cells: OrderedPieces<RoundCell>.Iterator?

        fileprivate init(_ player: PlayerID, _ rows: OrderedPieces<BookRow>.Iterator) {
            self.player = player
            self.rows = rows
        }

        /// The next cell.
        package mutating func next() -> BookCell? {
            while true {
                if let row, let found = cells?.next() {
                    let cell = Cell(player: player, row: row, round: found.round)
                    return BookCell(cell: cell, live: found.live)
                }
                guard let next = rows.next() else { return nil }
                row = next.row
                cells = next.cells.makeIterator()
            }
        }
    }

    /// An iterator over the cells.
    package func makeIterator() -> Iterator { Iterator(player, rows.makeIterator()) }
}
