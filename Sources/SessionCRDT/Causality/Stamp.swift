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
