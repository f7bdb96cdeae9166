package import SessionCRDT

/// The rules of matches between two sides, point by point: table tennis, tennis and others, each by
/// the options of its sheet.
///
/// A point is a fact in the row `point`, in the cell of whoever won it; its round is the number of
/// the point in the match. Where both sides have a cell of the same point, the later entry counts.
/// Sources: see `SportStand`.
package struct SportRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    /// A match.
    package var outcomeWord: String { "match" }

    /// The points: totals count games or sets.
    package var courseLabel: String? { "Points" }

    /// A point is of both sides: one has won it, and the other has not.
    package var isToldByEverybody: Bool { true }

    /// The sides, by the first point; the mode is recorded with them.
    package var recordedOptions: Set<Symbol> { [TurnOrder.option] }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        SportTally.statistics(of: outcomes, part: part)
    }

    package func start(_ book: Book) -> any GameState { SportGame(self, book) }

    /// What a part of the match is called where nobody chose.
    private var part: SportPartWord {
        let word = sheet.option(Symbol(known: "unit"))?.kind.defaultValue.string
        return word.flatMap(SportPartWord.init) ?? .game
    }
}
