package import SessionCRDT

/// What people call what is written in a book, where row, round and value say nothing to them.
///
/// It is made once for a book, because it may need to read all of it. Laws: it answers about every
/// cell and value, also those that are not in the book, and the same on every device.
package struct GameWords: Sendable {
    /// What people call a cell: `Points in turn 2`; nil where row and round are its name.
    package let cell: @Sendable (Cell) -> String?
    /// What people call a value, and what they type for it; nil where it is read as it is.
    package let value: @Sendable (Score) -> ValueWords?
    /// Whether a value is of the whole table, whoever's cell it stands in, as a deal is.
    package let isOfTable: @Sendable (Score) -> Bool

    /// The words of a game; without any, row, round and value are all that there is.
    package init(
        cell: @escaping @Sendable (Cell) -> String? = { _ in nil },
        value: @escaping @Sendable (Score) -> ValueWords? = { _ in nil },
        isOfTable: @escaping @Sendable (Score) -> Bool = { _ in false }
    ) {
        self.cell = cell
        self.value = value
        self.isOfTable = isOfTable
    }

    /// What programs are told of a value: itself, or a word where it is hidden.
    package func told(_ score: Score) -> Value {
        guard let words = value(score), words.isHidden else { return score.value }
        return .text(words.shown)
    }

    /// What is typed to choose a value among those that a cell says: its own words where they mean
    /// no other one; nil where the whole value has to be typed.
    package func typed(_ chosen: Value, among values: [Value], in cell: Cell) -> String? {
        guard let typed = value(Score(cell, chosen))?.typed else { return nil }
        let isClear = values.allSatisfy {
            $0 == chosen || value(Score(cell, $0))?.typed != typed
        }
        return isClear ? typed : nil
    }
}

/// What people call a value that is not stored as they read it.
package struct ValueWords: Hashable, Sendable {
    /// What is typed for it, in lower case: `a`; nil where the value itself is typed.
    package let typed: String?
    /// What tells it: `A (DA…)`, or a deal with the names of players.
    package let shown: String
    /// Whether nobody may read the value yet, so that these words are told in its place.
    package let isHidden: Bool

    /// The words of a value.
    package init(typed: String? = nil, shown: String, isHidden: Bool = false) {
        self.isHidden = isHidden
        self.typed = typed
        self.shown = shown
    }
}
