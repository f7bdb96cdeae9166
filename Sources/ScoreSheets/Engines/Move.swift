package import SessionCRDT

/// A move as it was typed after `play`.
package struct Move: Hashable, Sendable {
    /// The words: `d3`, or `T20 T19 D12`, or `60`.
    package let words: [String]
    /// The player who makes the move; nil for the player to move.
    package let player: PlayerID?
    /// Details given with the words, `--darts 2` as `darts` and `2`; rules reject unknown ones.
    package let details: [String: String]

    package init(_ words: [String], by player: PlayerID? = nil, details: [String: String] = [:]) {
        self.words = words.map(\.withASCIIDigits)
        (self.player, self.details) = (player, details)
    }
}

/// The entries of a move, written in one commit.
package struct Played: Hashable, Sendable {
    /// The player who moved; nil for a move of the whole table, such as a deal.
    package let player: PlayerID?
    package let writes: [Score]
    /// The options that the move records for the whole session.
    package let options: [Symbol: Value]
    /// The reply to the player besides the written scores: `bust`, `Bob must pass`.
    package let notes: [Note]

    package init(
        by player: PlayerID? = nil,
        writes: [Score] = [],
        options: [Symbol: Value] = [:],
        notes: [Note] = []
    ) {
        (self.player, self.writes) = (player, writes)
        (self.options, self.notes) = (options, notes)
    }
}

package struct Reset: Hashable, Sendable {
    /// The question to ask first, which names what is lost.
    package let question: String
    package let writes: [Score]

    package init(question: String, writes: [Score]) {
        (self.question, self.writes) = (question, writes)
    }

    init(question: String, clearing cells: [Cell]) {
        self.init(question: question, writes: cells.map { Score($0, .null) })
    }
}

/// The resources of a device for a move that is entered on it.
///
/// Standings never need them: a move records what a random number or a word list decided.
package struct MoveContext {
    package var random: any RandomNumberGenerator
    package let wordList: (String) throws(RuleViolation) -> WordList

    package init(
        random: any RandomNumberGenerator,
        wordList: @escaping (String) throws(RuleViolation) -> WordList = {
            (name) throws(RuleViolation) in
            throw RuleViolation("there is no word list \(name.quoted) here")
        }
    ) {
        (self.random, self.wordList) = (random, wordList)
    }
}

/// The display names of cells and values whose row, round and raw value are not readable.
///
/// It is created once for a book, because it may need to read all of it. Laws: it has an answer for
/// every cell and value, including those that are not in the book, and the same one on every
/// device.
package struct GameWords: Sendable {
    /// The name of a cell, `Points in turn 2`; nil if row and round name it.
    package let cell: @Sendable (Cell) -> String?
    /// The words for a value, and what is typed for it; nil if the value is readable as it is.
    package let value: @Sendable (Score) -> ValueWords?
    /// Whether a value belongs to all players instead of the player of its cell, as a deal does.
    package let isOfTable: @Sendable (Score) -> Bool

    package init(
        cell: @escaping @Sendable (Cell) -> String? = { _ in nil },
        value: @escaping @Sendable (Score) -> ValueWords? = { _ in nil },
        isOfTable: @escaping @Sendable (Score) -> Bool = { _ in false }
    ) {
        (self.cell, self.value, self.isOfTable) = (cell, value, isOfTable)
    }

    /// Returns the value for programs: the value itself, or a placeholder if it is hidden.
    package func visibleValue(of score: Score) -> Value {
        guard let words = value(score), words.isHidden else { return score.value }
        return .text(words.shown)
    }

    /// Returns the words to type for one of the values of a cell, if they are unambiguous; nil if
    /// the whole value must be typed.
    package func typed(_ chosen: Value, among values: [Value], in cell: Cell) -> String? {
        guard let typed = value(Score(cell, chosen))?.typed else { return nil }
        let isClear = values.allSatisfy {
            $0 == chosen || value(Score(cell, $0))?.typed != typed
        }
        return isClear ? typed : nil
    }
}

/// The words for a value whose stored form is not for display.
package struct ValueWords: Hashable, Sendable {
    /// The text to type for the value, in lower case: `a`; nil if the value itself is typed.
    package let typed: String?
    /// The text to show for the value: `A (DA…)`, or a deal with the names of players.
    package let shown: String
    /// Whether the value is secret for now, so that these words replace it.
    package let isHidden: Bool

    package init(typed: String? = nil, shown: String, isHidden: Bool = false) {
        (self.typed, self.shown, self.isHidden) = (typed, shown, isHidden)
    }
}
