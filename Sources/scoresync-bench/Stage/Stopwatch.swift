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
