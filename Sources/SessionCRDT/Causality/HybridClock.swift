/// Gives local writes their stamps, after every stamp that this device has seen.
///
/// A stamp that is far ahead, from a laptop with a wrong clock, is followed for ten seconds at
/// most, so that one wrong clock does not drag all others into the future with it.
package struct HybridClock: Hashable, Sendable {
    /// How far past the physical clock a stamp of somebody else is followed, in milliseconds.
    package static let furthestLead: UInt64 = 10_000
    /// The year 2000 in milliseconds: what a laptop with an empty clock battery says at least.
    package static let earliest: UInt64 = 946_684_800_000
    /// The year 2200 in milliseconds.
    package static let latest: UInt64 = 7_258_118_400_000

    private var last = Stamp(bits: 0)

    /// A clock that has seen nothing.
    package init() {}

    /// Remembers the stamp of an entry from anywhere; no stamp is refused.
    package mutating func observe(_ stamp: Stamp) {
        last = max(last, stamp)
    }

    /// The stamp of a local write made now, at `physical` milliseconds since 1970.
    package mutating func tick(physical: UInt64) -> Stamp {
        let now = min(max(physical, HybridClock.earliest), HybridClock.latest)
        let lead = Stamp(milliseconds: now + HybridClock.furthestLead)
        // One more in the counter; past its end it carries into the milliseconds.
        last = Stamp(bits: max(Stamp(milliseconds: now), min(last, lead)).bits + 1)
        return last
    }
}
