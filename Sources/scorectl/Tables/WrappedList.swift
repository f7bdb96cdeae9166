/// Rows of short cells, each with a text that is wrapped beside them; where too little room is left
/// there, below them.
enum WrappedList {
    /// The cells of a row, and its texts, each of which begins a line.
    typealias Row = (cells: [Line], texts: [String])

    /// The narrowest column that is pleasant to read.
    private static let least = 28

    /// The lines of the rows, in so many columns.
    static func lines(_ rows: [(cells: [Line], text: String)], columns: Int) -> [Line] {
        blocks(rows.map { ($0.cells, [$0.text]) }, columns: columns).flatMap(\.self)
    }

    /// The lines of each row, in so many columns.
    static func blocks(_ rows: [Row], columns: Int) -> [[Line]] {
        let count = rows.map(\.cells.count).max() ?? 0
        let padded = rows.map { row in
            row.cells + [Line](repeating: Line(), count: count - row.cells.count)
        }
        let alignments = [Alignment](repeating: .left, count: count)
        let heads = Table.aligned(padded, alignments, gap: 2)
        let widest = heads.map(\.width).max() ?? 0
        let isBeside = columns - widest - 2 >= least
        let indent = isBeside ? widest + 2 : 4
        return zip(heads, rows).map { head, row -> [Line] in
            let texts = row.texts.flatMap { TextWidth.wrapped($0, to: max(10, columns - indent)) }
            var lines = texts.map { Line(String(repeating: " ", count: indent)) + Line($0) }
            if isBeside, let first = texts.first {
                lines[0] = head.padded(to: indent, .left) + Line(first)
                return lines
            }
            return [head] + lines
        }
    }
}
