/// The time of a write on a hybrid logical clock: 48 bits of milliseconds since 1970, then 16 bits
/// of counter (Kulkarni et al., "Logical Physical Clocks", 2014).
///
/// Stamps only decide between writes that did not know of each other.
package struct Stamp: Hashable, Comparable, Sendable {
    /// Milliseconds above, counter in the low 16 bits.
    package let bits: UInt64

    /// The stamp with these bits.
    package init(bits: UInt64) {
        self.bits = bits
    }

    /// The first stamp of a millisecond; milliseconds past 48 bits are cut to the last there is.
    package init(milliseconds: UInt64, counter: UInt16 = 0) {
        bits = min(milliseconds, Stamp.lastMillisecond) << 16 | UInt64(counter)
    }

    /// The last millisecond that a stamp can name, in the year 10889.
    package static let lastMillisecond: UInt64 = (1 << 48) - 1

    /// Milliseconds since 1970, UTC.
    package var milliseconds: UInt64 { bits >> 16 }

    /// The place among the stamps of one millisecond.
    package var counter: UInt16 { UInt16(truncatingIfNeeded: bits) }

    package static func < (left: Stamp, right: Stamp) -> Bool { left.bits < right.bits }
}

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
