import Foundation

struct Measurement: Sendable {
    enum Unit: String, Sendable {
        case seconds
        case bytes
        case share
        case rate
    }

    /// A lower bound or a reference, measured in the same run.
    struct Floor: Sendable {
        let title: String
        let series: Series
        /// The processor time of one sample in seconds.
        var processor: Double?
    }

    let name: String
    let title: String
    var unit = Unit.seconds
    let series: Series
    /// The processor time of one sample in seconds, user and system, of the processes concerned.
    ///
    /// Unlike the duration it depends neither on the disk nor on other users of the machine.
    var processor: Double?
    var floor: Floor?
    var target: Target?

    /// The median as a multiple of the floor.
    var ratio: Double? {
        floor.flatMap { $0.series.median > 0 ? series.median / $0.series.median : nil }
    }

    var isMet: Bool? { target?.isMet(by: self) }

    static func line(_ name: String, _ title: String, _ unit: Unit, _ samples: [Double]) -> Self {
        Measurement(name: name, title: title, unit: unit, series: Series(samples))
    }

    /// Returns the line with a floor, unless the system does not report that.
    func over(_ floor: Floor) -> Measurement {
        var line = self
        line.floor = floor.series.isEmpty ? nil : floor
        return line
    }

    func targeting(_ target: Target?) -> Measurement {
        var line = self
        line.target = target
        return line
    }

    /// Returns a value in the unit of this measurement, for people.
    func text(_ value: Double) -> String {
        switch unit {
        case .seconds: Self.time(value)
        case .bytes where abs(value) < 999.5 * 1000: Self.short(value / 1000) + " kB"
        case .bytes: Self.short(value / 1_000_000) + " MB"
        case .share: Self.short(value * 100, decimals: 3) + " %"
        case .rate: Self.short(value) + "/s"
        }
    }

    static func time(_ seconds: Double) -> String {
        switch abs(seconds) {
        case ..<0.000_9995: short(seconds * 1e6) + " µs"
        case ..<0.9995: short(seconds * 1000) + " ms"
        default: short(seconds) + " s"
        }
    }

    /// Returns a number with three digits, or with a number of decimals.
    static func short(_ value: Double, decimals: Int? = nil) -> String {
        let size = abs(value)
        let decimals = decimals ?? (size < 9.995 ? 2 : size < 99.95 ? 1 : 0)
        return String(format: "%.\(decimals)f", value)
    }
}

/// Samples of one quantity; none if the system does not report it.
struct Series: Hashable, Sendable {
    private let sorted: [Double]

    init(_ samples: [Double]) { sorted = samples.sorted() }

    var count: Int { sorted.count }
    var isEmpty: Bool { sorted.isEmpty }

    /// The middle sample, or the mean of both.
    var median: Double { (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 }

    /// The sample that 95 of 100 do not exceed (nearest rank).
    var p95: Double { sorted[(count * 95 + 99) / 100 - 1] }
}

/// The samples of one activity, and the processor time of all of them.
struct Timing {
    private let meter: () -> Double?
    private var samples: [Double] = []
    private var sum: Double? = 0
    /// The number of repetitions; more than the samples if a sample is a rate.
    private var repetitions = 0

    /// Creates an empty timing; `meter` returns the seconds of processor time used so far.
    init(meter: @escaping () -> Double?) { self.meter = meter }

    /// Creates the timing of a function of this process.
    init(_ count: Int, _ body: () throws -> Void) rethrows {
        self.init { ProcessUse.ownSeconds }
        try add(count) { _ in try Stopwatch.time(body) }
    }

    /// Adds samples of a function that returns the seconds it took.
    mutating func add(_ count: Int, _ body: (Int) throws -> Double) rethrows {
        let before = meter()
        for number in 0..<count { samples.append(try body(number)) }
        addProcessorTime(of: count, since: before)
    }

    /// Adds one sample: the rate of the repetitions.
    mutating func addRate(_ body: () throws -> (count: Int, seconds: Double)) rethrows {
        let before = meter()
        let (count, seconds) = try body()
        samples.append(Double(count) / seconds)
        addProcessorTime(of: count, since: before)
    }

    private mutating func addProcessorTime(of count: Int, since before: Double?) {
        repetitions += count
        guard let before, let after = meter() else {
            sum = nil
            return
        }
        sum = sum.map { $0 + after - before }
    }

    var series: Series { Series(samples) }

    /// The mean processor time of a repetition in seconds; nil if the system does not report it.
    var processor: Double? { sum.map { $0 / Double(repetitions) } }

    func floor(_ title: String) -> Measurement.Floor {
        Measurement.Floor(title: title, series: series, processor: processor)
    }

    func line(_ name: String, _ title: String, _ unit: Measurement.Unit = .seconds) -> Measurement {
        Measurement(name: name, title: title, unit: unit, series: series, processor: processor)
    }

    func processorFloor(_ title: String) -> Measurement.Floor {
        Measurement.Floor(title: title, series: processorSeries)
    }

    func processorLine(_ name: String, _ title: String) -> Measurement {
        Measurement(name: name, title: title, series: processorSeries)
    }

    private var processorSeries: Series { Series(processor.map { [$0] } ?? []) }
}

enum Stopwatch {
    /// Returns the seconds that a function takes.
    static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return seconds(since: start)
    }

    static func seconds(since start: ContinuousClock.Instant) -> Double {
        start.duration(to: .now) / .seconds(1)
    }
}

/// A limit for a median.
enum Target: Sendable {
    case atMost(Double)
    case atLeast(Double)
    case timesFloor(Double)
    case overFloor(Double)

    /// Whether a measurement meets it; one without the floor that it needs does not.
    func isMet(by measurement: Measurement) -> Bool {
        let median = measurement.series.median
        return switch self {
        case .atMost(let limit): median <= limit
        case .atLeast(let limit): median >= limit
        case .timesFloor(let limit): measurement.ratio.map { $0 <= limit } ?? false
        case .overFloor(let limit):
            measurement.floor.map { median - $0.series.median <= limit } ?? false
        }
    }

    /// Returns the limit in the unit of the measurement, for people.
    func text(for measurement: Measurement) -> String {
        switch self {
        case .atMost(let limit): "≤ " + measurement.text(limit)
        case .atLeast(let limit): "≥ " + measurement.text(limit)
        case .timesFloor(let limit): "≤ " + Measurement.short(limit) + "×"
        case .overFloor(let limit): "≤ floor + " + measurement.text(limit)
        }
    }
}
