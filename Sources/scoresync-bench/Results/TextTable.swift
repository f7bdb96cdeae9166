/// Rows of cells with every column as wide as its widest cell.
enum TextTable {
    enum Side {
        case left
        case right
    }

    /// The lines of the rows; no line ends in spaces.
    static func aligned(_ rows: [[String]], _ sides: [Side]) -> [String] {
        let widths = sides.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(zip(row, sides), widths).map { cell, width in
                let space = String(repeating: " ", count: width - cell.0.count)
                return cell.1 == .left ? cell.0 + space : space + cell.0
            }
            let line = cells.joined(separator: "  ")
            let blanks = line.reversed().prefix { $0 == " " }.count
            return String(line.dropLast(blanks))
        }
    }
}
