import SyncProtocol
import TerminalText

struct PanelView {
    let panel: ShownPanel
    let page: PageFormat
    /// The maximum number of rows of a table, the latest ones; nil for all.
    var rows: Int?

    /// The lines, wrapped between words to the width of the terminal.
    var lines: [Line] {
        switch panel {
        case .board(let board): BoardPanel(board).lines
        case .table(let table): TablePanel(table, page, rows: rows).lines
        case .text(let text): lines(of: text)
        }
    }

    private func lines(of text: ShownText) -> [Line] {
        let title = TextWidth.wrapped(text.title, to: page.columns - 2)
            .map { Line("  " + $0, .strong) }
        let indent = text.title.isEmpty ? "  " : "    "
        let width = page.columns - indent.utf8.count
        return title
            + text.lines.flatMap { line in
                line.isEmpty
                    ? [Line()] : TextWidth.wrapped(line, to: width).map { Line(indent + $0) }
            }
    }
}

/// A board with its coordinates on all sides.
///
/// The last move is in brackets, legal moves are dots. The pieces differ in shape, so that colours
/// are not needed to tell them apart.
struct BoardPanel {
    private let board: ShownBoard
    private let squares: [[Character]]
    private let size: Int

    init(_ board: ShownBoard) {
        self.board = board
        squares = board.squares.map { Array($0) }
        size = squares.map(\.count).max() ?? 0
    }

    var lines: [Line] {
        let letters = Line(pad("") + "   " + (0..<size).map(Self.letter).joined(separator: " "))
        let edge = String(repeating: "─", count: size * 2 + 1)
        let rows = squares.indices.map(row)
        return [letters, Line(pad("") + " ┌" + edge + "┐", .faint)] + rows
            + [Line(pad("") + " └" + edge + "┘", .faint), letters]
    }

    /// Returns the character of a piece: full for the first player, empty for the second.
    static func glyph(_ mark: Character, _ pieces: [ShownPiece]) -> String {
        let circles = ["●", "○"]
        let index = pieces.firstIndex { $0.mark == String(mark) }
        guard let index, index < circles.count else { return String(mark) }
        return circles[index]
    }

    private func row(_ index: Int) -> Line {
        let wall = Line("│", .faint)
        var line = Line(pad("\(index + 1)") + " ") + wall
        for column in 0..<size {
            let isAfterLast = column > 0 && isLast(column - 1, index)
            let space = isLast(column, index) ? "[" : isAfterLast ? "]" : " "
            line += Line(space, .felt) + square(column, index)
        }
        line += Line(size > 0 && isLast(size - 1, index) ? "]" : " ", .felt) + wall
        return line + Line(" \(index + 1)")
    }

    private func square(_ column: Int, _ row: Int) -> Line {
        let mark = column < squares[row].count ? squares[row][column] : "."
        guard mark == "." else {
            let index = board.pieces.firstIndex { $0.mark == String(mark) }
            let style: Style = index == 0 ? .firstPiece : index == 1 ? .secondPiece : .felt
            return Line(Self.glyph(mark, board.pieces), style)
        }
        let isLegal = board.legal.contains(Self.name(column, row))
        return Line(isLegal ? "·" : " ", .felt)
    }

    private func isLast(_ column: Int, _ row: Int) -> Bool { board.last == Self.name(column, row) }

    private func pad(_ number: String) -> String {
        String(repeating: " ", count: max(0, 3 - number.utf8.count)) + number
    }

    private static func name(_ column: Int, _ row: Int) -> String { letter(column) + "\(row + 1)" }

    private static func letter(_ column: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        return column < letters.count ? String(letters[column]) : " "
    }
}

/// A table of a game, with numbers to the right.
struct TablePanel {
    private let table: ShownTable
    private let page: PageFormat
    private let hidden: Int

    init(_ table: ShownTable, _ page: PageFormat, rows: Int?) {
        self.table = table
        self.page = page
        hidden = rows.map { max(0, table.rows.count - $0) } ?? 0
    }

    /// The cells side by side if they fit, if necessary with shorter names, else a paragraph for each
    /// row.
    var lines: [Line] {
        var lines = TextWidth.wrapped(table.title, to: page.columns - 2)
            .map { Line("  " + $0, .strong) }
        if hidden > 0 { lines.append(Line("  … \(hidden) more above", .faint)) }
        return lines + (fitting ?? paragraphs)
    }

    /// The minimum width to which names may be truncated so that a table fits.
    private static let minNameWidth = 8

    private var shown: ArraySlice<ShownTableRow> { table.rows.dropFirst(hidden) }

    private var fitting: [Line]? {
        let whole = aligned(labels: .max, headings: .max)
        let excess = (whole.map(\.width).max() ?? 0) - page.columns
        guard excess > 0 else { return whole }
        let widest = shown.map { TextWidth.of($0.label) }.max() ?? 0
        let labels = max(TablePanel.minNameWidth, widest - excess)
        for headings in [Int.max, TablePanel.minNameWidth] {
            let lines = aligned(labels: labels, headings: headings)
            if lines.allSatisfy({ $0.width <= page.columns }) { return lines }
        }
        return nil
    }

    /// Renders the cells side by side, with labels and headings of maximum widths.
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

    /// Whether a column consists mostly of numbers; visits may have a `bust` among them.
    private func isNumeric(_ column: Int) -> Bool {
        let cells = table.rows.compactMap { column < $0.cells.count ? $0.cells[column] : nil }
        let words = cells.flatMap { $0.split(separator: " ") }
        let named = words.count { $0.contains(where: \.isLetter) }
        let numbers = words.count { word in
            word.contains(where: \.isNumber) && !word.contains(where: \.isLetter)
        }
        return numbers > named
    }

    /// A paragraph for each row, in which each cell follows its heading.
    private var paragraphs: [Line] {
        shown.flatMap { row in
            let items = row.cells.enumerated().compactMap { index, cell -> String? in
                guard !cell.allSatisfy(\.isWhitespace) else { return nil }
                return index < table.columns.count ? "\(table.columns[index]): \(cell)" : cell
            }
            return (row.label.isEmpty ? [] : [Line("  " + row.label, .strong)])
                + packed(items, to: page.columns - 4).map { Line("    " + $0) }
        }
    }

    /// Joins items with commas and wraps them; an item is broken only if it is wider than a line.
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
