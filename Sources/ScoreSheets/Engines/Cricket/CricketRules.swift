package import SessionCRDT

/// The rules of cricket, the darts game of 20 to 15 and the bull, for one player or more.
///
/// A visit is a fact in the row `visit`, its round is the turn of the whole game. Source: the rules
/// that dart leagues and makers of boards publish, which agree on all but names. Deliberate
/// choices: a number scores while anybody else of those who play has it open; whoever has closed
/// all and is not behind wins with the dart that makes it so, also with one of somebody else;
/// newcomers begin without marks and points.
package struct CricketRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    /// The order, by the first visit.
    package var recordedOptions: Set<Symbol> { [TurnOrder.option] }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        CricketStatistics.all(of: outcomes)
    }

    package func start(_ book: Book) -> any GameState { CricketGame(self, book) }
}
