package import SessionCRDT

/// The rules of Ghost.
///
/// Turn n is the cell (mover, `letter`, n), counted over all rounds. The device that enters a
/// letter judges it by its word list and records the verdict; every other device takes it from
/// there and needs no list. Whoever completes a word of the minimum length, or makes a beginning
/// that no such word has, loses the round and with it the only life, or at the table one of five.
/// While two have lives, whoever is on the left begins the next round; the last one in wins. So a
/// game has one winner, and counts as one win, however many play.
package struct GhostRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    /// The word list that a book chooses, by its name or its path.
    package func wordList(of book: Book) -> String {
        GhostTerms.chosenList(Settings(sheet, book))
    }

    /// What the first letter records.
    package var recordedOptions: Set<Symbol> { GhostTerms.recorded }

    /// A word list is one of some language.
    package func ground(of option: Symbol) -> Symbol? {
        option == GhostTerms.list ? GhostTerms.language : nil
    }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        func sum(_ id: StaticString, _ label: String) -> Statistic {
            let name = Symbol(known: id)
            return Statistic(name, label, "\(outcomes.sum(of: name))")
        }
        return [
            Statistic(Symbol(known: "games"), "Games", "\(outcomes.count)"),
            Statistic(Symbol(known: "wins"), "Wins", "\(outcomes.count(where: \.isWin))"),
            sum("lost", "Rounds lost"),
            sum("completed", "Words completed"),
            sum("impossible", "Impossible beginnings"),
            sum("letters", "Letters entered"),
        ]
    }

    package func start(_ book: Book) -> any GameState { GhostGame(self, book) }
}
