import Synchronization

/// How much of something long is done, as it was told to whoever waits for it.
final class ToldProgress: Sendable {
    private let hundredths = Atomic<Int>(0)

    /// Tells what was not told yet of a share from 0 to 1.
    func tell(_ share: Double) {
        let now = Int(max(0, min(1, share)) * 100)
        let before = hundredths.max(now, ordering: .relaxed).oldValue
        if now > before { Readiness.tellProgress(hundredths: now - before) }
    }
}
