/// What this device lends to the rules while a move is entered on it.
///
/// Standings never need any of it: what chance or a word list decided is recorded by the move.
package struct Aids {
    /// Where chance comes from.
    package var chance: any RandomNumberGenerator
    /// Opens the word list of a name or path; says what is missing in words.
    package let lexicon: (String) throws(RuleViolation) -> any Lexicon

    /// The aids of a device.
    package init(
        chance: any RandomNumberGenerator,
        lexicon: @escaping (String) throws(RuleViolation) -> any Lexicon = {
            (name) throws(RuleViolation) in
            throw .game(.wordList(.notHere(name)))
        }
    ) {
        self.chance = chance
        self.lexicon = lexicon
    }
}

/// A word list: words of the letters a–z, folded, each answered in well under a millisecond.
package protocol Lexicon: Sendable {
    /// What the list is called: `english`, or the path of a file.
    var name: String { get }
    /// The SHA-256 of the list's file, in hexadecimal: two lists are the same where this is.
    var fingerprint: String { get }
    /// Whether the list has the word.
    func contains(_ word: String) -> Bool
    /// Whether a word of the list of at least so many letters begins like this, the whole word too.
    func hasWord(beginning: String, ofAtLeast length: Int64) -> Bool
}
