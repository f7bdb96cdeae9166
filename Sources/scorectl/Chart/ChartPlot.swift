import SyncProtocol

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
