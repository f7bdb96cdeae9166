package import SessionCRDT

extension Book {
    /// What is live in a cell; nil where nobody has written.
    package subscript(cell: Cell) -> LiveSet? {
        let column = cells(of: cell.player)
        let round = cell.round.map(Int64.init) ?? -1
        var low = 0
        var high = column.count
        while low < high {
            let middle = (low + high) / 2
            let other = column[middle].cell
            let isBefore =
                other.row == cell.row
                ? (other.round.map(Int64.init) ?? -1) < round : other.row < cell.row
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low < column.count && column[low].cell == cell ? column[low].live : nil
    }
}
