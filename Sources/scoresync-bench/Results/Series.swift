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
