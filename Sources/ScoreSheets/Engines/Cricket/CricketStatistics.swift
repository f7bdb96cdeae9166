import SessionCRDT

/// The counts of a player in one game, and statistics over finished games.
enum CricketStatistics {
    private static let marks = Symbol(known: "marks")
    private static let visits = Symbol(known: "visits")
    private static let best = Symbol(known: "best-round")

    /// The counts of one game, by name.
    static func tally(_ seat: CricketState.Seat) -> [Symbol: Int64] {
        [marks: Int64(seat.made), visits: Int64(seat.visits), best: Int64(seat.best)]
    }

    static func all(of games: [PlayerOutcome]) -> [Statistic] {
        let made = games.sum(of: marks)
        let thrown = games.sum(of: visits)
        let most = games.compactMap { $0.tally[best] }.max()
        return [
            Statistic(Symbol(known: "games-won"), "Games won", "\(games.count(where: \.isWin))"),
            Statistic(
                Symbol(known: "marks-per-round"),
                "Marks per round",
                marksPerRound(made, thrown)
            ),
            Statistic(best, "Best round", most.map { "\($0)" }),
            Statistic(Symbol(known: "games"), "Games", "\(games.count)"),
            Statistic(marks, "Marks", "\(made)"),
            Statistic(Symbol(known: "rounds"), "Rounds", "\(thrown)"),
        ]
    }

    /// Marks per visit; nil before the first one.
    static func marksPerRound(_ marks: Int128, _ visits: Int128) -> String? {
        visits > 0 ? Statistic.quotient(marks, visits) : nil
    }
}
