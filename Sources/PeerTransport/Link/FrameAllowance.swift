/// How many frames of a link are read: a burst, and then so many a second.
///
/// A member who sends without end would otherwise hold up all others, who share the queue. Nothing
/// is lost by it: what is not read yet waits where it comes from. A value without a clock of its
/// own, so that its bounds are tested alone.
struct FrameAllowance {
    private var left = Double(TransportLimits.framesAtOnce)
    private var last: SuspendingClock.Instant?

    /// Counts a frame that is read then; whether the next may be read at once.
    mutating func spend(at now: SuspendingClock.Instant) -> Bool {
        if let last {
            let passed = last.duration(to: now) / .seconds(1)
            let more = max(0, passed) * Double(TransportLimits.framesPerSecond)
            left = min(Double(TransportLimits.framesAtOnce), left + more)
        }
        last = now
        left -= 1
        return left >= 1
    }
}
