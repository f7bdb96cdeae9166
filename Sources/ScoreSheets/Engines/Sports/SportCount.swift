/// A number for each side.
package struct SportCount: Hashable, Sendable {
    private var first: Int
    private var second: Int

    /// So many of each side.
    package init(_ first: Int = 0, _ second: Int = 0) {
        self.first = first
        self.second = second
    }

    /// Both together.
    package var sum: Int { first + second }

    /// The number of a side.
    package subscript(side: SportSide) -> Int {
        get { side == .first ? first : second }
        set { if side == .first { first = newValue } else { second = newValue } }
    }

    /// By how much a side is ahead; less than nothing of one that is behind.
    package func lead(of side: SportSide) -> Int { self[side] - self[side.other] }
}
