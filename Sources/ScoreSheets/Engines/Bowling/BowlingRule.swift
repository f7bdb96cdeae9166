/// Why a frame cannot be entered or does not count, in words.
package enum BowlingRule: Error, Hashable, Sendable {
    /// `play` without words.
    case nothingTyped
    /// The word is no frame.
    case notAFrame(String)
    /// Ten as a number, which could be a strike, or one pin and none.
    case ten
    /// A strike with pins of a ball before missing.
    case strikeLate(left: Int)
    /// A spare without a ball before.
    case spareFirst
    /// Two balls that take more pins than there are.
    case tooManyPins(Int, Int)
    /// Balls after the last one of a frame.
    case ballsAfterEnd(String, number: Int)
    /// A frame that goes on.
    case ballMissing(after: String, isBonus: Bool)
    /// What is written is not the spelling of a frame.
    case misspelled(String, canonical: String?)
    /// A frame that no game has.
    case noSuchFrame(UInt32)
    /// A frame of the player before this one is open.
    case gap(Int, player: String)
    /// Somebody else is to bowl.
    case otherTurn(bowler: String, frame: Int, instead: String, at: Int)
    /// The player has bowled all frames, and others have not.
    case done(player: String)

    /// The rule as the other parts of the program pass it on.
    var violation: RuleViolation { .game(.bowling(self)) }
}

extension BowlingRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .nothingTyped: "say what was bowled: play X, play 7/, play 72, play 9-"
        case .notAFrame(let word):
            "\(word.quoted) is no frame: X, 7/, 72, 9-, --; and XXX or 9/8 in frame "
                + "\(BowlingFrame.most)"
        case .ten: "10 could be a strike, which is X, or one pin and none, which is 1-"
        case .strikeLate(let left):
            "X is a strike, with all pins up; to take the \(left) that are left is /"
        case .spareFirst: "/ takes what a ball before it has left; a strike is X"
        case .tooManyPins(let first, let second):
            "\(first) and \(second) are more than the ten pins; a spare is \(first)/"
        case .ballsAfterEnd(let frame, let number) where number < BowlingFrame.most:
            "frame \(number) ends with \(frame); play one frame at a time"
        case .ballsAfterEnd(let frame, _): "the game ends with \(frame); leave out what follows"
        case .ballMissing(let typed, isBonus: true):
            "\(typed) has a ball to come: add X, a number, or - for none"
        case .ballMissing(let typed, isBonus: false):
            "\(typed) lacks the ball after it: add /, a number, or - for none"
        case .misspelled(let text, .some(let canonical)):
            "a frame is written in one way: \(canonical), not \(text)"
        case .misspelled(let text, nil):
            "\(text) is no such frame: X, 7/, 72, 9-, --; and XXX or 9/8 in frame "
                + "\(BowlingFrame.most)"
        case .noSuchFrame(let number):
            "a game has frames 1 to \(BowlingFrame.most), not \(number)"
        case .gap(let number, let player):
            "frame \(number) comes first, and nothing of \(player) counts there"
        case .otherTurn(let bowler, let frame, let player, let number):
            "\(bowler) bowls next, frame \(frame); what \(player) bowled out of turn is entered "
                + "with score \(player) frame.\(number)=…"
        case .done(let player): "\(player) has bowled all \(BowlingFrame.most) frames"
        }
    }
}
