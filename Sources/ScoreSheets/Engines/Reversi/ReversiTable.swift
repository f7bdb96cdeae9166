/// What a search has found out about positions, so that it need not find it out again.
///
/// A place for each hash: the later position takes it. The whole position is compared, so that a
/// result never depends on which positions share a hash by chance.
struct ReversiTable: Hashable {
    /// What is known about a value.
    enum Bound: UInt8 {
        case none
        case exact
        case atLeast
        case atMost
    }

    /// What is known about one position.
    struct Slot: Hashable {
        var own: UInt64 = 0
        var other: UInt64 = 0
        var value: Int32 = 0
        var depth: Int8 = 0
        var bound = Bound.none
        /// The best move, or the one that was too good; 64 of none.
        var square: UInt8 = 64
    }

    private var slots: [Slot]
    private let mask: Int

    /// A table of 2 to this power slots.
    init(bits: Int) {
        slots = Array(repeating: Slot(), count: 1 << bits)
        mask = 1 << bits - 1
    }

    private func place(of position: ReversiPosition) -> Int {
        var word = position.own &* 0x9E37_79B9_7F4A_7C15
        word ^= (position.other &* 0xC2B2_AE3D_27D4_EB4F) &>> 7
        word = (word ^ word &>> 32) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: word &>> 32) & mask
    }

    /// What is known about this position.
    subscript(position: ReversiPosition) -> Slot? {
        let slot = slots[place(of: position)]
        guard slot.own == position.own, slot.other == position.other else { return nil }
        return slot
    }

    /// Keeps what was found out last.
    mutating func keep(
        _ position: ReversiPosition,
        value: Int,
        depth: Int,
        bound: Bound,
        square: Int
    ) {
        slots[place(of: position)] = Slot(
            own: position.own,
            other: position.other,
            value: Int32(truncatingIfNeeded: value),
            depth: Int8(truncatingIfNeeded: depth),
            bound: bound,
            square: UInt8(truncatingIfNeeded: square)
        )
    }
}
