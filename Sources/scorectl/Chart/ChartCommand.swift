import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl chart`: how everybody came to stand as they do.
enum ChartCommand {
    static let command = Command(
        name: "chart",
        summary: "the totals over the rounds, or over time, as lines",
        words: "[SESSION]",
        details: [
            "Games that go by no rounds are drawn by when their scores were written. Darts are"
                + " drawn by the points of all visits. A corrected score counts from its place"
                + " on as it is now, so the chart is the same on every laptop.",
            "With --svg it is written as a picture that stands alone, light or dark as its"
                + " reader is; '-' is standard output.",
        ],
        options: [
            CommandOption("svg FILE", "write a picture instead")
        ],
        examples: [("chart --svg friday.svg", "a picture to send to the others")],
        takesSession: true,
        action: .run(run)
    )

    /// The most rows that a chart takes on a terminal or in a file.
    private static let mostRows = 24

    private static func run(_ call: Invocation) throws(ControlError) {
        let path = call.value("svg")
        guard path != "" else { throw ControlError(.usage, "--svg takes the name of a file") }
        guard path != "-" || !call.isJSON else {
            throw ControlError(.usage, "with '--svg -' there is only the picture: no --json")
        }
        let reply = try call.call(.chart, .init(session: try call.namedSession()))
        if let path { return try write(reply, to: path, call) }
        let rows = isScreen(call) ? min(call.console.size().rows - 2, mostRows) : mostRows
        try call.print(reply, lines(reply, call, call.form, rows: rows))
    }

    private static func isScreen(_ call: Invocation) -> Bool { call.console.isOutputTerminal }

    /// The chart in lines, in so many rows.
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

/// What a chart shows, whatever it is drawn with: lines between 0 and 1, and what stands at its
/// edges.
struct ChartPlot: Hashable, Sendable {
    /// What somebody had.
    struct Series: Hashable, Sendable {
        /// What they are called.
        let name: String
        /// What they have in the end.
        let total: Int64
        /// Their heights from the bottom, 0 to 1, one for each position.
        let heights: [Double]
    }

    /// A number at the left edge.
    struct Tick: Hashable, Sendable {
        let number: Int64
        let height: Double
    }

    /// The lines, in the order of the seats; those of teams first.
    let series: [Series]
    /// Where the steps are from the left, 0 to 1.
    let positions: [Double]
    /// The numbers at the left edge, the lowest first.
    let ticks: [Tick]
    /// What stands below the first step.
    let first: String
    /// What stands below the last step.
    let last: String
    /// What the numbers count, and behind what they stand: `Total by round`.
    let caption: String

    /// The plot of a chart, with about so many numbers at the edge.
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
        let places = chart.steps.map { Double($0.at?.milliseconds ?? Int64($0.round ?? 0)) }
        let (start, end) = (places.first ?? 0, places.last ?? 0)
        positions = places.map { end > start ? ($0 - start) / (end - start) : 1 }
        func words(_ step: ChartReply.Step?) -> String {
            step?.at.map { timeOfDay($0.milliseconds) } ?? step?.round.map(String.init) ?? ""
        }
        self.first = words(chart.steps.first)
        self.last = words(chart.steps.last)
        caption = chart.label + (chart.unit == .time ? " over time" : " by \(chart.unit.rawValue)")
    }

    /// How far apart the numbers at the edge are: 1, 2 or 5 times a power of ten.
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

/// Labels that want to be somewhere and must not stand on each other.
enum Spread {
    /// A place of its own for each label, as near as can be to where it wants to be.
    ///
    /// - Parameters:
    ///   - wanted: where the labels want to be, in rising order.
    ///   - count: how many places there are, from 0.
    /// - Returns: rising places; of more labels than places only the first have one.
    static func places(of wanted: [Int], in count: Int) -> [Int] {
        var places: [Int] = []
        for place in wanted.prefix(count) { places.append(max(place, (places.last ?? -1) + 1)) }
        // What was pushed over the end pushes back.
        var limit = count - 1
        for index in places.indices.reversed() {
            places[index] = min(places[index], limit)
            limit = places[index] - 1
        }
        return places
    }
}
