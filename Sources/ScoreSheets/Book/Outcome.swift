package import SessionCRDT

/// How a game ended, or a leg where a game has legs: what statistics and leaders are made of.
package struct Outcome: Hashable, Sendable {
    /// The number of a match that the outcomes of its session are parts of.
    package static let match = 0

    /// Which one of the session, from 1.
    package let number: Int
    /// When it ended: the stamp of the latest entry that it was derived from; nil of none.
    package let at: Stamp?
    /// How each player did, in seat order.
    package let players: [PlayerOutcome]

    package init(number: Int, at: Stamp?, players: [PlayerOutcome]) {
        self.number = number
        self.at = at
        self.players = players
    }
}

/// How somebody did in one game or leg.
package struct PlayerOutcome: Hashable, Sendable {
    /// Who.
    package let player: PlayerID
    /// What they were called.
    package let name: String
    /// Whether they won, perhaps with others.
    package let isWinner: Bool
    /// Whether somebody else took part: alone one can end a game, but not win it.
    package let hasOpponents: Bool
    /// The place; nil of none.
    package let rank: Int?
    /// The total.
    package let total: Int64
    /// The team with which they won or lost; nil of none.
    package let team: String?
    /// What the game counts beside that, for its own statistics: `darts`, `180s`.
    package let tally: [Symbol: Int64]

    package init(
        player: PlayerID,
        name: String,
        isWinner: Bool,
        rank: Int?,
        total: Int64,
        team: String? = nil,
        tally: [Symbol: Int64] = [:],
        hasOpponents: Bool = true
    ) {
        self.hasOpponents = hasOpponents
        self.player = player
        self.name = name
        self.isWinner = isWinner
        self.rank = rank
        self.total = total
        self.team = team
        self.tally = tally
    }

    /// Whether it counts as a win, for leaders and statistics of every game.
    package var isWin: Bool { isWinner && hasOpponents }
}

/// One number about somebody's finished games.
package struct Statistic: Hashable, Sendable {
    /// What programs call it: `average`.
    package let id: Symbol
    /// What tables show before it: `Three-dart average`.
    package let label: String
    /// The number as people read it, `75.15`; nil where there is none yet.
    package let text: String?

    /// A statistic of these parts.
    package init(_ id: Symbol, _ label: String, _ text: String?) {
        self.id = id
        self.label = label
        self.text = text
    }
}

extension [PlayerOutcome] {
    /// What these games come to of something that their tallies count.
    func sum(of name: Symbol) -> Int128 {
        // A tally that came from elsewhere can hold anything.
        reduce(0) { $0 + Int128($1.tally[name] ?? 0) }
    }
}

extension Statistic {
    /// What any game can count: games, wins, the best total, the worst and the average.
    package static func general(of outcomes: [PlayerOutcome]) -> [Statistic] {
        let totals = outcomes.map(\.total)
        let wins = outcomes.count(where: \.isWin)
        return [
            Statistic(Symbol(known: "games"), "Games", "\(outcomes.count)"),
            Statistic(Symbol(known: "wins"), "Wins", "\(wins)"),
            Statistic(Symbol(known: "highest"), "Highest total", totals.max().map { "\($0)" }),
            Statistic(Symbol(known: "lowest"), "Lowest total", totals.min().map { "\($0)" }),
            Statistic(Symbol(known: "average"), "Average total", average(totals)),
        ]
    }

    /// The mean with two decimals; nil of nothing.
    private static func average(_ totals: [Int64]) -> String? {
        guard !totals.isEmpty else { return nil }
        let sum = totals.reduce(Int128(0)) { $0 + Int128($1) }
        return quotient(sum, Int128(totals.count))
    }

    /// A fraction with two decimals, halves away from zero.
    package static func quotient(_ dividend: Int128, _ divisor: Int128) -> String {
        let size = dividend.magnitude * 200
        let hundredths = (size / divisor.magnitude + 1) / 2
        let isNegative = (dividend < 0) != (divisor < 0) && hundredths > 0
        let decimals = "\(hundredths % 100)"
        return (isNegative ? "-" : "") + "\(hundredths / 100)."
            + (decimals.utf8.count == 1 ? "0" : "") + decimals
    }
}
