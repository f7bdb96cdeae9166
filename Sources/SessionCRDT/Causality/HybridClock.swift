/// The time of a write on a hybrid logical clock: 48 bits of milliseconds since 1970, then 16 bits
/// of counter (Kulkarni et al., "Logical Physical Clocks", 2014).
///
/// Stamps only decide between concurrent writes.
package struct Stamp: Hashable, Comparable, Sendable {
    package let bits: UInt64

    package init(bits: UInt64) { self.bits = bits }

    /// Creates the first stamp of a millisecond, which is clamped to `lastMillisecond`.
    package init(milliseconds: UInt64, counter: UInt16 = 0) {
        bits = min(milliseconds, Stamp.lastMillisecond) << 16 | UInt64(counter)
    }

    /// The last millisecond that 48 bits can hold, in the year 10889.
    package static let lastMillisecond: UInt64 = (1 << 48) - 1

    /// Milliseconds since 1970, UTC.
    package var milliseconds: UInt64 { bits >> 16 }
    package var counter: UInt16 { UInt16(truncatingIfNeeded: bits) }
    package static func < (left: Stamp, right: Stamp) -> Bool { left.bits < right.bits }
}

/// A hybrid logical clock: stamps local writes later than everything that this device has seen.
///
/// A new stamp is one more than the latest of three: the physical clock, the last stamp given, and
/// the latest stamp observed in received entries. So a write always sorts after the writes that its
/// author had seen, and stays close to wall time. A peer with a wrong clock must not drag the other
/// devices into the future: an observed stamp counts only up to `maxLead` past the physical clock.
package struct HybridClock: Hashable, Sendable {
    /// The maximum time by which an observed stamp can advance this clock, in milliseconds.
    package static let maxLead: UInt64 = 10_000
    /// The year 2000 in milliseconds: the minimum reading, for laptops with an empty clock battery.
    package static let earliest: UInt64 = 946_684_800_000
    /// The year 2200 in milliseconds: the maximum reading.
    package static let latest: UInt64 = 7_258_118_400_000

    private var last = Stamp(bits: 0)
    private var lastPhysical: UInt64 = 0
    private var seen = Stamp(bits: 0)

    package init() {}

    /// Records the stamp of a received entry; no stamp is rejected.
    package mutating func observe(_ stamp: Stamp) { seen = max(seen, stamp) }

    /// Returns the stamp of a local write made at `physical` milliseconds since 1970.
    ///
    /// It is greater than every stamp returned before unless the physical clock jumps back.
    package mutating func tick(physical: UInt64) -> Stamp {
        let now = min(max(physical, HybridClock.earliest), HybridClock.latest)
        let lead = Stamp(milliseconds: now + HybridClock.maxLead)
        // The clock's own stamps exceed the lead only one at a time, unless the physical clock was
        // set back.
        let own = now < lastPhysical ? min(last, lead) : last
        // The counter plus one; on overflow it carries into the milliseconds.
        last = Stamp(bits: max(Stamp(milliseconds: now), min(seen, lead), own).bits + 1)
        lastPhysical = now
        seen = last
        return last
    }
}
