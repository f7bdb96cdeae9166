import SessionCRDT

/// The rules of ten-pin bowling, for one player or more.
///
/// A frame is a fact in the row `frame`, its round is the frame of its player: so frames that were
/// entered on devices that were apart never stand in each other's way. Source: the playing rules of
/// the USBC, 2 and 4. Deliberate choices: whoever has the fewest frames bowls next, the first seat
/// of equals, so that somebody who came late catches up; who comes after somebody has bowled the
/// last frame has no part in the game.
package struct BowlingRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The row of the frames.
    static let row = Symbol(known: "frame")

    /// What the game calls its frames.
    static let words = TurnWords(game: "game", turn: "frame", verb: "bowl", part: "game")

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        BowlingTally.statistics(of: outcomes)
    }

    package func start(_ book: Book) -> any GameState { BowlingGame(self, book) }

    /// The frame that a value is; nil of nothing, refused where it is none.
    func frame(
        of value: Value,
        in cell: Cell
    ) throws(RuleViolation) -> (number: Int, frame: BowlingFrame)? {
        guard let round = try sheet.round(ofMove: value, in: cell, BowlingRules.row) else {
            return nil
        }
        guard let number = Int(exactly: round), number <= BowlingFrame.most else {
            throw BowlingRule.noSuchFrame(round).violation
        }
        let text = value.string ?? value.integer.map(String.init) ?? ""
        if value.string != nil, let frame = BowlingFrame(spelling: text, number: number) {
            return (number, frame)
        }
        let meant = try? BowlingFrame(typed: [text], number: number)
        throw BowlingRule.misspelled(value.words, canonical: meant?.spelling).violation
    }
}

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

/// What bowling tells.
package enum BowlingNote: Hashable, Sendable {
    /// What somebody bowled, and the latest running score that is known.
    case bowled(player: String, frame: String, number: Int, known: Known?)
    /// Who bowls next.
    case turn(player: String, frame: Int)
    /// How everybody ended, the best first.
    case over([Score])

    /// A running score after a frame.
    package struct Known: Hashable, Sendable {
        /// The score.
        package let score: Int
        /// The frame after which it is.
        package let frame: Int
    }

    /// What somebody has in the end.
    package struct Score: Hashable, Sendable {
        /// Who.
        package let player: String
        /// How much.
        package let score: Int
    }
}

extension BowlingNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .bowled(let player, let frame, let number, let known):
            "\(player): \(frame) in frame \(number)"
                + (known.map { ", \($0.score) after frame \($0.frame)" } ?? "")
        case .turn(let player, let frame): "\(player) to bowl, frame \(frame)"
        case .over(let scores):
            "final scores: " + scores.map { "\($0.player) \($0.score)" }.joined(separator: ", ")
        }
    }
}
