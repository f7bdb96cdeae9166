/// A wish to write: what about, and what it shall say.
///
/// The replica makes it an entry.
package struct Mutation: Hashable, Sendable {
    /// What it is about.
    package let key: Key
    /// What it shall say.
    package let value: Value

    /// A wish to write `value` under `key`.
    package init(_ key: Key, _ value: Value) {
        self.key = key
        self.value = value
    }
}

extension Mutation {
    /// The title of the session.
    package static func title(_ title: String) -> Mutation {
        Mutation(.session(Field.title), .text(title))
    }

    /// The game of the session.
    package static func game(_ game: Symbol) -> Mutation {
        Mutation(.session(Field.game), .text(game.description))
    }

    /// The sheet of the session, as JSON.
    package static func sheet(_ json: String) -> Mutation {
        Mutation(.session(Field.sheet), .text(json))
    }

    /// Whether the session is finished.
    package static func finished(_ isFinished: Bool) -> Mutation {
        Mutation(.session(Field.status), .text(isFinished ? "finished" : "open"))
    }

    /// The session in which the same people play on.
    package static func next(_ successor: Successor) -> Mutation {
        Mutation(.session(Field.next), .text(successor.text))
    }

    /// The order in which the players sit.
    package static func seats(_ players: [PlayerID]) -> Mutation {
        Mutation(
            .session(Field.seats),
            .text(players.map(\.description).joined(separator: " "))
        )
    }

    /// The name of a device.
    package static func device(_ device: DeviceID, name: String) -> Mutation {
        Mutation(.device(device), .text(name))
    }

    /// The name of a player.
    package static func name(of player: PlayerID, _ name: String) -> Mutation {
        Mutation(.player(player, Field.name), .text(name))
    }

    /// The team of a player; nil of none.
    package static func team(of player: PlayerID, _ team: String?) -> Mutation {
        Mutation(.player(player, Field.team), team.map(Value.text) ?? .null)
    }

    /// That a player is a computer.
    package static func computer(_ player: PlayerID, _ computer: Computer) -> Mutation {
        Mutation(.player(player, Field.computer), .text(computer.text))
    }

    /// Whether a player takes part.
    package static func membership(of player: PlayerID, isPresent: Bool) -> Mutation {
        Mutation(.membership(player), .boolean(isPresent))
    }

    /// A new player, in one commit.
    package static func add(_ player: PlayerID, name: String) -> [Mutation] {
        [
            membership(of: player, isPresent: true),
            Mutation(.player(player, Field.added), .boolean(true)),
            self.name(of: player, name),
        ]
    }

    /// A score, in one commit with its player's membership.
    ///
    /// A score that is entered while somebody
    /// else removes the player keeps the player in.
    package static func score(_ cell: Cell, _ value: Value) -> [Mutation] {
        [Mutation(.cell(cell), value), membership(of: cell.player, isPresent: true)]
    }

    /// An emptied cell; it says nothing about the player's membership.
    package static func clear(_ cell: Cell) -> [Mutation] {
        [Mutation(.cell(cell), .null)]
    }
}

/// The fields that this version knows, of a session and of a player.
package enum Field {
    /// The title of a session: a text.
    package static let title = Symbol(known: "title")
    /// The game of a session: the id of its sheet, a text.
    package static let game = Symbol(known: "game")
    /// Whether a session is finished: the text `open` or `finished`.
    package static let status = Symbol(known: "status")
    /// The order of the players: their ids, separated by spaces.
    package static let seats = Symbol(known: "seats")
    /// The sheet itself as JSON, so that all devices play by the same one: a text.
    ///
    /// Sessions of the first versions have none.
    package static let sheet = Symbol(known: "sheet")
    /// The session in which the same people play on, with its key: a text, see `Successor`.
    ///
    /// It holds a key: it must never be shown or logged, nor exported unless keys are asked for.
    package static let next = Symbol(known: "next")
    /// The name of a player: a text.
    package static let name = Symbol(known: "name")
    /// The team of a player: a text.
    package static let team = Symbol(known: "team")
    /// That a player is a computer, and which device moves for it: the device's id and how deep it
    /// searches, separated by a space; a text.
    package static let computer = Symbol(known: "computer")
    /// That a player was added; the stamp of this field orders players without a seat.
    package static let added = Symbol(known: "added")

    private static let optionPrefix = "option."
    private static let phonePrefix = "phone."

    /// The field of an option of the game; nil when the name is too long.
    package static func option(_ name: Symbol) -> Symbol? {
        Symbol(optionPrefix + name.description)
    }

    /// The option whose field this is; nil for other fields.
    package static func optionName(of field: Symbol) -> Symbol? {
        guard field.description.hasPrefix(optionPrefix) else { return nil }
        return Symbol(String(field.description.dropFirst(optionPrefix.count)))
    }

    /// The mark of what a player's phone sent under an id: true of what it entered, false of what
    /// took that back; nil when the id is too long.
    ///
    /// Each has a field of its own, so that none is ever replaced: it tells by its author and stamp
    /// which commit came by phone, and wherever it is the id is not entered again.
    package static func phone(_ id: String) -> Symbol? { Symbol(phonePrefix + id) }

    /// Whether a field is the mark of what a phone entered.
    package static func isPhone(_ field: Symbol) -> Bool {
        field.description.hasPrefix(phonePrefix)
    }
}
