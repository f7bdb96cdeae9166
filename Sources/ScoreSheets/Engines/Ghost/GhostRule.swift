package import SessionCRDT

/// The rules of Ghost in words: why a letter is refused, or does not count.
package enum GhostRule: Hashable {
    /// The player is not one of those with whom the game began.
    case notPlaying(String)
    /// What stands there is no letter with its verdict.
    case unjudged
    /// The verdict is about a beginning that is not the one on the table.
    case otherBeginning(String, now: String)
    /// The verdict says that a word is complete which is too short to count as one.
    case tooShort(String, minimum: Int64)
    /// What was typed is not one letter.
    case notALetter(String)
    /// The option is no choice.
    case recorded(option: Symbol)
    /// The option was settled when the game began.
    case begun(option: Symbol)
    /// The list here is not the one that the game is played with.
    case otherList(String, fingerprint: String, wanted: String)

    /// The rule as what the caller throws or flags.
    var violation: RuleViolation { .game(.ghost(self)) }
}

extension GhostRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notPlaying(let name):
            "\(name) was not there when the game began, and can play in the next one"
        case .unjudged:
            "letters are entered with play, as in “play d”, so that the word list can judge them"
        case .otherBeginning(let entered, let now):
            "it made \(entered.shown), but the beginning is \(now.shown) now; "
                + "enter the letter again with play"
        case .tooShort(let word, let minimum):
            "\(word.shown) is shorter than the \(minimum) letters that a word needs here; "
                + "enter the letter again with play"
        case .notALetter(let found): "a turn is one letter from a to z, not \(found.quoted)"
        case .recorded(let option):
            "\(option) is recorded by the first letter; choose a word list with language or list"
        case .begun(let option):
            "the game has begun, and \(option) stays as it is; a new session can have another"
        case .otherList(let name, let fingerprint, let wanted):
            "this game is played with a word list \(name.quoted) that differs from the one here "
                + "(SHA-256 \(wanted.start) there, \(fingerprint.start) here): install the same "
                + "version of it, or let another device enter the letter"
        }
    }
}

extension String {
    /// A beginning as people are shown it: `DON`.
    fileprivate var shown: String { isEmpty ? "empty" : uppercased() }

    /// What is enough of a fingerprint to tell two apart.
    fileprivate var start: String { String(prefix(12)) }
}
