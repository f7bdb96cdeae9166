package import SessionCRDT

/// What somebody types after `play`.
package struct Move: Hashable, Sendable {
    /// The words: `d3`, or `T20 T19 D12`, or `60`.
    package let words: [String]
    /// Whose move it is; nil for whoever is to move.
    package let player: PlayerID?
    /// What was said beside it, `--darts 2` as `darts` and `2`; rules refuse what they do not know.
    package let details: [String: String]

    /// A move of these parts.
    package init(_ words: [String], by player: PlayerID? = nil, details: [String: String] = [:]) {
        self.words = words
        self.player = player
        self.details = details
    }
}

/// What a move writes, all in one commit.
package struct Played: Hashable, Sendable {
    /// Whose move it was; nil for one of the whole table, as a deal is.
    package let player: PlayerID?
    /// What is written.
    package let writes: [Score]
    /// What is recorded for the whole session.
    package let options: [Symbol: Value]
    /// What the player is told beside what was written: `bust`, `Bob must pass`.
    package let notes: [Note]

    /// What a move by this player writes.
    package init(
        by player: PlayerID?,
        writes: [Score],
        options: [Symbol: Value] = [:],
        notes: [Note] = []
    ) {
        self.player = player
        self.writes = writes
        self.options = options
        self.notes = notes
    }
}

/// What a reset takes back.
package struct Reset: Hashable, Sendable {
    /// What to ask before: a question that says what is lost.
    package let question: String
    /// What is written.
    package let writes: [Score]

    package init(question: String, writes: [Score]) {
        self.question = question
        self.writes = writes
    }

    /// A reset that clears these cells.
    init(question: String, clearing cells: [Cell]) {
        self.init(question: question, writes: cells.map { Score($0, .null) })
    }
}

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
