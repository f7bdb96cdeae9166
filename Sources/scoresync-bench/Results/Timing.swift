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
