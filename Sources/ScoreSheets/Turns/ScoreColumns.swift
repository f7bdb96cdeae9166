import SessionCRDT

struct CellScore {
    /// The points that it adds; nil if it does not count.
    let points: Int64?
    /// The number to count; nil to use the cell's own value.
    var count: Int64?
    let isFlagged: Bool

    fileprivate func scored(_ bookCell: BookCell) -> ScoredCell {
        ScoredCell(bookCell, points: points.map { Points($0) }, count: count.map { Points($0) })
    }
}

extension CellScore {
    /// Creates the score of a cell that does not count; flagged unless the cell is in the sheet and
    /// holds only the loser of a conflict.
    init(uncounted bookCell: BookCell, by sheet: @autoclosure () -> Sheet) {
        let isWrong =
            bookCell.value != .null || sheet().violation(of: .null, in: bookCell.cell) != nil
        self.init(points: nil, isFlagged: isWrong)
    }
}

/// The scored cells of all players, and the flagged ones among them.
///
/// Both are updated cell by cell, so that a change costs only its own cells. The reasons of flags
/// are not stored, because after a gap they may change with every turn.
struct ScoreColumns: Sendable {
    struct Scored: SortedElement, Sendable {
        let place: SheetPlace
        let cell: ScoredCell

        /// A constant weight, so that the sum of weights is the number of elements.
        var weight: Int64 { 1 }
    }

    private struct Column: Sendable {
        var scored = SortedChunks<Scored>()
        var flagged = SortedChunks<SheetPlace>()
    }

    private var columns: [PlayerID: Column] = [:]
    private let places: [Symbol: Int]

    /// Creates empty columns that order cells by these rows; other rows follow.
    init(rows: [Symbol] = []) { places = Dictionary(zip(rows, 0...)) { first, _ in first } }

    func cells(of player: PlayerID) -> ScoredCells {
        ScoredCells(columns[player]?.scored ?? SortedChunks(), rows: places)
    }

    func flagged(of player: PlayerID) -> SortedChunks<SheetPlace> {
        columns[player]?.flagged ?? SortedChunks()
    }

    var isClean: Bool { columns.values.allSatisfy(\.flagged.isEmpty) }

    /// Reads all cells of the players of a book into empty columns.
    mutating func read(_ book: Book, by score: (BookCell) -> CellScore) {
        for id in book.players.map(\.id) {
            let column = book.column(of: id)
            var scored: [Scored] = []
            scored.reserveCapacity(column.valueCount)
            var flagged: [SheetPlace] = []
            for row in column.rows {
                let line = places[row.row]
                for bookCell in row.cells(of: id) where !bookCell.isEmpty {
                    let score = score(bookCell)
                    let place = SheetPlace(bookCell.cell, at: line)
                    let item = Scored(place: place, cell: score.scored(bookCell))
                    scored.append(item)
                    if score.isFlagged { flagged.append(place) }
                }
            }
            guard !scored.isEmpty else { continue }
            columns[id] = Column(scored: SortedChunks(scored), flagged: SortedChunks(flagged))
        }
    }

    /// Sets the value and score of a player's cell, nil if it is empty, and records the
    /// differences.
    mutating func set(
        _ new: (bookCell: BookCell, score: CellScore)?,
        in cell: Cell,
        _ change: inout ScoreboardChange
    ) {
        let place = SheetPlace(cell, at: places[cell.row])
        let item = new.map { Scored(place: place, cell: $0.score.scored($0.bookCell)) }
        let flagged = new?.score.isFlagged == true ? place : nil
        // A local copy of the column would make each change copy a chunk.
        if columns[cell.player]?.scored[place]?.cell != item?.cell {
            columns[cell.player, default: Column()].scored[place] = item
            change.cells.insert(cell)
            // Another value can have another reason.
            if flagged != nil { change.areFlagsDifferent = true }
        }
        if columns[cell.player]?.flagged[place] != flagged {
            columns[cell.player, default: Column()].flagged[place] = flagged
            change.areFlagsDifferent = true
        }
    }
}
