/// One line of the result.
struct Measurement: Sendable {
    /// What the samples count.
    enum Unit: String, Sendable {
        case seconds
        case bytes
        /// Of one core.
        case share
        /// Of something, in a second.
        case rate
    }

    /// What cannot be beaten, or what it should not differ from, measured in the same run.
    struct Floor: Sendable {
        let title: String
        let series: Series
        /// The processor time of one sample, in seconds.
        var processor: Double?
    }

    let name: String
    let title: String
    var unit = Unit.seconds
    let series: Series
    /// The processor time of one sample, user and system of the processes concerned, in seconds.
    ///
    /// It does not depend on how fast the disk is, nor on who else uses the machine.
    var processor: Double?
    var floor: Floor?
    var target: Target?

    /// How many times the floor the median is.
    var ratio: Double? {
        floor.flatMap { $0.series.median > 0 ? series.median / $0.series.median : nil }
    }

    /// Whether the target is met; nil without one.
    var isMet: Bool? { target?.isMet(by: self) }

    /// What this becomes where something else was measured as its floor.
    func over(_ other: Measurement, target: Target? = nil) -> Measurement {
        var result = self
        result.floor = Floor(title: other.title, series: other.series, processor: other.processor)
        result.target = target
        return result
    }

    /// A value of this measurement for people.
    func text(_ value: Double) -> String {
        switch unit {
        case .seconds: Self.time(value)
        case .bytes where abs(value) < 999.5 * 1000: Self.short(value / 1000) + " kB"
        case .bytes: Self.short(value / 1_000_000) + " MB"
        case .share: Self.short(value * 100, decimals: 3) + " %"
        case .rate: Self.short(value) + "/s"
        }
    }

    /// A time for people.
    static func time(_ seconds: Double) -> String {
        switch abs(seconds) {
        case ..<0.000_9995: short(seconds * 1e6) + " µs"
        case ..<0.9995: short(seconds * 1000) + " ms"
        default: short(seconds) + " s"
        }
    }

    /// Three digits, or so many decimals.
    static func short(_ value: Double, decimals: Int? = nil) -> String {
        let size = abs(value)
        let places = decimals ?? (size < 9.995 ? 2 : size < 99.95 ? 1 : 0)
        var scale: Int64 = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int64((size * Double(scale)).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(scaled)" }
        let fraction = "\(scaled % scale)"
        let zeros = String(repeating: "0", count: places - fraction.count)
        return "\(sign)\(scaled / scale).\(zeros)\(fraction)"
    }
}
