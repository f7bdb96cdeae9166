package import SessionCRDT

/// The rules of darts: X01 in legs and sets, for one player or more.
///
/// A visit is a fact in the row `visit`, its round is the turn of the whole match. Source: the
/// playing rules of the Darts Regulation Authority, with what pubs do for more than two players.
/// Deliberate choices: a visit that goes bust takes back the double that opened the leg too; best
/// of N means the first to win more than half of N, and is played on where several players share N
/// without that; a newcomer throws at once, at their seat.
package struct DartsRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    /// A match.
    package var outcomeWord: String { "match" }

    /// A leg.
    package var partWord: String? { "leg" }

    /// The points of the visits that count.
    package var courseLabel: String? { "Points" }

    /// The order, by the first visit.
    package var recordedOptions: Set<Symbol> { [TurnOrder.option] }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        DartsStatistics(outcomes).all
    }

    package func start(_ book: Book) -> any GameState { DartsGame(self, book) }
}
