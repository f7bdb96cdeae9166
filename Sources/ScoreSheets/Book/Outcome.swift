package import SessionCRDT

/// The result of a finished game or leg: the input of statistics and leaderboards.
package struct Outcome: Hashable, Sendable {
    /// The `number` of a whole match, whose legs are the other outcomes of its session.
    package static let match = 0

    /// The number within the session, from 1.
    package let number: Int
    /// The latest stamp of the entries that it was derived from.
    package let at: Stamp?
    /// The players in seat order.
    package let players: [PlayerOutcome]
    /// The word of the table on who has won; nil if the rules decide.
    package private(set) var verdict: Verdict?

    /// Returns the outcome with the winners that the table says.
    func settled(_ verdict: Verdict?, for winners: Set<PlayerID>, at stamp: Stamp) -> Outcome {
        let players = players.map { player in
            var player = player
            player.isWinner = winners.contains(player.player)
            if player.isWinner { player.rank = 1 }
            return player
        }
        let end = max(at ?? stamp, stamp)
        return Outcome(number: number, at: end, players: players, verdict: verdict)
    }
}

package struct PlayerOutcome: Hashable, Sendable {
    package let player: PlayerID
    package let name: String
    /// Whether the player won, alone or tied with others.
    package internal(set) var isWinner: Bool
    /// Whether another player took part: a single player can finish a game, but not win it.
    package let hasOpponents: Bool
    package internal(set) var rank: Int?
    package let total: Points
    package let team: String?
    /// Numbers for the game's own statistics: `darts`, `180s`.
    package let tally: [Symbol: Int64]
    /// The parts of the tally by member, if this is a side of several players.
    var shares: [Int: [Symbol: Int64]] = [:]

    package init(
        player: PlayerID,
        name: String,
        isWinner: Bool,
        rank: Int?,
        total: Points,
        team: String? = nil,
        tally: [Symbol: Int64] = [:],
        hasOpponents: Bool = true
    ) {
        (self.player, self.name, self.team) = (player, name, team)
        (self.isWinner, self.hasOpponents) = (isWinner, hasOpponents)
        (self.rank, self.total, self.tally) = (rank, total, tally)
    }

    /// Whether it counts as a win in leaderboards and statistics.
    package var isWin: Bool { isWinner && hasOpponents }
}

/// A number about a player's finished games.
package struct Statistic: Hashable, Sendable {
    /// The key in JSON: `average`.
    package let id: Symbol
    /// The label in tables: `Three-dart average`.
    package let label: String
    /// The number as text, `75.15`; nil if there is none yet.
    package let text: String?

    package init(_ id: Symbol, _ label: String, _ text: String?) {
        (self.id, self.label, self.text) = (id, label, text)
    }

    init(_ id: StaticString, _ label: String, _ text: String?) {
        self.init(Symbol(known: id), label, text)
    }
}

extension Outcome {
    /// Returns the outcome of all members of the sides, each with the numbers of their own turns.
    func expanded(to sides: Sides) -> Outcome {
        let outcomes = Dictionary(players.map { ($0.player, $0) }) { first, _ in first }
        let players = sides.everybody.compactMap { player -> PlayerOutcome? in
            guard let place = sides.place(of: player.id),
                let side = outcomes[sides.players[place].id],
                let index = sides.members[place].firstIndex(where: { $0.id == player.id })
            else { return nil }
            let share = side.shares[index]
            // Members who have left have a part only in what they entered.
            guard player.isPresent || share != nil else { return nil }
            let isWhole = sides.members[place].count == 1 || side.shares.isEmpty
            return PlayerOutcome(
                player: player.id,
                name: player.name,
                isWinner: side.isWinner,
                rank: side.rank,
                total: side.total,
                team: sides.areTeams[place] ? side.name : nil,
                tally: isWhole ? side.tally : share ?? [:],
                hasOpponents: side.hasOpponents
            )
        }
        return Outcome(number: number, at: at, players: players, verdict: verdict)
    }
}

extension [PlayerOutcome] {
    func sum(of name: Symbol) -> Int128 {
        // `Int128`, because a tally from another device can hold any number.
        reduce(0) { $0 + Int128($1.tally[name] ?? 0) }
    }
}

extension Statistic {
    /// Returns the statistics that every game has: games, wins, and the best, worst and average
    /// total.
    package static func general(of outcomes: [PlayerOutcome]) -> [Statistic] {
        let totals = outcomes.map(\.total)
        return [
            .count("games", "Games", outcomes),
            .wins("wins", "Wins", outcomes),
            Statistic("highest", "Highest total", totals.max().map { "\($0)" }),
            Statistic("lowest", "Lowest total", totals.min().map { "\($0)" }),
            .averageTotal("Average total", outcomes),
        ]
    }

    static func count(_ id: StaticString, _ label: String, _ games: [PlayerOutcome]) -> Statistic {
        Statistic(id, label, "\(games.count)")
    }

    static func wins(_ id: StaticString, _ label: String, _ games: [PlayerOutcome]) -> Statistic {
        Statistic(id, label, "\(games.count(where: \.isWin))")
    }

    static func sum(_ name: Symbol, _ label: String, _ games: [PlayerOutcome]) -> Statistic {
        Statistic(name, label, "\(games.sum(of: name))")
    }

    /// Returns the greatest tally of a single game, without a number if no game has it.
    static func most(_ name: Symbol, _ label: String, _ games: [PlayerOutcome]) -> Statistic {
        Statistic(name, label, games.compactMap { $0.tally[name] }.max().map { "\($0)" })
    }

    static func averageTotal(_ label: String, _ games: [PlayerOutcome]) -> Statistic {
        let halves = games.reduce(Int128(0)) { $0 + Int128($1.total.halves) }
        return Statistic("average", label, average(halves, 2 * Int128(games.count)))
    }

    /// Returns a fraction in the format of `quotient`; nil if the divisor is 0.
    static func average(_ dividend: Int128, _ divisor: Int128) -> String? {
        divisor > 0 ? quotient(dividend, divisor) : nil
    }

    /// Returns a fraction with two decimals, rounding halves away from zero.
    package static func quotient(_ dividend: Int128, _ divisor: Int128) -> String {
        let size = dividend.magnitude * 200
        let hundredths = (size / divisor.magnitude + 1) / 2
        let isNegative = (dividend < 0) != (divisor < 0) && hundredths > 0
        let decimals = "\(hundredths % 100)"
        return (isNegative ? "-" : "") + "\(hundredths / 100)."
            + (decimals.utf8.count == 1 ? "0" : "") + decimals
    }
}
