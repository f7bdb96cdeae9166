package import SessionCRDT

/// A session that this device is a member of.
package struct SessionRecord: Hashable, Sendable {
    /// The session.
    package let id: SessionID
    /// The session's key, 32 bytes; whoever has it is a member.
    package let key: [UInt8]
    /// When this device joined, in milliseconds since 1970 by its own clock.
    package let joinedAt: UInt64

    /// Whether the key is there; damage can have taken it, and then no member can be linked.
    package var hasKey: Bool { key.count == SessionStore.keyBytes }

    package init(id: SessionID, key: [UInt8], joinedAt: UInt64) {
        self.id = id
        self.key = key
        self.joinedAt = joinedAt
    }
}

extension SessionRecord: CustomStringConvertible, CustomDebugStringConvertible {
    /// Without the key, which must not get into a log.
    package var description: String { "session \(id), joined at \(joinedAt) ms" }

    package var debugDescription: String { description }
}

/// Somebody who plays on this device, known from session to session by the name alone.
package struct Person: Hashable, Sendable {
    /// What they are called.
    package let name: String
    /// Whether they play in the next session that is begun here.
    package var isSelected: Bool

    /// A person of these parts.
    package init(_ name: String, isSelected: Bool = false) {
        self.name = name
        self.isSelected = isSelected
    }
}

/// A game that the user of this device added to it.
package struct StoredSheet: Hashable, Sendable {
    /// What programs call the game.
    package let id: Symbol
    /// The sheet as JSON, as the user wrote it.
    package let text: String

    package init(id: Symbol, text: String) {
        self.id = id
        self.text = text
    }
}

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

/// Where members of a session have been reached, or may be.
package struct StoredAddress: Hashable, Sendable {
    /// The address, as `A.B.C.D:PORT`.
    package let address: String
    /// The device that answered there last.
    package let device: DeviceID?
    /// When it last proved that it is a member, in milliseconds since 1970 by this device's clock.
    package let lastAuthenticated: UInt64?
    /// Whether the user typed it.
    package let isTyped: Bool

    package init(
        address: String,
        device: DeviceID? = nil,
        lastAuthenticated: UInt64? = nil,
        isTyped: Bool = false
    ) {
        self.address = address
        self.device = device
        self.lastAuthenticated = lastAuthenticated
        self.isTyped = isTyped
    }
}
