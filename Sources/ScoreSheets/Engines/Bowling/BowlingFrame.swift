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

extension BowlingFrame {
    /// The frame that somebody types after `play`: `X`, `7/`, `72`, `7 2`, `-/`, `9-`; in any case,
    /// with spaces and commas or without.
    ///
    /// Two balls that take all pins are a spare, however they are typed. A ball over the foul line
    /// counts nothing (USBC 5a), so `F` is a miss, as `G` in the gutter and `0` are.
    package init(typed words: [String], number: Int) throws(BowlingRule) {
        let isLast = number == BowlingFrame.most
        // By bytes, since a stranger may have written a long text where a frame belongs.
        let words = words.flatMap { word in
            word.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
                .map { String(Substring($0)) }
        }
        guard !words.isEmpty else { throw .nothingTyped }
        guard !words.contains("\(BowlingRack.pins)") else { throw .ten }
        var rack = BowlingRack(isLast: isLast)
        for word in words {
            for mark in word.utf8 {
                guard !rack.isOver else {
                    throw .ballsAfterEnd(BowlingFrame(rack).spelling, number: number)
                }
                rack.bowl(try rack.pins(of: mark, in: word))
            }
        }
        guard rack.isOver else {
            throw .ballMissing(after: words.joined().uppercased(), isBonus: rack.isFresh)
        }
        self.init(rack)
    }
}

extension BowlingRack {
    /// The pins that a mark says.
    fileprivate func pins(of mark: UInt8, in word: String) throws(BowlingRule) -> Int {
        switch mark {
        case BowlingMark.strike, UInt8(ascii: "x"):
            guard isFresh else { throw .strikeLate(left: standing) }
            return BowlingRack.pins
        case BowlingMark.spare:
            guard !isFresh else { throw .spareFirst }
            return standing
        case BowlingMark.miss, UInt8(ascii: "F"), UInt8(ascii: "f"), UInt8(ascii: "G"),
            UInt8(ascii: "g"):
            return 0
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            let pins = Int(mark - UInt8(ascii: "0"))
            guard pins <= standing else {
                throw .tooManyPins(BowlingRack.pins - standing, pins)
            }
            return pins
        default: throw .notAFrame(word)
        }
    }
}

/// The ten pins as they stand between the balls of a frame.
///
/// Sources: the playing rules of the USBC, 2a–2g and 4a.
struct BowlingRack {
    /// How many pins there are.
    static let pins: Int = 10
    /// How many balls a frame has at most before the last one, and in it.
    static let balls = (before: 2, last: 3)

    /// Whether it is of the last frame, in which pins are set anew.
    let isLast: Bool
    /// What each ball took.
    private(set) var rolls: [Int] = []
    /// How many pins stand.
    private(set) var standing: Int = BowlingRack.pins
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

/// The characters that are no digits.
enum BowlingMark {
    static let strike = UInt8(ascii: "X")
    static let spare = UInt8(ascii: "/")
    static let miss = UInt8(ascii: "-")
}
