/// How people say what the points of a part, a game or a tie-break are.
package enum SportScore: Hashable, Sendable {
    /// The points of both, as each is said: `15` and `30`.
    case points(String, String)
    /// Forty all, or more, where two points decide.
    case deuce
    /// Forty all where the next point decides.
    case decidingPoint
    /// One point ahead after deuce.
    case advantage(SportSide)
}

extension SportStand {
    /// What a point can be that is about to be played.
    package enum Stake: Int, Hashable, Sendable {
        /// It can win a part.
        case part
        /// It can win the match.
        case match
    }

    /// The points of a game of tennis as they are called.
    private static let called = ["0", "15", "30", "40"]

    /// How the points in progress are said.
    package var score: SportScore {
        let (first, second) = (points[.first], points[.second])
        guard isCalled else { return .points("\(first)", "\(second)") }
        let highest = SportStand.called.count - 1
        guard min(first, second) >= highest else {
            return .points(
                SportStand.called[min(first, highest)],
                SportStand.called[min(second, highest)]
            )
        }
        if first == second { return mode.lead > 1 ? .deuce : .decidingPoint }
        return .advantage(first > second ? .first : .second)
    }

    /// Whether points are said as in tennis.
    private var isCalled: Bool {
        phase == .game && mode.points == SportStand.called.count
            && mode.lead <= SportStand.tieBreakLead && mode.cap == 0
    }

    /// What stands in the table for a side: `40`, `Ad`, `11`.
    package func cell(of side: SportSide) -> String {
        switch score {
        case .points(let first, let second): side == .first ? first : second
        case .deuce, .decidingPoint: "40"
        case .advantage(let ahead): ahead == side ? "Ad" : "40"
        }
    }

    /// What the next point could win, and for whom; nil of nothing that is told.
    ///
    /// Where one entry can bring several points, nobody can say it.
    package var stake: (side: SportSide, stake: Stake)? {
        guard winner == nil, mode.most == 1, allPoints.sum > 0 else { return nil }
        let stakes = SportSide.allCases.compactMap { side -> (SportSide, Stake)? in
            let after = taking(by: side)
            if after.winner != nil { return (side, .match) }
            return after.parts.count > parts.count ? (side, .part) : nil
        }
        return stakes.count == 1 ? stakes[0] : nil
    }
}

extension SportStand {
    /// What the total of a side counts: parts won; of a single part its games or points.
    package func total(of side: SportSide) -> Int {
        if mode.best > 1 { return won[side] }
        if winner != nil, let part = parts.last { return part.score[side] }
        return mode.hasGames ? games[side] : points[side]
    }

    /// How many of so many points that a side wins at once count: no more than win the part.
    package func counted(_ count: Int, by side: SportSide) -> Int {
        var stand = self
        stand.take(count, by: side)
        return stand.allPoints[side] - allPoints[side]
    }
}
