/// A sentence that a game shows below its figures or after a move: who won, who is to move.
package struct Note: Hashable, Sendable, CustomStringConvertible {
    /// The sentence, with players by their names.
    package let text: String
    /// Whether it names something that a player has still to enter.
    let isMissing: Bool

    package init(_ text: String, isMissing: Bool = false) {
        (self.text, self.isMissing) = (text, isMissing)
    }

    package var description: String { text }
}

extension Standings {
    /// What is missing or wrong in a game of rows, in sentences: what to look at before it ends.
    package var missing: [String] {
        notes.filter(\.isMissing).map(\.text)
            + flags.filter { $0.subject == .game }.map(\.reason.message)
    }
}
