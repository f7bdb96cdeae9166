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

/// What was measured again and again: seconds, bytes or shares.
struct Series: Hashable, Sendable {
    private let sorted: [Double]

    /// The series of these samples, at least one.
    init(_ samples: [Double]) {
        precondition(!samples.isEmpty, "a benchmark measures at least once")
        sorted = samples.sorted()
    }

    /// How many samples there are.
    var count: Int { sorted.count }

    /// The middle sample, or the mean of both.
    var median: Double { (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 }

    /// The sample that 95 of 100 do not exceed (nearest rank).
    var p95: Double { sorted[(count * 95 + 99) / 100 - 1] }

    /// The series with this done to each sample.
    func mapped(_ change: (Double) -> Double) -> Series { Series(sorted.map(change)) }
}

/// Something done again and again: how long each took, and the processor time of all.
struct Timing {
    private let meter: () -> Double?
    private var samples: [Double] = []
    private var sum: Double? = 0
    /// How often it was done, which is more often than there are samples where one is of many.
    private var done = 0

    /// Nothing done yet; the meter says how many seconds of processor time have been used so far by
    /// those whose time counts.
    init(meter: @escaping () -> Double?) { self.meter = meter }

    /// The timing of something done so often in this process.
    init(_ count: Int, _ body: () throws -> Void) rethrows {
        self.init { ProcessUse.ownSeconds }
        try add(count) { _ in try Stopwatch.time(body) }
    }

    /// Does it so often; it says how many seconds each took.
    mutating func add(_ count: Int, _ body: (Int) throws -> Double) rethrows {
        let before = meter()
        for number in 0..<count { samples.append(try body(number)) }
        account(for: count, since: before)
    }

    /// Does it as often as it says; one sample is how often in a second.
    mutating func addRate(_ body: () throws -> (count: Int, seconds: Double)) rethrows {
        let before = meter()
        let (count, seconds) = try body()
        samples.append(Double(count) / seconds)
        account(for: count, since: before)
    }

    private mutating func account(for count: Int, since before: Double?) {
        done += count
        guard let before, let after = meter() else {
            sum = nil
            return
        }
        sum = sum.map { $0 + after - before }
    }

    /// How long each took, or how many there were in a second.
    var series: Series { Series(samples) }

    /// The processor time of each in the mean, in seconds, where the system tells.
    var processor: Double? { sum.map { $0 / Double(done) } }

    /// It as a floor.
    func floor(_ title: String) -> Measurement.Floor {
        Measurement.Floor(title: title, series: series, processor: processor)
    }

    /// It as a line of the result.
    func measurement(
        _ name: String,
        _ title: String,
        over floor: Measurement.Floor? = nil,
        target: Target? = nil
    ) -> Measurement {
        Measurement(
            name: name,
            title: title,
            series: series,
            processor: processor,
            floor: floor,
            target: target
        )
    }

    /// The processor time alone as a line of the result, where the system tells.
    func processorMeasurement(_ name: String, _ title: String) -> Measurement? {
        processor.map { Measurement(name: name, title: title, series: Series([$0])) }
    }
}

/// Measures time in seconds.
enum Stopwatch {
    /// How long it takes.
    static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return seconds(since: start)
    }

    /// How long ago that was.
    static func seconds(since start: ContinuousClock.Instant) -> Double {
        seconds(start.duration(to: .now))
    }

    /// The duration in seconds.
    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
