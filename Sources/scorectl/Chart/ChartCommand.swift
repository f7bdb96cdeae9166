import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl chart`: the totals over the rounds or over time.
enum ChartCommand {
    static let command = Command(
        name: "chart",
        summary: "draw the totals over the rounds, or over time",
        words: "[SESSION]",
        details: "Games without rounds are drawn over the time of their scores, and darts by the"
            + " points of all visits. A corrected score counts with its current value, so the chart"
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
        guard path != "" else { throw ControlError(.usage, "--svg needs a file name") }
        guard path != "-" || !call.isJSON else {
            throw ControlError(.usage, "'--svg -' and --json exclude each other")
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
        _ form: PageForm,
        rows: Int
    ) -> [Line] {
        TextChart(reply, form, rows: rows, timeOfDay: call.console.timeOfDay).lines
    }

    private static func write(
        _ reply: ChartReply,
        to path: String,
        _ call: Invocation
    ) throws(ControlError) {
        let bytes = Array(SVGChart(reply, timeOfDay: call.console.timeOfDay).text.utf8)
        guard path != "-" else { return call.console.write(bytes) }
        let result = platform_write_file(path, bytes, bytes.count)
        guard result >= 0 else {
            throw ControlSocketError.system("write \(path)", code: -result).controlError
        }
        try call.confirm(reply, [Line("Wrote \(path).")])
    }
}

/// The layout of a chart in coordinates from 0 to 1, independent of the output format.
struct ChartPlot: Hashable, Sendable {
    struct Series: Hashable, Sendable {
        let name: String
        let total: Int64
        /// The heights from the bottom, 0 to 1, one for each position.
        let heights: [Double]
    }

    /// A number at the left edge.
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
    /// The label of the first step.
    let first: String
    /// The label of the last step.
    let last: String
    /// `Total by round`.
    let caption: String

    init(_ chart: ChartReply, ticks count: Int, timeOfDay: (Int64) -> String) {
        let lines = chart.teams + chart.players
        let all = lines.flatMap(\.totals)
        let (least, most) = (all.min() ?? 0, all.max() ?? 0)
        let step = Self.step(over: most - least, count)
        let low = Self.multiple(of: step, notAbove: least)
        let high = max(-Self.multiple(of: step, notAbove: -most), low + step)
        func height(_ number: Int64) -> Double { Double(number - low) / Double(high - low) }
        series = lines.map { line in
            Series(
                name: line.id == nil ? "team \(line.name)" : line.name,
                total: line.totals.last ?? 0,
                heights: line.totals.map(height)
            )
        }
        ticks = stride(from: low, through: high, by: Int(step)).map { number in
            Tick(number: number, height: height(number))
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

    /// The distance of the ticks: 1, 2 or 5 times a power of ten.
    private static func step(over range: Int64, _ count: Int) -> Int64 {
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
    /// A row for each label, as near as possible to the wanted one.
    ///
    /// The wanted rows must ascend, and so do the results; labels that do not fit get none.
    static func rows(for wanted: [Int], in count: Int) -> [Int] {
        var rows: [Int] = []
        for row in wanted.prefix(count) { rows.append(max(row, (rows.last ?? -1) + 1)) }
        // Labels beyond the end push the others back.
        var limit = count - 1
        for index in rows.indices.reversed() {
            rows[index] = min(rows[index], limit)
            limit = rows[index] - 1
        }
        return rows
    }
}
