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
