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
    private var lastPhysical: UInt64 = 0
    private var seen = Stamp(bits: 0)

    /// A clock that has seen nothing.
    package init() {}

    /// Remembers the stamp of an entry from anywhere; no stamp is refused.
    package mutating func observe(_ stamp: Stamp) {
        seen = max(seen, stamp)
    }

    /// The stamp of a local write made now, at `physical` milliseconds since 1970.
    ///
    /// It is greater than every stamp given before while the physical clock does not jump back.
    package mutating func tick(physical: UInt64) -> Stamp {
        let now = min(max(physical, HybridClock.earliest), HybridClock.latest)
        let lead = Stamp(milliseconds: now + HybridClock.furthestLead)
        // The clock's own stamps pass the lead only tick by tick, unless the clock was set back.
        let own = now < lastPhysical ? min(last, lead) : last
        // One more in the counter; past its end it carries into the milliseconds.
        last = Stamp(bits: max(Stamp(milliseconds: now), min(seen, lead), own).bits + 1)
        lastPhysical = now
        seen = last
        return last
    }
}
