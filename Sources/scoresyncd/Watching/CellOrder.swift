import ScoreSheets
import SessionCRDT

/// The order in which standings have the cells of a player: by the places of their rows, rows that
/// have none by their id, and in a row by round.
struct CellOrder {
    /// The rows that have places, in order.
    let rows: [Symbol]
    private let places: [Symbol: Int]

    /// The order of a sheet.
    init(_ sheet: Sheet) {
        rows = sheet.placedRows
        places = Dictionary(zip(rows, 0...)) { first, _ in first }
    }

    /// Where a cell is among those of its player, which are in this order; nil of one that is not.
    func place(
        of cell: Cell,
        in cells: some RandomAccessCollection<ScoredCell>
    ) -> Int? {
        var (low, high) = (0, cells.count)
        func scored(_ place: Int) -> Cell {
            cells[cells.index(cells.startIndex, offsetBy: place)].bookCell.cell
        }
        while low < high {
            let middle = (low + high) / 2
            if key(of: scored(middle)) < key(of: cell) { low = middle + 1 } else { high = middle }
        }
        return low < cells.count && scored(low) == cell ? low : nil
    }

    /// No round comes before round 0, which only a broken entry has.
    private func key(of cell: Cell) -> (Int, Symbol, Int64) {
        (places[cell.row] ?? .max, cell.row, cell.round.map(Int64.init) ?? -1)
    }
}
