import SessionCRDT
import SyncProtocol
import TerminalText

enum ChartCommand {
    static let command = Command(
        usage: "chart [SESSION]",
        summary: "draw the totals over the rounds, or over time",
        details: "Games without rounds are drawn over the time of their scores, and darts and"
            + " matches by their points. A corrected score counts with its current value, so the chart"
            + " is the same on every laptop.\n"
            + "With --svg it writes an SVG picture, which follows the light or dark mode of its"
            + " viewer; '-' is standard output.",
        options: [CommandOption("svg FILE", "write an SVG picture")],
        examples: [("chart --svg friday.svg", "a picture to share")],
        takesSession: true,
        action: .run(run)
    )

    private static let maxRows = 24

    private static func run(_ call: Invocation) throws(ControlError) {
        let path = call.value("svg")
        guard path != "" else { throw .usage("--svg needs a file name") }
        guard path != "-" || !call.isJSON else {
            throw .usage("'--svg -' and --json exclude each other")
        }
        let reply = try call.call(.chart, .init(session: try call.namedSession()))
        if let path { return try write(reply, to: path, call) }
        let isScreen = call.console.isOutputTerminal
        let rows = isScreen ? min(call.console.size().rows - 2, maxRows) : maxRows
        try call.print(reply, lines(reply, call, call.form, rows: rows))
    }

    static func lines(
        _ reply: ChartReply,
        _ call: Invocation,
        _ form: PageFormat,
        rows: Int
    ) -> [Line] {
        TextChart(reply, form, rows: rows, timeOfDay: call.console.timeOfDay).lines
    }

    private static func write(
        _ reply: ChartReply,
        to path: String,
        _ call: Invocation
    ) throws(ControlError) {
        let text = SVGChart(reply, timeOfDay: call.console.timeOfDay).text
        guard path != "-" else { return call.console.write(Array(text.utf8)) }
        try Files.write(text, to: path)
        try call.confirm(reply, [Line("Wrote \(path).")])
    }
}

/// The layout of a chart in coordinates from 0 to 1, independent of the output format.
struct ChartPlot: Hashable, Sendable {
    struct Series: Hashable, Sendable {
        let name: String
        let total: Points
        /// The heights from the bottom, 0 to 1, one for each position.
        let heights: [Double]
    }

    struct Tick: Hashable, Sendable {
        let number: Int64
        let height: Double
    }

    /// The teams, then the players in seat order.
    let series: [Series]
    /// The positions of the steps from the left, 0 to 1.
    let positions: [Double]
    /// The numbers at the left edge, the lowest first.
    let ticks: [Tick]
    let first: String
    let last: String
    /// `Total by round`.
    let caption: String

    init(_ chart: ChartReply, ticks count: Int, timeOfDay: (Int64) -> String) {
        let lines = chart.teams + chart.players
        let all = lines.flatMap(\.totals)
        let (lowest, highest) = (all.min()?.roundedDown ?? 0, all.max()?.roundedUp ?? 0)
        let step = Self.tickSpacing(over: highest - lowest, count: count)
        let low = Self.multiple(of: step, notAbove: lowest)
        let high = max(-Self.multiple(of: step, notAbove: -highest), low + step)
        func height(_ points: Points) -> Double {
            (Double(points.halves) / 2 - Double(low)) / Double(high - low)
        }
        series = lines.map { line in
            Series(
                name: line.id == nil ? "team \(line.name)" : line.name,
                total: line.totals.last ?? 0,
                heights: line.totals.map(height)
            )
        }
        ticks = stride(from: low, through: high, by: Int(step)).map { number in
            Tick(number: number, height: height(Points(number)))
        }
        let times = chart.steps.map { Double($0.at?.milliseconds ?? Int64($0.round ?? 0)) }
        let (start, end) = (times.first ?? 0, times.last ?? 0)
        positions = times.map { end > start ? ($0 - start) / (end - start) : 1 }
        func words(_ step: ChartReply.Step?) -> String {
            step?.at.map { timeOfDay($0.milliseconds) } ?? step?.round.map(String.init) ?? ""
        }
        self.first = words(chart.steps.first)
        self.last = words(chart.steps.last)
        caption = chart.label + (chart.unit == .time ? " over time" : " by \(chart.unit.rawValue)")
    }

    /// Returns the spacing of the ticks: 1, 2 or 5 times a power of ten.
    private static func tickSpacing(over range: Int64, count: Int) -> Int64 {
        let wanted = range / Int64(max(count, 1)) + (range % Int64(max(count, 1)) > 0 ? 1 : 0)
        var power: Int64 = 1
        while power * 10 <= wanted { power *= 10 }
        return [1, 2, 5].map { $0 * power }.first { $0 >= wanted } ?? power * 10
    }

    private static func multiple(of step: Int64, notAbove number: Int64) -> Int64 {
        let rest = number % step
        return number - (rest < 0 ? rest + step : rest)
    }
}

/// Placement of labels without overlap.
enum LabelLayout {
    /// Returns a row for each label, as near as possible to the wanted one.
    ///
    /// The wanted rows must be in ascending order, as the returned ones are; labels that do not fit
    /// get none.
    static func rows(for wanted: [Int], in count: Int) -> [Int] {
        var rows: [Int] = []
        for row in wanted.prefix(count) { rows.append(max(row, (rows.last ?? -1) + 1)) }
        // Labels beyond the last row move up, and push the labels above them.
        var limit = count - 1
        for index in rows.indices.reversed() {
            rows[index] = min(rows[index], limit)
            limit = rows[index] - 1
        }
        return rows
    }
}

/// A chart in the characters of a terminal: numbers on the left, names at the ends of their lines.
struct TextChart {
    private let plot: ChartPlot
    private let form: PageFormat
    private let rows: Int
    private let title: String

    init(_ chart: ChartReply, _ form: PageFormat, rows: Int, timeOfDay: (Int64) -> String) {
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
        let edge = tickLabels(canvas, numbers)
        let ends = endLabels(canvas, names)
        let body = canvas.lines.enumerated().map { row, line in
            edge[row] + line + ends[row]
        }
        return [head] + body + axis(width, numbers).map { $0.cropped(to: form.columns) }
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

    private func tickLabels(_ canvas: ChartCanvas, _ width: Int) -> [Line] {
        var numbers: [Int: Int64] = [:]
        for tick in plot.ticks { numbers[canvas.row(of: tick.height)] = tick.number }
        return (0..<canvas.rows).map { row in
            let number = width > 0 ? numbers[row].map(String.init) ?? "" : ""
            return Line(number, .faint).padded(to: width, .right)
                + Line(" " + (number.isEmpty ? "│" : "┤"), .faint)
        }
    }

    /// Returns the names on the right, each as near as possible to the end of its line.
    private func endLabels(_ canvas: ChartCanvas, _ width: Int) -> [Line] {
        let wanted = plot.series.enumerated().map { line, series in
            (line: line, row: canvas.row(of: series.heights.last ?? 0))
        }
        let order = wanted.sorted { ($0.row, $0.line) < ($1.row, $1.line) }
        var ends = [Line](repeating: Line(), count: canvas.rows)
        let rows = LabelLayout.rows(for: order.map(\.row), in: canvas.rows)
        for (row, end) in zip(rows, order) {
            let text = TextWidth.truncated(label(plot.series[end.line], end.line), to: width)
            ends[row] = Line(" ") + Line(text, .series(end.line))
        }
        return ends
    }

    private func label(_ series: ChartPlot.Series, _ line: Int) -> String {
        let mark = form.isUnicode ? "" : "\(ChartCanvas.marks[line % ChartCanvas.marks.count]) "
        return "\(mark)\(series.name) \(series.total)"
    }

    /// Returns the axis, and the labels of the first and the last step.
    private func axis(_ width: Int, _ numbers: Int) -> [Line] {
        let indent = String(repeating: " ", count: numbers + 1)
        let gap = max(1, width - TextWidth.of(plot.first) - TextWidth.of(plot.last))
        let isOne = plot.positions.count == 1
        let words = isOne ? [plot.last] : [plot.first, plot.last]
        let ends = words.joined(separator: String(repeating: " ", count: gap))
        return [
            Line(indent + "└" + String(repeating: "─", count: width), .faint),
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
        func interpolate(from: Int, to: Int, step: Int) -> Int {
            (from * (steps - step) + to * step + steps / 2) / steps
        }
        for step in 0...steps {
            let x = interpolate(from: from.x, to: to.x, step: step)
            set(x, interpolate(from: from.y, to: to.y, step: step), line)
        }
    }

    /// Returns the row of characters at a height, counted from the top.
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

/// A chart as an SVG 1.1 picture, in the light or dark mode of its viewer, with a title and a
/// description for screen readers.
struct SVGChart {
    private let plot: ChartPlot
    private let title: String

    init(_ chart: ChartReply, timeOfDay: (Int64) -> String) {
        plot = ChartPlot(chart, ticks: 6, timeOfDay: timeOfDay)
        title = chart.session.title
    }

    /// The colours of lines on light and on dark background, repeated with dashes for further lines.
    ///
    /// Each has a contrast of at least 3:1 (WCAG 2.2, 1.4.11).
    private static let colors = [
        ("#1b6ca8", "#7cc4ff"), ("#c2410c", "#ffb077"), ("#15803d", "#7ee2a0"),
        ("#7c3aed", "#c4a7ff"), ("#be185d", "#ff9ac4"), ("#0f766e", "#6fe0d2"),
        ("#854d0e", "#f2d06b"), ("#475569", "#b8c4d4"),
    ]

    private enum Area {
        static let (left, top, width, height) = (70, 60, 680, 340)
        static let (wholeWidth, wholeHeight) = (960, 460)
        static let lineHeight = 20
    }

    var text: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" \
        viewBox="0 0 \(Area.wholeWidth) \(Area.wholeHeight)" \
        role="img" aria-labelledby="title desc">
        <title id="title">\(head)</title>
        <desc id="desc">\(XMLText.escaped(description))</desc>
        <style>
        \(style)
        </style>
        <rect class="paper" width="100%" height="100%"/>
        <text class="head" x="24" y="36">\(head)</text>
        \((grid + lines + names).joined(separator: "\n"))
        </svg>

        """
    }

    private var head: String { XMLText.escaped("\(title) · \(plot.caption)") }

    private var description: String {
        plot.series.map { "\($0.name) \($0.total)" }.joined(separator: ", ")
    }

    private var style: String {
        func rules(_ color: ((String, String)) -> String) -> String {
            Self.colors.enumerated().map { number, pair in
                ".c\(number){stroke:\(color(pair))}.n\(number){fill:\(color(pair))}"
            }
            .joined()
        }
        return """
            text{font:16px system-ui,sans-serif}.head{font-weight:600}\
            .paper{fill:#fff}.head{fill:#111}.axis{fill:#555}.grid{stroke:#ddd}\
            polyline{fill:none;stroke-width:2.5;stroke-linejoin:round}.dashed{stroke-dasharray:7 5}
            \(rules(\.0))
            @media (prefers-color-scheme:dark){\
            .paper{fill:#14171a}.head{fill:#eee}.axis{fill:#aab}.grid{stroke:#333a40}\
            \(rules(\.1))}
            """
    }

    private var grid: [String] {
        let ticks = plot.ticks.map { tick in
            let y = Self.y(tick.height)
            return "<line class=\"grid\" x1=\"\(Area.left)\" x2=\"\(Area.left + Area.width)\" "
                + "y1=\"\(y)\" y2=\"\(y)\"/>"
                + "<text class=\"axis\" text-anchor=\"end\" x=\"\(Area.left - 10)\" "
                + "y=\"\(y + 5)\">\(tick.number)</text>"
        }
        let below = Area.top + Area.height + 28
        return ticks + [
            "<text class=\"axis\" x=\"\(Area.left)\" y=\"\(below)\">\(plot.first)</text>",
            "<text class=\"axis\" text-anchor=\"end\" x=\"\(Area.left + Area.width)\" "
                + "y=\"\(below)\">\(plot.last)</text>",
        ]
    }

    private var lines: [String] {
        plot.series.enumerated().reversed().map { number, series in
            let points = zip(plot.positions, series.heights).map { position, height in
                "\(Self.x(position)),\(Self.y(height))"
            }
            let classes = Self.css("c", number) + (number >= Self.colors.count ? " dashed" : "")
            // A line of a single step is drawn as a dot.
            let whole = points.count == 1 ? points + points : points
            return "<polyline class=\"\(classes)\" stroke-linecap=\"round\" "
                + "points=\"\(whole.joined(separator: " "))\"/>"
        }
    }

    private var names: [String] {
        let rows = Area.height / Area.lineHeight + 1
        let wanted = plot.series.enumerated().map { number, series in
            (number: number, row: Int((1 - (series.heights.last ?? 0)) * Double(rows - 1) + 0.5))
        }
        let order = wanted.sorted { ($0.row, $0.number) < ($1.row, $1.number) }
        return zip(LabelLayout.rows(for: order.map(\.row), in: rows), order).map { row, end in
            let series = plot.series[end.number]
            // Isolates keep the number after a name in any writing direction.
            let name = "\u{2068}" + TextWidth.truncated(series.name, to: 16) + "\u{2069}"
            return "<text class=\"\(Self.css("n", end.number))\" "
                + "x=\"\(Area.left + Area.width + 12)\" "
                + "y=\"\(Area.top + row * Area.lineHeight + 6)\">"
                + "\(XMLText.escaped(name)) \(series.total)</text>"
        }
    }

    /// Returns the CSS class of a line or its name; each colour has one.
    private static func css(_ letter: String, _ number: Int) -> String {
        "\(letter)\(number % colors.count)"
    }

    private static func x(_ position: Double) -> Int {
        Area.left + Int(position * Double(Area.width) + 0.5)
    }

    private static func y(_ height: Double) -> Int {
        Area.top + Int((1 - height) * Double(Area.height) + 0.5)
    }
}
