import SessionCRDT

/// What is counted of a side's match for statistics.
enum SportTally {
    private static let parts = Symbol(known: "parts-won")
    private static let points = Symbol(known: "points-won")
    private static let pointsLost = Symbol(known: "points-lost")
    private static let run = Symbol(known: "longest-run")

    /// What a match comes to for a side, by name.
    static func counts(of match: SportStand, _ side: SportSide) -> [Symbol: Int64] {
        [
            parts: Int64(match.won[side]), points: Int64(match.allPoints[side]),
            pointsLost: Int64(match.allPoints[side.other]), run: Int64(match.longestRun[side]),
        ]
    }

    /// What somebody's finished matches come to.
    static func statistics(of outcomes: [PlayerOutcome], part: SportPartWord) -> [Statistic] {
        let won = outcomes.sum(of: points)
        let played = won + outcomes.sum(of: pointsLost)
        let share = played > 0 ? Statistic.quotient(won * 100, played) + " %" : nil
        let longest = outcomes.compactMap { $0.tally[run] }.max()
        return [
            Statistic(Symbol(known: "matches"), "Matches", "\(outcomes.count)"),
            Statistic(Symbol(known: "wins"), "Matches won", "\(outcomes.count(where: \.isWin))"),
            Statistic(parts, "\(part.title) won", "\(outcomes.sum(of: parts))"),
            Statistic(points, "Points won", "\(won)"),
            Statistic(Symbol(known: "points-share"), "Share of all points", share),
            Statistic(run, "Longest run of points", longest.map { "\($0)" }),
        ]
    }
}
