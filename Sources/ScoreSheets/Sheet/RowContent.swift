package import SessionCRDT

/// What a row holds, by its kind.
package enum RowContent: Hashable, Sendable {
    /// One number, and what it is worth.
    case number(Worth)
    /// A number or some fields for each round, and what each is worth.
    case rounds(Worth, Rounds)
    /// Tokens of these values, worth their sum.
    case tokens([Int64])
    /// Yes or no: the points of a yes.
    case flag(points: Int64)
    /// One of these words.
    case choice([RowChoice])
    /// All of some words in an order.
    case order(WordOrder)
    /// A text.
    case text
    /// Moves of a coded game.
    case moves
    /// What a formula makes of other rows, and what that is worth.
    case computed(Derivation, Worth)

    /// The kind.
    package var kind: RowKind {
        switch self {
        case .number: .number
        case .rounds: .rounds
        case .tokens: .tokens
        case .flag: .flag
        case .choice: .choice
        case .order: .order
        case .text: .text
        case .moves: .moves
        case .computed(.sum, _): .sum
        case .computed(.product, _): .product
        case .computed(.sets, _): .sets
        case .computed(.drop, _): .drop
        case .computed(.formula, _): .formula
        }
    }
}

/// How the rounds of a row are entered and add up.
package struct Rounds: Hashable, Sendable {
    /// The last round.
    package let last: UInt32
    /// Whether each round has fields in the place of one number; they are the rows before it.
    package let hasFields: Bool
    /// What the row comes to after each round; nil where the rounds are added.
    package let running: Formula?
    /// What has to hold of every round.
    package let checks: [RoundCheck]

    /// The rounds of a row.
    package init(
        last: UInt32 = Cell.lastRound,
        hasFields: Bool = false,
        running: Formula? = nil,
        checks: [RoundCheck] = []
    ) {
        self.last = last
        self.hasFields = hasFields
        self.running = running
        self.checks = checks
    }
}

/// What has to hold of a round: of the whole table once everybody has entered it, or of what each
/// player has entered.
package struct RoundCheck: Hashable, Sendable {
    /// What has to be true.
    package let formula: Formula
    /// Whether it is about each player's round by itself.
    package let isOfEach: Bool
    /// What is told where it is not; may be empty.
    package let help: String

    /// What is told of it: its help, or the formula where there is none.
    package var words: String {
        help.isEmpty ? formula.text : help.hasSuffix(".") ? String(help.dropLast()) : help
    }
}

/// A word that can be chosen, and what it is worth.
package struct RowChoice: Hashable, Sendable {
    /// The word.
    package let word: Symbol
    /// What it is worth.
    package let points: Int64
}

/// Words that are put in an order.
package struct WordOrder: Hashable, Sendable {
    /// The words.
    package let words: [Symbol]
    /// Usual orders, of which the beginning is enough where it is the beginning of only one.
    package let presets: [[Symbol]]

    /// The order that a text says: all the words, each once; nil of anything else.
    package func order(_ text: String) -> [Symbol]? {
        // By bytes: the words are symbols, and a long text has many characters to tell apart.
        let found = text.utf8.split(separator: UInt8(ascii: " ")).map {
            Symbol(String(Substring($0)))
        }
        guard found.count == words.count, Set(found) == Set(words) else { return nil }
        return found.compactMap(\.self)
    }
}
