package import SessionCRDT

/// The rules of ten-pin bowling, for one player or more.
///
/// A frame is an entry in the row `frame`; its round is the frame of its player, so that frames
/// entered on disconnected devices never collide. Source: the playing rules of the USBC, 2 and 4.
/// Deliberate choices: the player with the fewest frames bowls next, in seat order if several have
/// the fewest, so that a latecomer catches up; players who come after another has bowled the last
/// frame take no part in the game.
package struct BowlingRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? { [(row, .moves)] }
    package static var teamRules: [TeamRule] { [.none, .together] }

    package let sheet: Sheet

    static let row = Symbol(known: "frame")

    package init(sheet: Sheet) { self.sheet = sheet }

    package func game(ofScorers book: Book) -> any Game { BowlingGame(self, book) }

    /// The pins that a player may start with.
    static let handicaps: ClosedRange<Int64> = 0...300

    package func check(start points: Points, in book: Book) throws(RuleViolation) {
        guard let pins = points.whole, Self.handicaps.contains(pins) else {
            let (least, most) = (Self.handicaps.lowerBound, Self.handicaps.upperBound)
            throw RuleViolation("a handicap is \(least) to \(most) pins, not \(points)")
        }
    }

    /// Parses the value of a cell as a frame; nil for an empty cell, throws if it is not a frame.
    func frame(
        of value: Value,
        in cell: Cell
    ) throws(RuleViolation) -> (number: Int, frame: BowlingFrame)? {
        guard let round = try sheet.round(ofMove: value, in: cell, BowlingRules.row) else {
            return nil
        }
        guard let number = Int(exactly: round), number <= BowlingFrame.count else {
            throw RuleViolation("a game has frames 1 to \(BowlingFrame.count), not \(round)")
        }
        if let frame = value.string.flatMap({ BowlingFrame(spelling: $0, number: number) }) {
            return (number, frame)
        }
        throw BowlingGame.words.misspelt(
            value,
            meant: (try? BowlingFrame(typed: [value.typed], number: number))?.spelling,
            examples: BowlingFrame.examples
        )
    }

    private static let strikes = Symbol(known: "strikes")
    private static let spares = Symbol(known: "spares")
    private static let opens = Symbol(known: "open-frames")

    static func tally(_ frames: [BowlingFrame]) -> [Symbol: Int64] {
        func sum(_ count: (BowlingFrame) -> Int) -> Int64 {
            Int64(frames.reduce(0) { $0 + count($1) })
        }
        return [strikes: sum(\.strikes), spares: sum(\.spares), opens: sum { $0.isOpen ? 1 : 0 }]
    }

    package func statistics(of games: [PlayerOutcome]) -> [Statistic] {
        [
            .count("games", "Games", games),
            .wins("wins", "Wins", games),
            .averageTotal("Average", games),
            Statistic("high-game", "High game", games.map(\.total).max().map { "\($0)" }),
            .sum(Self.strikes, "Strikes", games),
            .sum(Self.spares, "Spares", games),
            .sum(Self.opens, "Open frames", games),
        ]
    }
}

/// The state of one player's game after the frames bowled so far.
///
/// Source: the playing rules of the USBC, 2a–2g: a strike counts ten and the next two balls, a
/// spare ten and the next ball, and the last frame includes these extra balls.
package struct BowlingState: Hashable, Sendable {
    package private(set) var frames: [BowlingFrame] = []

    package init() {}

    package mutating func add(_ frame: BowlingFrame) {
        if !isOver { frames.append(frame) }
    }

    package var isOver: Bool { frames.count == BowlingFrame.count }

    /// The points of each frame so far, including the bonus from the balls bowled so far.
    package var points: [Int] { counted.map(\.points) }
    package var total: Int { points.reduce(0, +) }

    /// The running score after each frame; nil until the balls of its bonus are bowled.
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
            // A strike or spare counts three balls, some of them from the next frames.
            let balls = frame.isOpen || isLast ? frame.rolls.count : BowlingRack.maxBalls.last
            let own = rolls[start..<min(start + balls, rolls.count)]
            return (own.reduce(0, +), own.count == balls)
        }
    }
}
