/// When an input happened, on the two clocks that a daemon has.
package struct Moment: Hashable, Sendable {
    /// Milliseconds on a clock that only goes forward; where it starts does not matter.
    package let uptime: UInt64
    /// Milliseconds since 1970 by the wall clock, right or wrong.
    package let wall: UInt64

    /// The moment of both clocks.
    package init(uptime: UInt64, wall: UInt64) {
        self.uptime = uptime
        self.wall = wall
    }

    /// How far a clock that shows so many milliseconds since 1970 is ahead of this one.
    func skew(of milliseconds: UInt64) -> Int64 {
        Int64(clamping: milliseconds) - Int64(clamping: wall)
    }
}
