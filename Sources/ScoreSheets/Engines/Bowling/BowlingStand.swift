import SessionCRDT

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

/// What is counted of a player's game for statistics.
enum BowlingTally {
    private static let strikes = Symbol(known: "strikes")
    private static let spares = Symbol(known: "spares")
    private static let openFrames = Symbol(known: "open-frames")

    /// What the frames of a game come to, by name.
    static func counts(of stand: BowlingStand) -> [Symbol: Int64] {
        func sum(_ count: (BowlingFrame) -> Int) -> Int64 {
            Int64(stand.frames.reduce(0) { $0 + count($1) })
        }
        return [
            strikes: sum(\.strikes), spares: sum(\.spares), openFrames: sum { $0.isOpen ? 1 : 0 },
        ]
    }

    /// What somebody's finished games come to.
    static func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        let pins = outcomes.reduce(Int128(0)) { $0 + Int128($1.total) }
        let average = outcomes.isEmpty ? nil : Statistic.quotient(pins, Int128(outcomes.count))
        let highest = outcomes.map(\.total).max()
        return [
            Statistic(Symbol(known: "games"), "Games", "\(outcomes.count)"),
            Statistic(Symbol(known: "wins"), "Wins", "\(outcomes.count(where: \.isWin))"),
            Statistic(Symbol(known: "average"), "Average", average),
            Statistic(Symbol(known: "high-game"), "High game", highest.map { "\($0)" }),
            Statistic(strikes, "Strikes", "\(outcomes.sum(of: strikes))"),
            Statistic(spares, "Spares", "\(outcomes.sum(of: spares))"),
            Statistic(openFrames, "Open frames", "\(outcomes.sum(of: openFrames))"),
        ]
    }
}
