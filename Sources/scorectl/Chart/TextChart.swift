import SyncProtocol

/// A chart in the characters of a terminal: numbers on the left, names at the ends of their lines.
struct TextChart {
    private let plot: ChartPlot
    private let form: PageForm
    private let rows: Int
    private let title: String

    init(_ chart: ChartReply, _ form: PageForm, rows: Int, timeOfDay: (Int64) -> String) {
        self.form = form
        self.rows = max(4, rows - 3)
        title = chart.session.title
        plot = ChartPlot(chart, ticks: max(2, min(5, self.rows / 3)), timeOfDay: timeOfDay)
    }

    var lines: [Line] {
        guard !plot.positions.isEmpty, !plot.series.isEmpty else {
            return [head, Line("  No scores yet.", .faint).cropped(to: form.columns)]
        }
        let widest = plot.ticks.map { TextWidth.of("\($0.number)") }.max() ?? 0
        // Very long numbers are left out: they would leave no room for the lines.
        let numbers = widest > form.columns / 4 ? 0 : widest
        let names = min(plot.series.map { TextWidth.of(label($0, 0)) }.max() ?? 0, form.columns / 3)
        let width = max(4, form.columns - numbers - names - 3)
        let canvas = canvas(width)
        let edge = edge(canvas, numbers)
        let ends = ends(canvas, names)
        let body = canvas.lines.enumerated().map { row, line in
            edge[row] + line + ends[row]
        }
        return [head] + body + foot(width, numbers).map { $0.cropped(to: form.columns) }
    }

    private var head: Line {
        let title = TextWidth.truncated(title, to: 40)
        let whole = Line(title, .strong) + Line(" · " + plot.caption)
        guard whole.width > form.columns else { return whole }
        return Line(TextWidth.truncated(whole.text, to: form.columns), .strong)
    }

    private func canvas(_ width: Int) -> ChartCanvas {
        var canvas = ChartCanvas(columns: width, rows: rows, isUnicode: form.isUnicode)
        // The first line is drawn last, above the others.
        for (line, series) in plot.series.enumerated().reversed() {
            let points = Array(zip(plot.positions, series.heights))
            guard let first = points.first else { continue }
            for (start, end) in zip([first] + points, points) {
                canvas.draw(from: (start.0, start.1), to: (end.0, end.1), as: line)
            }
        }
        return canvas
    }

    private func edge(_ canvas: ChartCanvas, _ width: Int) -> [Line] {
        var numbers: [Int: Int64] = [:]
        for tick in plot.ticks { numbers[canvas.row(of: tick.height)] = tick.number }
        let (line, mark) = form.isUnicode ? ("│", "┤") : ("|", "+")
        return (0..<canvas.rows).map { row in
            let number = width > 0 ? numbers[row].map(String.init) ?? "" : ""
            return Line(number, .faint).padded(to: width, .right)
                + Line(" " + (number.isEmpty ? line : mark), .faint)
        }
    }

    /// The names on the right, each as near as possible to the end of its line.
    private func ends(_ canvas: ChartCanvas, _ width: Int) -> [Line] {
        let wanted = plot.series.enumerated().map { line, series in
            (line: line, row: canvas.row(of: series.heights.last ?? 0))
        }
        let order = wanted.sorted { ($0.row, $0.line) < ($1.row, $1.line) }
        var ends = [Line](repeating: Line(), count: canvas.rows)
        let places = LabelLayout.rows(for: order.map(\.row), in: canvas.rows)
        for (place, end) in zip(places, order) {
            let text = TextWidth.truncated(label(plot.series[end.line], end.line), to: width)
            ends[place] = Line(" ") + Line(text, .series(end.line))
        }
        return ends
    }

    private func label(_ series: ChartPlot.Series, _ line: Int) -> String {
        let mark = form.isUnicode ? "" : "\(ChartCanvas.marks[line % ChartCanvas.marks.count]) "
        return "\(mark)\(series.name) \(series.total)"
    }

    /// The axis, and the labels of the first and the last step.
    private func foot(_ width: Int, _ numbers: Int) -> [Line] {
        let (corner, bar) = form.isUnicode ? ("└", "─") : ("+", "-")
        let indent = String(repeating: " ", count: numbers + 1)
        let gap = max(1, width - TextWidth.of(plot.first) - TextWidth.of(plot.last))
        let isOne = plot.positions.count == 1
        let words = isOne ? [plot.last] : [plot.first, plot.last]
        let ends = words.joined(separator: String(repeating: " ", count: gap))
        return [
            Line(indent + corner + String(repeating: bar, count: width), .faint),
            Line(indent + " " + ends, .faint),
        ]
    }
}

/// A picture of dots in the characters of a terminal.
///
/// With Unicode a character has two by four dots (the Braille patterns from U+2800), with ASCII one,
/// drawn as the mark of its line. A character has the colour of the line that was drawn in it last.
struct ChartCanvas {
    private struct Cell {
        var dots: UInt8 = 0
        var line = 0
    }

    let columns: Int
    let rows: Int
    private let isUnicode: Bool
    private var cells: [Cell]

    /// The marks of lines in ASCII, used in turn.
    static let marks = Array("*+ox#@%&")

    init(columns: Int, rows: Int, isUnicode: Bool) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        self.isUnicode = isUnicode
        cells = Array(repeating: Cell(), count: self.columns * self.rows)
    }

    private var dotsAcross: Int { isUnicode ? columns * 2 : columns }
    private var dotsDown: Int { isUnicode ? rows * 4 : rows }

    /// The bit of a dot in its character, by column and row (Unicode, "Braille Patterns").
    private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    /// Draws a straight line between two points, with coordinates from 0 to 1 from the bottom left.
    mutating func draw(
        from start: (x: Double, y: Double),
        to end: (x: Double, y: Double),
        as line: Int
    ) {
        let (from, to) = (dot(start), dot(end))
        let steps = max(abs(to.x - from.x), abs(to.y - from.y), 1)
        func between(_ from: Int, _ to: Int, _ step: Int) -> Int {
            (from * (steps - step) + to * step + steps / 2) / steps
        }
        for step in 0...steps {
            set(between(from.x, to.x, step), between(from.y, to.y, step), line)
        }
    }

    /// The row of characters of a height, from the top.
    func row(of height: Double) -> Int { dot((0, height)).y / (isUnicode ? 4 : 1) }

    private func dot(_ point: (x: Double, y: Double)) -> (x: Int, y: Int) {
        func part(_ share: Double, of count: Int) -> Int {
            Int(min(max(share, 0), 1) * Double(count - 1) + 0.5)
        }
        return (part(point.x, of: dotsAcross), part(1 - point.y, of: dotsDown))
    }

    private mutating func set(_ x: Int, _ y: Int, _ line: Int) {
        let (across, down) = isUnicode ? (2, 4) : (1, 1)
        let index = y / down * columns + x / across
        cells[index].dots |= Self.bits[x % across][y % down]
        cells[index].line = line
    }

    var lines: [Line] {
        (0..<rows).map { row in
            var line = Line()
            var rest = cells[row * columns..<(row + 1) * columns]
            while let first = rest.first {
                let run = rest.prefix { $0.line == first.line || $0.dots == 0 }
                line += Line(String(run.map(character)), .series(first.line))
                rest = rest.dropFirst(run.count)
            }
            return line
        }
    }

    private func character(_ cell: Cell) -> Character {
        guard cell.dots != 0 else { return " " }
        guard isUnicode else { return Self.marks[cell.line % Self.marks.count] }
        return Unicode.Scalar(0x2800 + UInt32(cell.dots)).map(Character.init) ?? " "
    }
}
