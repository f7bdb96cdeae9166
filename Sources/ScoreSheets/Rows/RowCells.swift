import SessionCRDT

/// The cells of one player by the rows of a sheet, then by round.
///
/// Rows that the sheet does not know follow; what says nothing is left out.
struct RowCells: Sendable {
    /// What is written.
    let column: BookColumn
    /// The rows of the sheet in their order.
    let order: [Symbol]
    /// What the cells of each of these rows come to; empty of somebody of whom nothing counts.
    let tallies: [RowTally]

    /// How many there are.
    var count: Int { column.written }

    /// The cell at a place.
    subscript(place: Int) -> ScoredCell {
        var rest = place
        for (row, marks) in parts {
            guard rest >= row.written else {
                guard let cell = row.cells.weighty(rest) else { break }
                return ScoredCell(cell, of: column.player, in: row.row, marks[cell.place])
            }
            rest -= row.written
        }
        preconditionFailure("there are \(count) cells, and none at \(place)")
    }

    /// The cell of a row and a round, found without walking; nil where nobody's value stands.
    func cell(of row: Symbol, in round: UInt32?) -> ScoredCell? {
        let cells = column.rows[row]?.cells
        guard let cell = cells?[RoundCell.place(of: round)], !cell.live.saysNothing else {
            return nil
        }
        let place = tallies.isEmpty ? nil : order.firstIndex(of: row)
        let mark = place.flatMap { tallies[$0].marks[cell.place] }
        return ScoredCell(cell, of: column.player, in: row, mark)
    }

    fileprivate typealias Part = (row: BookRow, marks: OrderedPieces<Mark>)

    /// The rows in which anybody has written, each with what its cells count as.
    private var parts: [Part] {
        let known = order.indices.compactMap { place -> Part? in
            column.rows[order[place]].map { row in
                (row, tallies.isEmpty ? OrderedPieces() : tallies[place].marks)
            }
        }
        guard known.count < column.rows.count else { return known }
        let rows = Set(order)
        let unknown = column.rows.filter { !rows.contains($0.row) }
        return known + unknown.map { ($0, OrderedPieces()) }
    }

    func makeIterator() -> Iterator { Iterator(column.player, parts) }

    /// Goes through the rows, and through the cells of each beside what they count as.
    struct Iterator: IteratorProtocol {
        private let player: PlayerID
        private let parts: [Part]
        private var place = -1
        private var cells = OrderedPieces<RoundCell>().makeIterator()
        private var marks = OrderedPieces<Mark>().makeIterator()
        private var mark: Mark?

        fileprivate init(_ player: PlayerID, _ parts: [Part]) {
            self.player = player
            self.parts = parts
        }

        mutating func next() -> ScoredCell? {
            while true {
                while let cell = cells.next() {
                    guard !cell.live.saysNothing else { continue }
                    while let found = mark, found.place < cell.place { mark = marks.next() }
                    let own = mark?.place == cell.place ? mark : nil
                    return ScoredCell(cell, of: player, in: parts[place].row.row, own)
                }
                guard place + 1 < parts.count else { return nil }
                place += 1
                cells = parts[place].row.cells.makeIterator()
                marks = parts[place].marks.makeIterator()
                mark = marks.next()
            }
        }
    }
}

extension ScoredCell {
    /// A cell of a player and a row, with what it counts as where it counts.
    fileprivate init(_ cell: RoundCell, of player: PlayerID, in row: Symbol, _ mark: Mark?) {
        let place = Cell(player: player, row: row, round: cell.round)
        let bookCell = BookCell(cell: place, live: cell.live)
        self.init(bookCell, points: mark?.points, count: mark?.count)
    }
}
