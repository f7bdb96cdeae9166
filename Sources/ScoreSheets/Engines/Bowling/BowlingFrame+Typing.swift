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
