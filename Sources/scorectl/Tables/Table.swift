import TerminalText

/// A table of aligned columns: a faint header line, then one line per row.
struct Table: Hashable, Sendable {
    /// A column with a heading; a string literal makes one that is aligned to the left.
    struct Column: Hashable, Sendable, ExpressibleByStringLiteral {
        let title: String
        var alignment = Alignment.left

        init(stringLiteral title: String) { self.title = title }

        static func right(_ title: String) -> Column {
            var column = Column(stringLiteral: title)
            column.alignment = .right
            return column
        }
    }

    let columns: [Column]
    private(set) var rows: [[Line]] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row; surplus cells are dropped, missing ones are empty.
    mutating func add(_ cells: [Line]) {
        rows.append(columns.indices.map { $0 < cells.count ? cells[$0] : Line() })
    }

    mutating func add(_ cells: [String]) { add(cells.map { Line($0) }) }

    /// The lines, without trailing spaces.
    var lines: [Line] {
        let heads = columns.map { Line($0.title, .faint) }
        return Self.aligned([heads] + rows, columns.map(\.alignment), gap: 2)
    }

    static func aligned(_ rows: [[Line]], _ alignments: [Alignment], gap: Int) -> [Line] {
        var widths = [Int](repeating: 0, count: alignments.count)
        for row in rows {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.width) }
        }
        let space = Line(String(repeating: " ", count: gap))
        return rows.map { row in
            // Empty cells at the end are left out.
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

extension Array {
    /// Splits the elements into groups that fit side by side, and renders a table of each.
    func inBlocks(columns: Int, _ table: ([Element]) -> [Line]) -> [[Line]] {
        var blocks: [[Line]] = []
        var rest = self[...]
        while !rest.isEmpty {
            var lines = table(Array(rest.prefix(1)))
            var (fits, fails) = (1, rest.count + 1)
            while fails - fits > 1 {
                // Doubles the block until it is too wide, then halves the range of its size.
                let isGrowing = fails > rest.count
                let count = isGrowing ? Swift.min(2 * fits, rest.count) : (fits + fails) / 2
                let wider = table(Array(rest.prefix(count)))
                if wider.contains(where: { $0.width > columns }) {
                    fails = count
                } else {
                    (fits, lines) = (count, wider)
                }
            }
            blocks.append(lines)
            rest = rest.dropFirst(fits)
        }
        return blocks
    }

    /// Sorts the elements by rank; tied elements keep their order, and those without a rank come
    /// last.
    func sorted(byRank rank: (Element) -> Int?) -> [Element] {
        enumerated().map { (rank: rank($0.element) ?? .max, index: $0.offset) }
            .sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }
            .map { self[$0.index] }
    }
}

/// Rows of short cells, each followed by a wrapped text, next to them or, if there is too little
/// room, below them.
enum WrappedList {
    /// The cells of a row, and its texts, each of which begins a line.
    typealias Row = (cells: [Line], texts: [String])

    private static let minWidth = 28

    static func lines(_ rows: [(cells: [Line], text: String)], columns: Int) -> [Line] {
        blocks(rows.map { ($0.cells, [$0.text]) }, columns: columns).flatMap(\.self)
    }

    static func blocks(_ rows: [Row], columns: Int) -> [[Line]] {
        let count = rows.map(\.cells.count).max() ?? 0
        let padded = rows.map { row in
            row.cells + [Line](repeating: Line(), count: count - row.cells.count)
        }
        let alignments = [Alignment](repeating: .left, count: count)
        let heads = Table.aligned(padded, alignments, gap: 2)
        let widest = heads.map(\.width).max() ?? 0
        let fits = columns - widest - 2 >= minWidth
        let indent = fits ? widest + 2 : 4
        return zip(heads, rows).map { head, row -> [Line] in
            let texts = row.texts.flatMap { TextWidth.wrapped($0, to: max(10, columns - indent)) }
            var lines = texts.map { Line(String(repeating: " ", count: indent)) + Line($0) }
            if fits, let first = texts.first {
                lines[0] = head.padded(to: indent, .left) + Line(first)
                return lines
            }
            return [head] + lines
        }
    }
}

struct PageFormat: Hashable, Sendable {
    /// The width in columns, at least 20, which every page needs.
    let columns: Int
    /// Whether the output can show more than ASCII.
    let isUnicode: Bool

    init(columns: Int, isUnicode: Bool = true) {
        self.columns = max(20, columns)
        self.isUnicode = isUnicode
    }
}
