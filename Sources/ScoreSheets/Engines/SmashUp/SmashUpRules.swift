package import SessionCRDT

/// The rules of Smash Up (Alderac Entertainment Group): deal, reveal, points up and down, fifteen
/// win at the end of a turn.
///
/// Every gain is a fact of its own in the row `points`, in a place of its turn that chance chose
/// (`TurnRounds`), and not a total that two devices could write over each other: gains that are
/// entered at once while apart both count. Turns are ended by marks in the row `turn` of whoever
/// moves, one number for each turn of the session. The deal and its reveal are one value each,
/// Madness is a number for each player and game. Which factions are dealt from stands in options
/// (`FactionChoice`).
///
/// `play replay` takes nothing back: it is a mark after which the next turn begins another game
/// with the same factions; a reset after the end is the same without the deal. So one `undo` takes
/// it back, and the games that were won stay in the statistics. Hidden factions are hidden from the
/// table only: every device has the deal, and who looks there spoils nothing but their own fun.
package struct SmashUpRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet that has the rows of the game engine.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    package func start(_ book: Book) -> any GameState { SmashUpTable(self, book) }

    /// The factions that are dealt from, and the options of the sheet.
    package func isChoice(_ option: Symbol) -> Bool {
        sheet.option(option) != nil || sheet.factions.contains { $0.option == option }
    }
}
