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

    /// The lines: side by side where that fits, perhaps with shorter names, else a paragraph for
    /// each row.
    var lines: [Line] {
        var lines = TextWidth.wrapped(table.title, to: page.columns - 2)
            .map { Line("  " + $0, .strong) }
        if hidden > 0 { lines.append(Line("  … \(hidden) more above", .faint)) }
        return lines + (fitting ?? paragraphs)
    }

    /// To how many columns names are cut at most so that a table fits.
    private static let shortestName = 8

    private var shown: ArraySlice<ShownTableRow> { table.rows.dropFirst(hidden) }

    /// The rows side by side; nil where they do not fit.
    private var fitting: [Line]? {
        let whole = aligned(labels: .max, headings: .max)
        let excess = (whole.map(\.width).max() ?? 0) - page.columns
        guard excess > 0 else { return whole }
        let widest = shown.map { TextWidth.of($0.label) }.max() ?? 0
        let labels = max(TablePanel.shortestName, widest - excess)
        for headings in [Int.max, TablePanel.shortestName] {
            let lines = aligned(labels: labels, headings: headings)
            if lines.allSatisfy({ $0.width <= page.columns }) { return lines }
        }
        return nil
    }

    /// The rows side by side, with labels and headings of at most so many columns.
    private func aligned(labels: Int, headings: Int) -> [Line] {
        let count = max(table.columns.count, table.rows.map(\.cells.count).max() ?? 0)
        var rows: [[Line]] = []
        if !table.columns.isEmpty {
            let titles = table.columns.map { TextWidth.truncated($0, to: headings) }
            rows.append([Line()] + titles.map { Line($0, .faint) })
        }
        for row in shown {
            let label = TextWidth.truncated(row.label, to: labels)
            rows.append([Line(label)] + row.cells.map { Line($0) })
        }
        let sides = (0..<count).map { isNumeric($0) ? Alignment.right : .left }
        return Table.aligned(rows, [.left] + sides, gap: 2).map { Line("  ") + $0 }
    }

    /// Whether a column holds numbers, perhaps with a word here and there, as `bust` among visits.
    private func isNumeric(_ column: Int) -> Bool {
        let cells = table.rows.compactMap { column < $0.cells.count ? $0.cells[column] : nil }
        let words = cells.flatMap { $0.split(separator: " ") }
        let named = words.count { $0.contains(where: \.isLetter) }
        let numbers = words.count { word in
            word.contains(where: \.isNumber) && !word.contains(where: \.isLetter)
        }
        return numbers > named
    }

    /// A paragraph for each row: what is there, each with its heading.
    private var paragraphs: [Line] {
        shown.flatMap { row in
            let items = row.cells.enumerated().compactMap { place, cell -> String? in
                guard !cell.allSatisfy(\.isWhitespace) else { return nil }
                return place < table.columns.count ? "\(table.columns[place]): \(cell)" : cell
            }
            return (row.label.isEmpty ? [] : [Line("  " + row.label, .strong)])
                + packed(items, to: page.columns - 4).map { Line("    " + $0) }
        }
    }

    /// The items with commas between them, broken within one only where it is wider than a line.
    private func packed(_ items: [String], to columns: Int) -> [String] {
        var lines: [String] = []
        for item in items {
            let words = TextWidth.wrapped(item, to: columns - 1)
            guard let last = lines.last else {
                lines = words
                continue
            }
            let joined = last + ", " + words.joined(separator: " ")
            if TextWidth.of(joined) < columns {
                lines[lines.count - 1] = joined
            } else {
                lines[lines.count - 1] += ","
                lines += words
            }
        }
        return lines
    }
}
