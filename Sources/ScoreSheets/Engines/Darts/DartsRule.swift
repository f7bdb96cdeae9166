/// Why a visit cannot be entered or does not count, in words.
package enum DartsRule: Error, Hashable, Sendable {
    /// `play` without words.
    case nothingTyped
    /// The word is neither a total nor a dart.
    case notADart(String)
    /// More darts than a visit has.
    case tooManyDarts(Int)
    /// Fewer darts than a visit has, typed one by one, though the visit was not over with them.
    case tooFewDarts(Int)
    /// The number of darts beside the visit is none.
    case dartCount(String)
    /// The number of darts beside the visit is not how many are typed.
    case otherCount(said: Int, typed: Int)
    /// What is written is not the spelling of a visit.
    case misspelled(String, canonical: String?)
    /// No darts make this total.
    case impossible(String, darts: Int, isOpening: Bool)
    /// There is too much left for going bust.
    case cannotBust(left: Int, darts: Int)
    /// There are darts after the one that ended the visit.
    case dartsAfterEnd(Dart, isBust: Bool)

    /// The rule as the other parts of the program pass it on.
    var violation: RuleViolation { .game(.darts(self)) }
}

extension DartsRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .nothingTyped: "say what was thrown: play 60, play T20 T19 D12, play bust"
        case .notADart(let word):
            "\(word.quoted) is no dart: T20, D16, S5 or 5, 25, BULL, MISS; a total stands alone"
        case .tooManyDarts(let count): "a visit has three darts, not \(count)"
        case .tooFewDarts(let count):
            "a visit has three darts, \(count == 1 ? "here is one" : "here are two"); "
                + "add the others, MISS for one that missed"
        case .dartCount(let text): "a visit has 1, 2 or 3 darts, not \(text.quoted)"
        case .otherCount(let said, let typed):
            "\(DartsRule.darts(typed)) and --darts \(said) contradict each other"
        case .misspelled(let text, .some(let canonical)):
            "a visit is written in one way: \(canonical), not \(text)"
        case .misspelled(let text, nil):
            "\(text) is no visit: 60, 26/2 for two darts, T20 T19 D12, or BUST"
        case .impossible(let total, let darts, let isOpening):
            "\(total) cannot be scored with \(DartsRule.darts(darts))"
                + (isOpening ? " of which a double is the first that counts" : "")
        case .cannotBust(let left, let darts):
            "nobody can bust \(left) with \(DartsRule.darts(darts))"
        case .dartsAfterEnd(let dart, let isBust):
            "\(dart) \(isBust ? "went bust" : "won the leg"); leave out the darts after it"
        }
    }

    /// So many darts in words: `one dart`, `three darts`.
    static func darts(_ count: Int) -> String {
        switch count {
        case 1: "one dart"
        case 2: "two darts"
        case 3: "three darts"
        default: "\(count) darts"
        }
    }
}
