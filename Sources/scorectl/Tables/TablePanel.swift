import SyncProtocol

/// A table of a game: labels, cells, numbers to the right.
struct TablePanel {
    private let table: ShownTable
    private let page: PageForm
    /// How many rows at the top are left out.
    private let hidden: Int

    /// A table with its latest rows; nil shows all.
    init(_ table: ShownTable, _ page: PageForm, rows: Int?) {
        self.table = table
        self.page = page
        hidden = rows.map { max(0, table.rows.count - $0) } ?? 0
    }

    /// The lines: side by side where that fits, else a paragraph for each row.
    var lines: [Line] {
        var lines = table.title.isEmpty ? [] : [Line("  " + table.title, .strong)]
        if hidden > 0 { lines.append(Line("  … \(hidden) more above", .faint)) }
        let aligned = aligned
        return lines + (aligned.allSatisfy { $0.width <= page.columns } ? aligned : paragraphs)
    }

    private var shown: ArraySlice<ShownTableRow> { table.rows.dropFirst(hidden) }

    private var aligned: [Line] {
        let count = max(table.columns.count, table.rows.map(\.cells.count).max() ?? 0)
        var rows: [[Line]] = []
        if !table.columns.isEmpty {
            rows.append([Line()] + table.columns.map { Line($0, .faint) })
        }
        for row in shown { rows.append([Line(row.label)] + row.cells.map { Line($0) }) }
        let sides = (0..<count).map { isNumeric($0) ? Alignment.right : .left }
        return Table.aligned(rows, [.left] + sides, gap: 2).map { Line("  ") + $0 }
    }

    /// Whether a column holds numbers, beside signs and gaps.
    private func isNumeric(_ column: Int) -> Bool {
        let cells = table.rows.compactMap { column < $0.cells.count ? $0.cells[column] : nil }
        let isNumber = cells.contains { $0.contains(where: \.isNumber) }
        return isNumber && cells.allSatisfy { $0.allSatisfy { !$0.isLetter } }
    }

    private var paragraphs: [Line] {
        shown.flatMap { row in
            let cells = row.cells.enumerated().map { place, cell in
                place < table.columns.count ? "\(table.columns[place]): \(cell)" : cell
            }
            return [Line("  " + row.label, .strong)]
                + TextWidth.wrapped(cells.joined(separator: ", "), to: page.columns - 4)
                .map { Line("    " + $0) }
        }
    }
}
