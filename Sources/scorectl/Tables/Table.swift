/// A table of aligned columns: a faint header line, then one line per row.
struct Table: Hashable, Sendable {
    /// A column: its heading and its side.
    struct Column: Hashable, Sendable {
        var title: String
        var alignment: Alignment

        init(_ title: String, _ alignment: Alignment = .left) {
            self.title = title
            self.alignment = alignment
        }
    }

    let columns: [Column]
    private(set) var rows: [[Line]] = []

    /// An empty table.
    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row; cells beyond the columns are dropped, missing ones are empty.
    mutating func add(_ cells: [Line]) {
        rows.append(columns.indices.map { $0 < cells.count ? cells[$0] : Line() })
    }

    /// Adds a row of plain texts.
    mutating func add(_ cells: [String]) { add(cells.map { Line($0) }) }

    /// The lines of the table; no line ends in spaces.
    var lines: [Line] {
        let heads = columns.map { Line($0.title, .faint) }
        return Self.aligned([heads] + rows, columns.map(\.alignment), gap: 2)
    }

    /// Rows of cells with every column as wide as its widest cell.
    static func aligned(_ rows: [[Line]], _ alignments: [Alignment], gap: Int) -> [Line] {
        var widths = [Int](repeating: 0, count: alignments.count)
        for row in rows {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.width) }
        }
        let space = Line(String(repeating: " ", count: gap))
        return rows.map { row in
            // What follows the last cell with content is left out.
            let count = (row.lastIndex { $0.width > 0 }).map { $0 + 1 } ?? 0
            var line = Line()
            for index in 0..<count {
                if index > 0 { line += space }
                let isLast = index == count - 1 && alignments[index] == .left
                line +=
                    isLast ? row[index] : row[index].padded(to: widths[index], alignments[index])
            }
            return line
        }
    }
}
