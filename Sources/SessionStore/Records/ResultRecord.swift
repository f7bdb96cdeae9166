package import SessionCRDT

/// How one game of a session ended, or one leg: an outcome as it is kept when the session goes.
package struct ResultRecord: Hashable, Sendable {
    /// The session.
    package let session: SessionID
    /// Which outcome of the session, from 1; 0 of the match that the others are parts of.
    package let number: Int
    /// The id of the game's sheet.
    package let game: String
    /// The session's title.
    package let title: String
    /// When it ended, in milliseconds since 1970; nil where nothing was entered.
    package let endedAt: UInt64?
    /// How each player did, in seat order.
    package let players: [ResultPlayer]

    package init(
        session: SessionID,
        number: Int,
        game: String,
        title: String,
        endedAt: UInt64?,
        players: [ResultPlayer]
    ) {
        self.session = session
        self.number = number
        self.game = game
        self.title = title
        self.endedAt = endedAt
        self.players = players
    }
}

/// How somebody did in one game or leg.
package struct ResultPlayer: Hashable, Sendable {
    /// Who.
    package let player: PlayerID
    /// What they were called.
    package let name: String
    /// Whether they won, perhaps with others.
    package let isWinner: Bool
    /// The place; nil of none.
    package let rank: Int?
    /// The total.
    package let total: Int64
    /// The team with which they won or lost; nil of none.
    package let team: String?
    /// Whether a computer moved for them.
    package let isComputer: Bool
    /// What the game counts beside that.
    package let tally: [Symbol: Int64]

    package init(
        player: PlayerID,
        name: String,
        isWinner: Bool,
        rank: Int?,
        total: Int64,
        team: String? = nil,
        isComputer: Bool = false,
        tally: [Symbol: Int64] = [:]
    ) {
        self.player = player
        self.name = name
        self.isWinner = isWinner
        self.rank = rank
        self.total = total
        self.team = team
        self.isComputer = isComputer
        self.tally = tally
    }
}
