/// The kind of input that moves take, from which a client builds its keypad without knowing the
/// game.
///
/// The typed words are the arguments of `play`.
package struct MoveInput: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// Three darts at `numbers`, or also their total.
        case darts
        case pins
        case squares
        case letters
        /// The side that won a point, one of `words`.
        case sides
        /// Any text, often one of `words`.
        case text
    }

    package let kind: Kind
    package let title: String
    /// A sentence on what to type; may be empty.
    package internal(set) var help = ""
    package internal(set) var numbers: [Int] = []
    /// Further prefixes of a number, beside `S`, `D` and `T`: `DD`.
    package internal(set) var rings: [String] = []
    package internal(set) var acceptsTotals = false
    package internal(set) var words: [String] = []
    /// The darts that finish, by the points left: none if no visit finishes from there, and nil for
    /// points that a visit cannot leave.
    package internal(set) var routes: [[String]?] = []
}

/// A number that says more about a player's game than the total, such as the points left in darts.
package struct Headline: Hashable, Sendable {
    package let value: String
    /// The unit of the value: `left`.
    package let label: String
    /// Advice for the player's next move, in a sentence.
    package internal(set) var advice: String?
    /// The points left from which darts are taken off; nil if darts do not count yet.
    package internal(set) var left: Int?
}
