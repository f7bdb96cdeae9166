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
