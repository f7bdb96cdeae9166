/// How a player's game stands by the frames bowled so far.
///
/// Source: the playing rules of the USBC, 2a–2g: a strike counts ten and the next two balls, a
/// spare ten and the next ball, and the last frame has the balls for both itself.
package struct BowlingStand: Hashable, Sendable {
    /// The frames, the first first.
    package private(set) var frames: [BowlingFrame] = []

    /// Before the first frame.
    package init() {}

    /// Takes in the next frame.
    package mutating func take(_ frame: BowlingFrame) {
        if !isOver { frames.append(frame) }
    }

    /// Whether all frames are bowled.
    package var isOver: Bool { frames.count == BowlingFrame.most }

    /// What each frame counts so far: also its bonus, as far as the balls for it are bowled.
    package var points: [Int] { counted.map(\.points) }

    /// What has been counted, with the bonuses as far as they are known.
    package var total: Int { points.reduce(0, +) }

    /// The running score after each frame; nil where it waits for balls that follow.
    package var runningScores: [Int?] {
        var sum = 0
        var isKnown = true
        return counted.map { frame in
            isKnown = isKnown && frame.isKnown
            sum += frame.points
            return isKnown ? sum : nil
        }
    }

    /// The score if every ball that follows is a strike.
    package var highest: Int {
        var stand = self
        while !stand.isOver {
            var rack = BowlingRack(isLast: stand.frames.count == BowlingFrame.most - 1)
            while !rack.isOver { rack.bowl(BowlingRack.pins) }
            stand.take(BowlingFrame(rack))
        }
        return stand.total
    }

    private var counted: [(points: Int, isKnown: Bool)] {
        let rolls = frames.flatMap(\.rolls)
        var start = 0
        return frames.enumerated().map { index, frame in
            defer { start += frame.rolls.count }
            let isLast = index == BowlingFrame.most - 1
            // A strike and a spare count three balls, with those of the next frames.
            let balls = frame.isOpen || isLast ? frame.rolls.count : BowlingRack.balls.last
            let own = rolls[start..<min(start + balls, rolls.count)]
            return (own.reduce(0, +), own.count == balls)
        }
    }
}
