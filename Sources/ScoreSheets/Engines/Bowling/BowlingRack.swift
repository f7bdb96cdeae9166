/// The ten pins as they stand between the balls of a frame.
///
/// Sources: the playing rules of the USBC, 2a–2g and 4a.
struct BowlingRack {
    /// How many pins there are.
    static let pins = 10
    /// How many balls a frame has at most before the last one, and in it.
    static let balls = (before: 2, last: 3)

    /// Whether it is of the last frame, in which pins are set anew.
    let isLast: Bool
    /// What each ball took.
    private(set) var rolls: [Int] = []
    /// How many pins stand.
    private(set) var standing = BowlingRack.pins
    /// Whether no ball was bowled at these pins yet.
    private(set) var isFresh = true

    /// All pins, before the first ball of a frame.
    init(isLast: Bool) {
        self.isLast = isLast
    }

    /// Whether no ball follows in the frame.
    var isOver: Bool {
        guard let first = rolls.first else { return false }
        if !isLast { return first == BowlingRack.pins || rolls.count == BowlingRack.balls.before }
        let hasThird = rolls.prefix(BowlingRack.balls.before).reduce(0, +) >= BowlingRack.pins
        return rolls.count == (hasThird ? BowlingRack.balls.last : BowlingRack.balls.before)
    }

    /// Takes in a ball, which took no more pins than stand.
    mutating func bowl(_ pins: Int) {
        rolls.append(pins)
        standing -= pins
        isFresh = false
        if standing == 0 {
            standing = BowlingRack.pins
            isFresh = true
        }
    }
}
