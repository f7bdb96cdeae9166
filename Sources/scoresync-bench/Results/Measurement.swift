/// One line of the result.
struct Measurement: Sendable {
    /// What the samples count.
    enum Unit: String, Sendable {
        case seconds
        case bytes
        /// Of one core.
        case share
    }

    /// What cannot be beaten, measured in the same run.
    struct Floor: Sendable {
        let title: String
        let series: Series
    }

    /// What the design promises: the median stays below.
    struct Budget: Sendable {
        let value: Double
        /// What is still bearable, where that is something else.
        var limit: Double?
    }

    let name: String
    let title: String
    var unit = Unit.seconds
    let series: Series
    var floor: Floor?
    var budget: Budget?

    /// How many times the floor the median is.
    var ratio: Double? {
        floor.flatMap { $0.series.median > 0 ? series.median / $0.series.median : nil }
    }

    /// Whether the budget is kept; nil without one.
    var keepsBudget: Bool? { budget.map { series.median < $0.value } }

    /// A value of this measurement for people.
    func text(_ value: Double) -> String {
        switch unit {
        case .seconds where value < 0.000_9995: Self.short(value * 1e6) + " µs"
        case .seconds where value < 0.9995: Self.short(value * 1000) + " ms"
        case .seconds: Self.short(value) + " s"
        case .bytes where value < 999.5 * 1000: Self.short(value / 1000) + " kB"
        case .bytes: Self.short(value / 1_000_000) + " MB"
        case .share: Self.short(value * 100, decimals: 3) + " %"
        }
    }

    /// Three digits, or so many decimals.
    static func short(_ value: Double, decimals: Int? = nil) -> String {
        let places = decimals ?? (value < 9.995 ? 2 : value < 99.95 ? 1 : 0)
        var scale: Int64 = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int64((value * Double(scale)).rounded())
        guard places > 0 else { return "\(scaled)" }
        let fraction = "\(scaled % scale)"
        let zeros = String(repeating: "0", count: places - fraction.count)
        return "\(scaled / scale).\(zeros)\(fraction)"
    }
}
