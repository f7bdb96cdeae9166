/// Asks for the players of a session.
package struct PlayerListRequest: ReadingRequest, Hashable {
    package typealias Reply = PlayersReply
    package static let method = "player.list"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?

    package init(session: String? = nil) {
        self.session = session
    }
}

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

/// Adds players at the end of the order.
package struct PlayerAddRequest: ControlRequest, Hashable {
    package typealias Reply = PlayersReply
    package static let method = "player.add"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// Their names.
    package var names: [String]
    /// Whether they are computer players, for which this device moves; nil is no.
    package var computer: Bool?
    /// How many moves ahead they search, from 1 to 20; nil is 5.
    package var depth: Int?

    package init(
        session: String? = nil,
        names: [String],
        computer: Bool? = nil,
        depth: Int? = nil
    ) {
        self.session = session
        self.names = names
        self.computer = computer
        self.depth = depth
    }
}

/// Hides players; their scores are kept.
package struct PlayerRemoveRequest: ControlRequest, Hashable {
    package typealias Reply = PlayersReply
    package static let method = "player.remove"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// Their names or ids, or beginnings of them.
    package var players: [String]

    package init(session: String? = nil, players: [String]) {
        self.session = session
        self.players = players
    }
}

/// Brings removed players back, with their scores.
package struct PlayerRestoreRequest: ControlRequest, Hashable {
    package typealias Reply = PlayersReply
    package static let method = "player.restore"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// Their names or ids, or beginnings of them.
    package var players: [String]

    package init(session: String? = nil, players: [String]) {
        self.session = session
        self.players = players
    }
}

/// Gives a player another name.
package struct PlayerRenameRequest: ControlRequest, Hashable {
    package typealias Reply = PlayersReply
    package static let method = "player.rename"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// Which player.
    package var player: String
    /// The new name.
    package var name: String

    package init(session: String? = nil, player: String, name: String) {
        self.session = session
        self.player = player
        self.name = name
    }
}

/// Seats the players; those left out follow.
package struct PlayerOrderRequest: ControlRequest, Hashable {
    package typealias Reply = PlayersReply
    package static let method = "player.order"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// The players in their new order.
    package var players: [String]

    package init(session: String? = nil, players: [String]) {
        self.session = session
        self.players = players
    }
}

/// Seats the players at random.
package struct PlayerShuffleRequest: ControlRequest, Hashable {
    package typealias Reply = PlayersReply
    package static let method = "player.shuffle"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?

    package init(session: String? = nil) {
        self.session = session
    }
}

/// Chooses the player of this device, for scores without a name.
package struct PlayerMeRequest: ControlRequest, Hashable {
    package typealias Reply = PlayersReply
    package static let method = "player.me"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// Which player; nil chooses nobody.
    package var player: String?

    package init(session: String? = nil, player: String? = nil) {
        self.session = session
        self.player = player
    }
}

/// Puts players into a team, or into none.
package struct PlayerTeamRequest: ControlRequest, Hashable {
    package typealias Reply = PlayersReply
    package static let method = "player.team"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// The team; nil for none.
    package var team: String?
    /// Their names or ids, or beginnings of them.
    package var players: [String]

    package init(session: String? = nil, team: String?, players: [String]) {
        self.session = session
        self.team = team
        self.players = players
    }
}
