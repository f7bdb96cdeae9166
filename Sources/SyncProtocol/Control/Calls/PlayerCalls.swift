/// The players of a session.
package struct PlayersReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// All of them in seat order, removed ones too.
    package var players: [PlayerSummary]

    package init(players: [PlayerSummary]) {
        self.players = players
    }
}

/// A player, as lists show them.
package struct PlayerSummary: Codable, Hashable, Sendable {
    /// The player's id.
    package var id: String
    /// The name.
    package var name: String
    /// The place in the order, from 1.
    package var seat: Int
    /// Whether the player was removed.
    package var removed: Bool
    /// Whether it is the player of this device.
    package var me: Bool
    /// The team; null of none.
    @ExplicitNull package var team: String?
    /// What moves for the player; left out for people.
    package var computer: ComputerSummary?

    package init(
        id: String,
        name: String,
        seat: Int,
        removed: Bool,
        me: Bool,
        team: String? = nil,
        computer: ComputerSummary? = nil
    ) {
        self.team = team
        self.id = id
        self.name = name
        self.seat = seat
        self.removed = removed
        self.me = me
        self.computer = computer
    }
}

/// What moves for a computer player.
package struct ComputerSummary: Codable, Hashable, Sendable {
    /// The device that moves, by name; no other one does.
    package var device: String
    /// Whether that is this device.
    package var here: Bool
    /// How many moves ahead it searches.
    package var depth: Int

    package init(device: String, here: Bool, depth: Int) {
        self.device = device
        self.here = here
        self.depth = depth
    }
}
