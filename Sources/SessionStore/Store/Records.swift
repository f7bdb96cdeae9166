package import SessionCRDT

/// A session of which this device is a member.
package struct SessionRecord: Hashable, Sendable {
    package let id: SessionID
    /// The session's key of 32 bytes, which every member has; empty if it is lost.
    package let key: [UInt8]
    /// The time at which this device joined, in milliseconds since 1970.
    package let joinedAt: UInt64

    /// Whether the key is intact; without it the session cannot link to other members.
    package var hasKey: Bool { key.count == SessionStore.keyBytes }

    package init(id: SessionID, key: [UInt8], joinedAt: UInt64) {
        (self.id, self.key, self.joinedAt) = (id, key, joinedAt)
    }
}

extension SessionRecord: CustomStringConvertible, CustomDebugStringConvertible {
    /// A description without the key, which must not be logged.
    package var description: String { "session \(id), joined at \(joinedAt) ms" }

    package var debugDescription: String { description }
}

/// A player known on this device, identified across sessions by name.
package struct Person: Hashable, Sendable {
    package let name: String
    /// Whether the person will be a player of the next new session.
    package var isSelected: Bool

    package init(_ name: String, isSelected: Bool = false) {
        (self.name, self.isSelected) = (name, isSelected)
    }
}

package struct StoredSheet: Hashable, Sendable {
    package let id: Symbol
    /// The sheet as JSON, in the form in which the user wrote it.
    package let text: String

    package init(id: Symbol, text: String) { (self.id, self.text) = (id, text) }
}

/// The result of a game or leg, which is kept when its session is removed.
package struct ResultRecord: Hashable, Sendable {
    package let session: SessionID
    /// The number of the result in its session, from 1; 0 for the result of a match of several
    /// legs.
    package let number: Int
    package let game: String
    package let title: String
    /// The time of the first entry, in milliseconds since 1970; nil if there is none, and in results
    /// that an earlier version stored.
    package let beganAt: UInt64?
    /// The time at which the game or leg ended, in milliseconds since 1970; nil if nothing was
    /// entered.
    package let endedAt: UInt64?
    /// The word of the table on who has won; nil if the rules decide.
    package let verdict: Verdict?
    /// Whether a team was one scorer, so that its members have its total.
    package let isOfSides: Bool
    /// The players in seat order.
    package let players: [ResultPlayer]

    package init(
        session: SessionID,
        number: Int,
        game: String,
        title: String,
        beganAt: UInt64? = nil,
        endedAt: UInt64?,
        verdict: Verdict? = nil,
        isOfSides: Bool = false,
        players: [ResultPlayer]
    ) {
        (self.session, self.number, self.game) = (session, number, game)
        (self.title, self.players, self.verdict) = (title, players, verdict)
        (self.beganAt, self.endedAt, self.isOfSides) = (beganAt, endedAt, isOfSides)
    }
}

package struct ResultPlayer: Hashable, Sendable {
    package let player: PlayerID
    package let name: String
    /// Whether the player won, alone or together with others.
    package let isWinner: Bool
    package let rank: Int?
    package let total: Points
    package let team: String?
    package let isComputer: Bool
    /// Statistics that the game defines, by name.
    package let tally: [Symbol: Int64]

    package init(
        player: PlayerID,
        name: String,
        isWinner: Bool,
        rank: Int?,
        total: Points,
        team: String? = nil,
        isComputer: Bool = false,
        tally: [Symbol: Int64] = [:]
    ) {
        (self.player, self.name, self.isWinner, self.rank) = (player, name, isWinner, rank)
        (self.total, self.team, self.isComputer, self.tally) = (total, team, isComputer, tally)
    }
}

/// An address at which a member of a session was reached or may be reached.
package struct StoredAddress: Hashable, Sendable {
    /// The address as `Endpoint` prints it.
    package let address: String
    /// The device that last answered at the address.
    package let device: DeviceID?
    /// The time at which a member last answered there, in milliseconds since 1970.
    package let lastAuthenticated: UInt64?
    package let isTyped: Bool

    package init(
        address: String,
        device: DeviceID? = nil,
        lastAuthenticated: UInt64? = nil,
        isTyped: Bool = false
    ) {
        (self.address, self.device) = (address, device)
        (self.lastAuthenticated, self.isTyped) = (lastAuthenticated, isTyped)
    }
}
