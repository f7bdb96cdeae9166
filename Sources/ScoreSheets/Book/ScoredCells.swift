package import SessionCRDT

/// The cells of a player with what they add, in the order in which they are shown: a view, which
/// shares what the book and the rules keep and copies none of it.
///
/// It is gone through from the first to the last; a single one is found by walking over pieces.
package struct ScoredCells: Sendable {
    private enum Content {
        case listed(Chunks<ScoredCell>)
        case rows(RowCells)
        case kept(OrderedPieces<TurnColumns.Scored>)
    }

    private let content: Content

    /// These cells.
    package init(_ cells: some Sequence<ScoredCell>) { content = .listed(Chunks(cells)) }

    /// These cells, which are shared.
    init(_ cells: Chunks<ScoredCell>) { content = .listed(cells) }

    /// The cells of a player in a game of turns.
    init(_ cells: OrderedPieces<TurnColumns.Scored>) { content = .kept(cells) }

    /// The cells of a column, by the rows of a sheet.
    init(_ rows: RowCells) { content = .rows(rows) }

    /// The cell of a row and a round in a game of rows, found without walking; in other games nil,
    /// as where nobody's value stands.
    package func cell(of row: Symbol, in round: UInt32?) -> ScoredCell? {
        switch content {
        case .rows(let cells): cells.cell(of: row, in: round)
        case .listed, .kept: nil
        }
    }
}

extension ScoredCells: RandomAccessCollection {
    /// Goes through the cells.
    package struct Iterator: IteratorProtocol {
        fileprivate enum Source {
            case listed(IndexingIterator<Chunks<ScoredCell>>)
            case rows(RowCells.Iterator)
            case kept(OrderedPieces<TurnColumns.Scored>.Iterator)
        }

        fileprivate var source: Source

        /// The next cell.
        package mutating func next() -> ScoredCell? {
            switch source {
            case .listed(var cells):
                let cell = cells.next()
                source = .listed(cells)
                return cell
            case .rows(var cells):
                let cell = cells.next()
                source = .rows(cells)
                return cell
            case .kept(var cells):
                let cell = cells.next()?.cell
                source = .kept(cells)
                return cell
            }
        }
    }

    /// An iterator over the cells.
    package func makeIterator() -> Iterator {
        switch content {
        case .listed(let cells): Iterator(source: .listed(cells.makeIterator()))
        case .rows(let cells): Iterator(source: .rows(cells.makeIterator()))
        case .kept(let cells): Iterator(source: .kept(cells.makeIterator()))
        }
    }

    /// The first place.
    package var startIndex: Int { 0 }

    /// The place after the last one.
    package var endIndex: Int {
        switch content {
        case .listed(let cells): cells.count
        case .rows(let cells): cells.count
        case .kept(let cells): cells.count
        }
    }

    /// The cell at a place.
    package subscript(place: Int) -> ScoredCell {
        switch content {
        case .listed(let cells): cells[place]
        case .rows(let cells): cells[place]
        case .kept(let cells):
            if let found = cells.weighty(place) {
                found.cell
            } else {
                preconditionFailure("there are \(cells.count) cells, and none at \(place)")
            }
        }
    }
}

extension ScoredCells: Hashable, ExpressibleByArrayLiteral {
    package static func == (left: ScoredCells, right: ScoredCells) -> Bool {
        left.count == right.count && left.elementsEqual(right)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for cell in self { hasher.combine(cell) }
    }

    package init(arrayLiteral cells: ScoredCell...) { self.init(cells) }
}
