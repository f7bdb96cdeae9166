/// The state of one player's game after the frames bowled so far.
///
/// Source: the playing rules of the USBC, 2a–2g: a strike counts ten and the next two balls, a spare
/// ten and the next ball, and the last frame has the balls for both itself.
package struct BowlingState: Hashable, Sendable {
    package private(set) var frames: [BowlingFrame] = []

    package init() {}

    /// Adds the next frame.
    package mutating func add(_ frame: BowlingFrame) {
        if !isOver { frames.append(frame) }
    }

    /// Whether all frames are bowled.
    package var isOver: Bool { frames.count == BowlingFrame.count }

    /// The points of each frame so far, with its bonus as far as the balls for it are bowled.
    package var points: [Int] { counted.map(\.points) }

    /// All points so far.
    package var total: Int { points.reduce(0, +) }

    /// The running score after each frame; nil while it waits for balls that follow.
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
        var state = self
        while !state.isOver {
            var rack = BowlingRack(isLast: state.frames.count == BowlingFrame.count - 1)
            while !rack.isOver { rack.bowl(BowlingRack.pinCount) }
            state.add(BowlingFrame(rack))
        }
        return state.total
    }

    private var counted: [(points: Int, isKnown: Bool)] {
        let rolls = frames.flatMap(\.rolls)
        var start = 0
        return frames.enumerated().map { index, frame in
            defer { start += frame.rolls.count }
            let isLast = index == BowlingFrame.count - 1
            // A strike and a spare count three balls, with those of the next frames.
            let balls = frame.isOpen || isLast ? frame.rolls.count : BowlingRack.maxBalls.last
            let own = rolls[start..<min(start + balls, rolls.count)]
            return (own.reduce(0, +), own.count == balls)
        }
    }
}
