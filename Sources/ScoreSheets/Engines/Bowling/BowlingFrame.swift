package struct BowlingFrame: Hashable, Sendable {
    package static let count = 10

    /// The pins that each ball knocked down: one or two balls, in the last frame up to three.
    package let rolls: [Int]
    /// The canonical form, which is stored: `X`, `7/`, `72`, `9-`, in the last frame `XXX` or
    /// `9/8`.
    package let spelling: String

    init(_ rack: BowlingRack) {
        rolls = rack.rolls
        var again = BowlingRack(isLast: rack.isLast)
        spelling = rack.rolls.map { again.bowlAndSpell($0) }.joined()
    }

    /// Parses the canonical form; `number` counts frames from 1.
    package init?(spelling: String, number: Int) {
        let isShort = (1...BowlingRack.maxBalls.last).contains(spelling.utf8.prefix(4).count)
        guard isShort, let frame = try? BowlingFrame(typed: [spelling], number: number),
            frame.spelling.utf8.elementsEqual(spelling.utf8)
        else { return nil }
        self = frame
    }

    /// Parses what players type after `play`: `X`, `7/`, `72`, `7 2`, `-/`, `9-`; in any case, with
    /// or without spaces and commas.
    ///
    /// Two balls that knock down all pins are a spare, in any notation. A ball over the foul line
    /// counts nothing (USBC 5a), so `F` is a miss, as `G` in the gutter and `0` are.
    package init(typed words: [String], number: Int) throws(RuleViolation) {
        let words = words.typedWords
        guard !words.isEmpty else {
            throw RuleViolation(
                "no frame given; frames are X, 7/, 72 or 9-",
                hint: "for example: scorectl play 7/"
            )
        }
        guard !words.contains("\(BowlingRack.pinCount)") else {
            throw RuleViolation(
                "10 is ambiguous: enter X for a strike, or 1- for one pin and a miss"
            )
        }
        var rack = BowlingRack(isLast: number == BowlingFrame.count)
        for word in words {
            for mark in word.utf8 {
                guard !rack.isOver else {
                    let frame = BowlingFrame(rack).spelling
                    throw RuleViolation(
                        rack.isLast
                            ? "the game ends with \(frame); leave out what follows"
                            : "frame \(number) ends with \(frame); play one frame at a time"
                    )
                }
                rack.bowl(try rack.pins(of: mark, in: word))
            }
        }
        guard rack.isOver else {
            let typed = words.joined().uppercased()
            throw RuleViolation(
                rack.isFresh
                    ? "\(typed) has a ball to come: add X, a number, or - for none"
                    : "\(typed) lacks the ball after it: add /, a number, or - for none"
            )
        }
        self.init(rack)
    }

    package var pins: Int { rolls.reduce(0, +) }
    package var strikes: Int { spelling.utf8.count { $0 == BowlingRack.strike } }
    package var spares: Int { spelling.utf8.count { $0 == BowlingRack.spare } }

    package var isOpen: Bool { strikes + spares == 0 }

    static let examples = "X, 7/, 72, 9-, --; and XXX or 9/8 in frame \(count)"
}

/// The ten pins between the balls of a frame.
///
/// Sources: the playing rules of the USBC, 2a–2g and 4a.
struct BowlingRack {
    static let pinCount = 10
    /// The maximum number of balls of a frame before the last one, and of the last one.
    static let maxBalls = (before: 2, last: 3)
    static let strike = UInt8(ascii: "X")
    static let spare = UInt8(ascii: "/")

    /// Whether it belongs to the last frame, in which the pins are set again after a strike or
    /// spare.
    let isLast: Bool
    private(set) var rolls: [Int] = []
    private(set) var standing = BowlingRack.pinCount
    /// Whether no ball has been bowled at the pins as they stand.
    private(set) var isFresh = true

    init(isLast: Bool) { self.isLast = isLast }

    var isOver: Bool {
        guard let first = rolls.first else { return false }
        let (before, last) = BowlingRack.maxBalls
        if !isLast { return first == BowlingRack.pinCount || rolls.count == before }
        let hasThird = rolls.prefix(before).reduce(0, +) >= BowlingRack.pinCount
        return rolls.count == (hasThird ? last : before)
    }

    /// Bowls a ball; `pins` is at most the number of standing pins.
    mutating func bowl(_ pins: Int) {
        rolls.append(pins)
        standing -= pins
        isFresh = false
        if standing == 0 {
            standing = BowlingRack.pinCount
            isFresh = true
        }
    }

    fileprivate mutating func bowlAndSpell(_ pins: Int) -> String {
        let (wasFresh, isAll) = (isFresh, pins == standing)
        bowl(pins)
        if isAll { return wasFresh ? "X" : "/" }
        return pins == 0 ? "-" : "\(pins)"
    }

    fileprivate func pins(of mark: UInt8, in word: String) throws(RuleViolation) -> Int {
        switch mark {
        case BowlingRack.strike, UInt8(ascii: "x"):
            guard isFresh else {
                throw RuleViolation(
                    "X is a strike, with all pins up; to take the \(standing) that are left is /"
                )
            }
            return BowlingRack.pinCount
        case BowlingRack.spare:
            guard !isFresh else {
                throw RuleViolation("/ takes what a ball before it has left; a strike is X")
            }
            return standing
        case _ where "-FfGg".utf8.contains(mark): return 0
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            let pins = Int(mark - UInt8(ascii: "0"))
            guard pins <= standing else {
                let first = BowlingRack.pinCount - standing
                throw RuleViolation(
                    "\(first) and \(pins) are more than the ten pins; a spare is \(first)/"
                )
            }
            return pins
        default:
            throw RuleViolation("\(word.quoted) is not a frame: \(BowlingFrame.examples)")
        }
    }
}
