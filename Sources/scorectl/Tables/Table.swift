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

/// The form of the page that is drawn on.
struct PageForm: Hashable, Sendable {
    /// The columns of the terminal, at least as many as any page needs.
    let columns: Int
    /// Whether it can show more than ASCII.
    let isUnicode: Bool

    /// A page of so many columns.
    init(columns: Int, isUnicode: Bool = true) {
        self.columns = max(20, columns)
        self.isUnicode = isUnicode
    }
}
