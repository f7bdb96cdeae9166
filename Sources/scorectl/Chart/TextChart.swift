import SyncProtocol

/// A chart in the characters of a terminal: numbers at the left, names where their lines end.
struct TextChart {
    private let plot: ChartPlot
    private let form: PageForm
    private let rows: Int
    private let title: String

    /// The chart on a page, in so many rows altogether.
    init(_ chart: ChartReply, _ form: PageForm, rows: Int, timeOfDay: (Int64) -> String) {
        self.form = form
        self.rows = max(4, rows - 3)
        title = chart.session.title
        plot = ChartPlot(chart, ticks: max(2, min(5, self.rows / 3)), timeOfDay: timeOfDay)
    }

    /// The lines, none wider than the page.
    var lines: [Line] {
        guard !plot.positions.isEmpty, !plot.series.isEmpty else {
            return [head, Line("  Nothing is entered yet.", .faint).cropped(to: form.columns)]
        }
        let widest = plot.ticks.map { TextWidth.of("\($0.number)") }.max() ?? 0
        // Very large numbers would leave no room for the lines.
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
        // The first is drawn last, above the others.
        for (line, series) in plot.series.enumerated().reversed() {
            let points = Array(zip(plot.positions, series.heights))
            guard let first = points.first else { continue }
            for (start, end) in zip([first] + points, points) {
                canvas.draw(from: (start.0, start.1), to: (end.0, end.1), as: line)
            }
        }
        return canvas
    }

    /// The numbers at the left.
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

    /// The names at the right, each where its line ends, or as near as there is room.
    private func ends(_ canvas: ChartCanvas, _ width: Int) -> [Line] {
        let wanted = plot.series.enumerated().map { line, series in
            (line: line, row: canvas.row(of: series.heights.last ?? 0))
        }
        let order = wanted.sorted { ($0.row, $0.line) < ($1.row, $1.line) }
        var ends = [Line](repeating: Line(), count: canvas.rows)
        let places = Spread.places(of: order.map(\.row), in: canvas.rows)
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

    /// The line below, and what stands below the first and the last step.
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
