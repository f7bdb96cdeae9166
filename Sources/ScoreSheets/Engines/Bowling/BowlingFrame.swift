/// What a player bowled in one frame.
package struct BowlingFrame: Hashable, Sendable {
    /// How many frames a game has.
    package static let most = 10

    /// The pins that each ball took: one, two, or in the last frame up to three.
    package let rolls: [Int]
    /// The one spelling in which it is stored: `X`, `7/`, `72`, `9-`, at the end `XXX` or `9/8`.
    package let spelling: String

    /// The frame of these balls, all that it has.
    init(_ rack: BowlingRack) {
        rolls = rack.rolls
        var again = BowlingRack(isLast: rack.isLast)
        spelling = rack.rolls.map { again.mark(of: $0) }.joined()
    }

    /// The frame of its one spelling; `number` is its place from 1.
    package init?(spelling: String, number: Int) {
        let isShort = (1...BowlingRack.balls.last).contains(spelling.utf8.prefix(4).count)
        guard isShort, let frame = try? BowlingFrame(typed: [spelling], number: number),
            frame.spelling.utf8.elementsEqual(spelling.utf8)
        else { return nil }
        self = frame
    }

    /// The pins that it took.
    package var pins: Int { rolls.reduce(0, +) }

    /// How many balls of it were strikes.
    package var strikes: Int { spelling.utf8.count { $0 == BowlingMark.strike } }

    /// How many pairs of balls of it were spares.
    package var spares: Int { spelling.utf8.count { $0 == BowlingMark.spare } }

    /// Whether pins were left standing.
    package var isOpen: Bool { strikes + spares == 0 }
}

extension BowlingRack {
    /// How a ball is written, which is taken in.
    fileprivate mutating func mark(of pins: Int) -> String {
        let (wasFresh, isAll) = (isFresh, pins == standing)
        bowl(pins)
        if isAll { return wasFresh ? "X" : "/" }
        return pins == 0 ? "-" : "\(pins)"
    }
}
