/// Pauses that grow, and that drift apart.
extension Timing {
    /// The pause after one that was of no use: twice as long, within the range; 0 is none before.
    static func pause(after last: UInt64, in range: ClosedRange<UInt64>) -> UInt64 {
        min(range.upperBound, max(range.lowerBound, last * 2))
    }

    /// A pause made longer or shorter by up to a fifth, so that devices that began together drift
    /// apart; `jitter` is between 0 and 1.
    static func spread(_ pause: UInt64, _ jitter: Double) -> UInt64 {
        UInt64(Double(pause) * (0.8 + 0.4 * jitter))
    }
}
