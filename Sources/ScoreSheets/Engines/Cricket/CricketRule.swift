/// Why a visit of cricket cannot be entered or does not count, beside the rules of darts.
package enum CricketRule: Hashable, Sendable {
    /// `play` without words.
    case nothingTyped
    /// The word is no dart.
    case notADart(String)
    /// What is written is not the spelling of a visit.
    case misspelled(String, canonical: String?)
    /// There are darts after the one with which somebody won.
    case dartsAfterEnd

    /// The rule as the other parts of the program pass it on.
    var violation: RuleViolation { .game(.cricket(self)) }
}

extension CricketRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .nothingTyped: "say what was thrown, dart by dart: play T20 S19 D18, play 20 20 miss"
        case .notADart(let word): "\(word.quoted) is no dart: T20, D16, S5 or 5, 25, BULL, MISS"
        case .misspelled(let text, .some(let canonical)):
            "a visit is written in one way: \(canonical), not \(text)"
        case .misspelled(let text, nil): "\(text) is no visit: T20 S19 D18, or MISS MISS MISS"
        case .dartsAfterEnd: "a dart before won the game; leave out the darts after it"
        }
    }
}
