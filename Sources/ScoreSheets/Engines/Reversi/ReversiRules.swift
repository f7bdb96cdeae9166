package import SessionCRDT

/// The rules of Reversi as Othello is played: a fixed start, black moves first, and only a side
/// without a move is passed over.
///
/// Turn n is the n-th disc that was put, in the cell of whoever put it; the value is the square.
/// The first move records who plays black and who white.
package struct ReversiRules: GameRules, Hashable {
    package let sheet: Sheet
    package let hasComputer = true

    /// The rules of this sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    package func start(_ book: Book) -> any GameState { ReversiGame(self, book) }

    /// Who plays, by the first move.
    package var recordedOptions: Set<Symbol> { [ReversiTerms.sides] }

    /// The general ones, and how somebody fares with either colour.
    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        func wins(as side: ReversiSide) -> String {
            let games = outcomes.filter { $0.tally[side.symbol] == 1 }
            return "\(games.count { $0.isWinner && $0.tally[ReversiGame.drawn] != 1 })"
                + " of \(games.count)"
        }
        let draws = outcomes.count { $0.tally[ReversiGame.drawn] == 1 }
        return Statistic.general(of: outcomes) + [
            Statistic(Symbol(known: "draws"), "Draws", "\(draws)"),
            Statistic(Symbol(known: "black"), "Wins as black", wins(as: .black)),
            Statistic(Symbol(known: "white"), "Wins as white", wins(as: .white)),
        ]
    }
}
