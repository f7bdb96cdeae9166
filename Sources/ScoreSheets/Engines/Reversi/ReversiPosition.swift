/// A position as whoever is to move sees it: two bitboards, the own discs and the other's.
///
/// A bit is a square as `ReversiSquare` counts them. All rays of a direction are followed at once
/// by shifts that double their reach, so that nothing here has a branch for each square.
package struct ReversiPosition: Hashable, Sendable {
    /// The discs of whoever is to move.
    package let own: UInt64
    /// The discs of the other side.
    package let other: UInt64

    /// The position of these discs; no square is in both.
    package init(own: UInt64, other: UInt64) {
        self.own = own
        self.other = other
    }

    /// The start: black, to move, on e4 and d5, white on d4 and e5.
    package static let start = ReversiPosition(
        own: 1 << 28 | 1 << 35,
        other: 1 << 27 | 1 << 36
    )

    /// The files b to g: a ray that leaves the board at the side must not come in at the other.
    private static let inner: UInt64 = 0x7E7E_7E7E_7E7E_7E7E

    /// The squares without a disc.
    package var empty: UInt64 { ~(own | other) }

    /// The position after a pass.
    package var passed: ReversiPosition { ReversiPosition(own: other, other: own) }

    /// Whether neither side can move.
    package var isOver: Bool { moves == 0 && passed.moves == 0 }

    /// The squares where a disc turns at least one.
    package var moves: UInt64 {
        let flat = other & Self.inner
        let reached =
            ends(through: flat, 1) | ends(through: flat, 7) | ends(through: other, 8)
            | ends(through: flat, 9)
        return reached & empty
    }

    /// The discs that a disc on this empty square turns; none where it may not be put.
    package func flips(at index: Int) -> UInt64 {
        let flat = other & Self.inner
        let bit: UInt64 = 1 &<< UInt64(index)
        return run(from: bit, through: flat, 1) | run(from: bit, through: flat, 7)
            | run(from: bit, through: other, 8) | run(from: bit, through: flat, 9)
    }

    /// The position after a disc was put on this square and turned these.
    package func playing(at index: Int, turning flips: UInt64) -> ReversiPosition {
        ReversiPosition(own: other ^ flips, other: own ^ flips ^ (1 &<< UInt64(index)))
    }

    /// How many ways there are to move so many times; a pass is a move.
    package func perft(_ depth: Int) -> Int {
        guard depth > 0 else { return 1 }
        var rest = moves
        guard rest != 0 else {
            return passed.moves == 0 ? 1 : passed.perft(depth - 1)
        }
        guard depth > 1 else { return rest.nonzeroBitCount }
        var count = 0
        while rest != 0 {
            let index = rest.trailingZeroBitCount
            rest &= rest &- 1
            count += playing(at: index, turning: flips(at: index)).perft(depth - 1)
        }
        return count
    }

    /// The squares one step behind each run of `mask` that begins beside an own disc, in the two
    /// directions of a step.
    @inline(__always)
    private func ends(through mask: UInt64, _ step: UInt64) -> UInt64 {
        (Self.up(own, mask, step) &<< step) | (Self.down(own, mask, step) &>> step)
    }

    /// The runs of `mask` between the disc and an own one, in the two directions of a step.
    @inline(__always)
    private func run(from bit: UInt64, through mask: UInt64, _ step: UInt64) -> UInt64 {
        let up = Self.up(bit, mask, step)
        let down = Self.down(bit, mask, step)
        return ((up &<< step) & own != 0 ? up : 0) | ((down &>> step) & own != 0 ? down : 0)
    }

    /// The discs of `mask` in unbroken runs of up to six from the bits on, towards h8.
    @inline(__always)
    private static func up(_ bits: UInt64, _ mask: UInt64, _ step: UInt64) -> UInt64 {
        var run = mask & (bits &<< step)
        run |= mask & (run &<< step)
        let pairs = mask & (mask &<< step)
        run |= pairs & (run &<< (2 &* step))
        run |= pairs & (run &<< (2 &* step))
        return run
    }

    /// The same towards a1.
    @inline(__always)
    private static func down(_ bits: UInt64, _ mask: UInt64, _ step: UInt64) -> UInt64 {
        var run = mask & (bits &>> step)
        run |= mask & (run &>> step)
        let pairs = mask & (mask &>> step)
        run |= pairs & (run &>> (2 &* step))
        run |= pairs & (run &>> (2 &* step))
        return run
    }
}
