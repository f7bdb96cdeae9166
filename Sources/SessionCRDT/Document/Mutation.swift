/// A requested write; the replica turns it into an entry.
package struct Mutation: Hashable, Sendable {
    package let key: Key
    package let value: Value
    /// Whether the value is written beside what is live, as a concurrent value that loses.
    ///
    /// For a value from somebody who had not seen what is live, such as a phone that was away.
    package let isAlternative: Bool

    package init(_ key: Key, _ value: Value, isAlternative: Bool = false) {
        (self.key, self.value, self.isAlternative) = (key, value, isAlternative)
    }
}

extension Mutation {
    package static func title(_ title: String) -> Mutation {
        Mutation(.session(Field.title), .text(title))
    }

    package static func game(_ game: Symbol) -> Mutation {
        Mutation(.session(Field.game), .text(game.description))
    }

    package static func sheet(_ json: String) -> Mutation {
        Mutation(.session(Field.sheet), .text(json))
    }

    package static func finished(_ isFinished: Bool) -> Mutation {
        Mutation(.session(Field.status), .text(isFinished ? "finished" : "open"))
    }

    /// Returns the writes that finish or reopen a session, with the word of the table if the rules
    /// do not decide; `before` is the field's live set.
    package static func finished(
        _ isFinished: Bool,
        _ verdict: Verdict?,
        replacing before: LiveSet?
    ) -> [Mutation] {
        let value = verdict.map { Value.text($0.description) } ?? .null
        let isSame = (before?.allSatisfy { $0.value == value }) ?? (value == .null)
        return [.finished(isFinished)] + (isSame ? [] : [Mutation(.session(Field.verdict), value)])
    }

    package static func next(_ successor: Successor) -> Mutation {
        Mutation(.session(Field.next), .text(successor.text))
    }

    /// Returns the live entries that the write does not replace, the latest first.
    ///
    /// A new next game does not replace another one, which members that are off would never get.
    /// It replaces what would win against it, so that it is the one that continues.
    package func kept(of live: LiveSet?, by entry: Entry) -> [Entry] {
        guard let live else { return [] }
        guard !isAlternative else { return live.latestFirst }
        guard key == .session(Field.next) else { return [] }
        let kept = live.latestFirst.filter { other in
            entry.wins(over: other) && other.value.string.flatMap { Successor($0) } != nil
        }
        return Array(kept.prefix(Successor.maxCount - 1))
    }

    package static func seats(_ players: [PlayerID]) -> Mutation {
        Mutation(.session(Field.seats), .text(players.map(\.description).joined(separator: " ")))
    }

    package static func device(_ device: DeviceID, name: String) -> Mutation {
        Mutation(.device(device), .text(name))
    }

    package static func name(of player: PlayerID, _ name: String) -> Mutation {
        Mutation(.player(player, Field.name), .text(name))
    }

    package static func team(of player: PlayerID, _ team: String?) -> Mutation {
        Mutation(.player(player, Field.team), team.map(Value.text) ?? .null)
    }

    package static func since(_ player: PlayerID, _ round: UInt32) -> Mutation {
        Mutation(.player(player, Field.since), .integer(Int64(round)))
    }

    package static func start(_ player: PlayerID, _ points: Points) -> Mutation {
        Mutation(.player(player, Field.start), points.value)
    }

    package static func computer(_ player: PlayerID, _ computer: Computer) -> Mutation {
        Mutation(.player(player, Field.computer), .text(computer.text))
    }

    package static func membership(of player: PlayerID, isPresent: Bool) -> Mutation {
        Mutation(.membership(player), .boolean(isPresent))
    }

    package static func add(_ player: PlayerID, name: String) -> [Mutation] {
        [
            membership(of: player, isPresent: true),
            Mutation(.player(player, Field.added), .boolean(true)),
            self.name(of: player, name),
        ]
    }

    /// Returns the writes that set a score: the value, and the membership of the player.
    ///
    /// The membership makes a score win over a concurrent removal of the player.
    package static func score(_ cell: Cell, _ value: Value) -> [Mutation] {
        [Mutation(.cell(cell), value), membership(of: cell.player, isPresent: true)]
    }

    /// Returns the write that clears a cell; the player's membership stays as it is.
    package static func clear(_ cell: Cell) -> [Mutation] { [Mutation(.cell(cell), .null)] }
}

/// The fields of sessions and players that this version knows; values are texts unless noted.
package enum Field {
    package static let title = Symbol(known: "title")
    package static let game = Symbol(known: "game")
    /// The status, `open` or `finished`.
    package static let status = Symbol(known: "status")
    /// The ids of the players in order, separated by spaces.
    package static let seats = Symbol(known: "seats")
    /// The word of the table on who has won; see `Verdict`.
    package static let verdict = Symbol(known: "verdict")
    /// The sheet as JSON, so that all devices use the same one; absent in sessions that the first
    /// versions created.
    package static let sheet = Symbol(known: "sheet")
    /// The next session of the same people; see `Successor`.
    ///
    /// It contains a key: never show or log it, and export it only together with the other keys.
    package static let next = Symbol(known: "next")
    package static let name = Symbol(known: "name")
    package static let team = Symbol(known: "team")
    /// The first round of a player, and the points to start with.
    package static let since = Symbol(known: "since")
    package static let start = Symbol(known: "start")
    /// The settings of a computer player; see `Computer`.
    package static let computer = Symbol(known: "computer")
    /// Always true; the stamp of the entry gives the order of players without a seat.
    package static let added = Symbol(known: "added")

    private static let optionPrefix = "option."
    private static let phonePrefix = "phone."

    /// Returns the field for an option of the game; nil if the name is too long.
    package static func option(_ name: Symbol) -> Symbol? {
        Symbol(optionPrefix + name.description)
    }

    /// Returns the name of the option stored in the field; nil if it is not an option field.
    package static func optionName(of field: Symbol) -> Symbol? {
        guard field.description.hasPrefix(optionPrefix) else { return nil }
        return Symbol(String(field.description.dropFirst(optionPrefix.count)))
    }

    /// Returns the field that marks a request from a player's phone as done: true if its move was
    /// entered, false if it was undone; nil if the request's id is too long.
    ///
    /// Each request has its own field, so that marks never replace each other: the author and stamp
    /// of a mark identify the commit, and a retry with the same id is not entered again.
    package static func phone(_ id: String) -> Symbol? { Symbol(phonePrefix + id) }

    package static func isPhone(_ field: Symbol) -> Bool {
        field.description.hasPrefix(phonePrefix)
    }
}
