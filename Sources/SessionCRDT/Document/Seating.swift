/// A player, as the entries say now.
package struct Player: Hashable, Sendable {
    /// Who it is, whatever the name.
    package let id: PlayerID
    /// What they are called; two players may be called the same.
    package let name: String
    /// The team, where the game has teams.
    package let team: String?
    /// Who moves, where the player is a computer.
    package let computer: Computer?
    /// Whether they take part.
    ///
    /// A removed player keeps all scores.
    package let isPresent: Bool
    /// Whether somebody removed the player while somebody else scored for them or added them, which
    /// keeps them in: to be told.
    package let wasKeptIn: Bool
    /// When the player was added; nil when that has not arrived.
    package let added: Stamp?

    package init(
        id: PlayerID,
        name: String,
        team: String? = nil,
        computer: Computer? = nil,
        isPresent: Bool = true,
        wasKeptIn: Bool = false,
        added: Stamp? = nil
    ) {
        self.id = id
        self.name = name
        self.team = team
        self.computer = computer
        self.isPresent = isPresent
        self.wasKeptIn = wasKeptIn
        self.added = added
    }
}

/// What makes a player a computer: the one device that moves for it, and how well it plays.
package struct Computer: Hashable, Sendable {
    /// The device that added the player; no other one moves for it.
    package let device: DeviceID
    /// How many moves ahead it searches, from 1.
    package let depth: Int

    /// How deep a search can be asked for.
    package static let depths = 1...20

    /// A computer of this device that searches so deep, cut to what can be asked for.
    package init(device: DeviceID, depth: Int) {
        self.device = device
        self.depth = min(max(depth, Computer.depths.lowerBound), Computer.depths.upperBound)
    }

    /// The computer of a field's text, `DEVICE DEPTH`; nil where the text is no such thing.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let device = DeviceID(words[0]), let depth = Int(words[1]),
            Computer.depths.contains(depth)
        else { return nil }
        self.init(device: device, depth: depth)
    }

    /// The text of the field.
    package var text: String { "\(device) \(depth)" }
}

/// Who takes part in a session and where they sit, as the live sets say: it takes in one key after
/// the other, in any order.
package struct Seating: Sendable {
    /// How many are seated at most: who follows is no player of the session, whatever is written.
    ///
    /// What follows from a session then costs what is written, and not that times its players.
    package static let most = 256

    private var people: [PlayerID: Person] = [:]
    private var order = ExactText("")

    /// What is said of somebody.
    private struct Person: Equatable {
        /// Whether anything is said about their membership.
        var isKnown = false
        /// Whether somebody says that they take part.
        var isPresent = false
        /// Whether somebody says that they do not.
        var isAbsent = false
        var name: ExactText?
        var team: ExactText?
        var computer: Computer?
        var added: Stamp?
    }

    /// The seating of a session of which nothing has arrived.
    package init() {}

    /// Takes in what is live under a key; one that says nothing of players is passed over.
    ///
    /// - Returns: whether the players differ: every score says of its player that they take part,
    ///   which is mostly known.
    package mutating func read(_ key: Key, _ live: LiveSet) -> Bool {
        switch key {
        case .session(Field.seats):
            let text = ExactText(live.winner.value.string ?? "")
            defer { order = text }
            return text != order
        case .player(let player, let field):
            var person = people[player] ?? Person()
            let winner = live.winner
            switch field {
            case Field.name: person.name = winner.value.exactText
            case Field.team: person.team = winner.value.exactText
            case Field.computer: person.computer = winner.value.string.flatMap { Computer($0) }
            case Field.added: person.added = winner.stamp
            default: return false
            }
            return set(person, for: player)
        case .membership(let player):
            var person = people[player] ?? Person()
            let says = live.count == 1 ? [live.winner] : live.entries
            person.isKnown = true
            person.isPresent = says.contains { $0.value == .boolean(true) }
            person.isAbsent = says.contains { $0.value == .boolean(false) }
            return set(person, for: player)
        case .session, .device, .cell, .foreign: return false
        }
    }

    private mutating func set(_ person: Person, for player: PlayerID) -> Bool {
        let before = people[player]
        guard before != person else { return false }
        people[player] = person
        return person.isKnown
    }

    /// The players in the order of the seats; those that it leaves out follow as they were added.
    package var players: [Player] {
        var place: [PlayerID: Int] = [:]
        for (index, seat) in order.string.split(separator: " ").enumerated() {
            if let player = PlayerID(seat), place[player] == nil { place[player] = index }
        }
        let last = Stamp(bits: .max)
        let known = people.filter(\.value.isKnown).map { id, person in
            (place: place[id] ?? .max, added: person.added ?? last, id: id)
        }
        return known.sorted { $0 < $1 }.prefix(Seating.most).compactMap { seat in
            people[seat.id].map { Seating.player(seat.id, $0) }
        }
    }

    private static func player(_ id: PlayerID, _ person: Person) -> Player {
        Player(
            id: id,
            name: person.name?.string ?? "player-\(id.description.prefix(4))",
            team: person.team?.string,
            computer: person.computer,
            isPresent: person.isPresent,
            wasKeptIn: person.isPresent && person.isAbsent,
            added: person.added
        )
    }
}

extension Value {
    /// The text, byte by byte, if it is one.
    fileprivate var exactText: ExactText? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}
