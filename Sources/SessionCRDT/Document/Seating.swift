/// A player, derived from the live entries.
package struct Player: Hashable, Sendable {
    package let id: PlayerID
    /// The name, which need not be unique.
    package let name: String
    package let team: String?
    package let computer: Computer?
    /// Whether the player takes part.
    ///
    /// A removed player keeps all scores.
    package let isPresent: Bool
    /// Whether a concurrent score or addition prevailed over the removal of the player (add wins);
    /// users are notified of it.
    package let wasKeptIn: Bool
    /// The time at which the player was added; nil until that entry has arrived.
    package let added: Stamp?
    /// The first round of the player in a game of rounds: 1, or later for one who joined late.
    package let since: UInt32
    /// The points with which the player starts, as a handicap or because others have some already;
    /// nil for those of the game.
    package let start: Points?

    package init(
        id: PlayerID,
        name: String,
        team: String? = nil,
        computer: Computer? = nil,
        isPresent: Bool = true,
        wasKeptIn: Bool = false,
        added: Stamp? = nil,
        since: UInt32 = 1,
        start: Points? = nil
    ) {
        (self.id, self.name, self.team, self.computer) = (id, name, team, computer)
        (self.isPresent, self.wasKeptIn, self.added) = (isPresent, wasKeptIn, added)
        (self.since, self.start) = (since, start)
    }
}

package struct Computer: Hashable, Sendable {
    /// The device on which the player was added; only that device makes moves for the player.
    package let device: DeviceID
    /// The number of moves that it searches ahead.
    package let depth: Int

    package static let depths = 1...20

    /// Creates the settings of a computer player, with the depth clamped to `depths`.
    package init(device: DeviceID, depth: Int) {
        self.device = device
        self.depth = min(max(depth, Computer.depths.lowerBound), Computer.depths.upperBound)
    }

    /// Parses the text of the field, `DEVICE DEPTH`.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let device = DeviceID(words[0]), let depth = Int(words[1]),
            Computer.depths.contains(depth)
        else { return nil }
        self.init(device: device, depth: depth)
    }

    package var text: String { "\(device) \(depth)" }
}

/// The players of a session in order, updated by one key at a time, in any order.
package struct Seating: Sendable {
    /// The maximum number of players; later ones are ignored.
    ///
    /// The limit bounds the cost of everything that is computed for each player.
    package static let maxPlayers = 256

    private var records: [PlayerID: Record] = [:]
    private var order = ExactText("")

    private struct Record: Equatable {
        /// Whether the player has a membership key; a player without one is not shown.
        var hasMembership = false
        /// Whether one live entry says that the player takes part, and whether one says the
        /// opposite.
        var (isPresent, isAbsent) = (false, false)
        var name: ExactText?
        var team: ExactText?
        var computer: Computer?
        var added: Stamp?
        var since: UInt32?
        var start: Points?
    }

    package init() {}

    /// Returns the first round of a player; nil if a game cannot have that many.
    private static func round(_ number: Int64) -> UInt32? {
        1...Int64(Cell.lastRound) ~= number ? UInt32(number) : nil
    }

    /// Applies the live set of a key; keys that do not concern players are ignored.
    ///
    /// - Returns: whether the players changed. Usually they do not, although every score also
    ///   writes its player's membership.
    package mutating func apply(_ key: Key, _ live: LiveSet) -> Bool {
        switch key {
        case .session(Field.seats):
            let text = ExactText(live.winner.value.string ?? "")
            defer { order = text }
            return text != order
        case .player(let player, let field):
            var record = records[player] ?? Record()
            let winner = live.winner
            switch field {
            case Field.name: record.name = winner.value.exactText
            case Field.team: record.team = winner.value.exactText
            case Field.computer: record.computer = winner.value.string.flatMap { Computer($0) }
            case Field.added: record.added = winner.stamp
            case Field.since: record.since = winner.value.integer.flatMap(Seating.round)
            case Field.start: record.start = Points(winner.value)
            default: return false
            }
            return set(record, for: player)
        case .membership(let player):
            var record = records[player] ?? Record()
            let entries = live.count == 1 ? [live.winner] : live.entries
            record.hasMembership = true
            record.isPresent = entries.contains { $0.value == .boolean(true) }
            record.isAbsent = entries.contains { $0.value == .boolean(false) }
            return set(record, for: player)
        case .session, .device, .cell, .foreign: return false
        }
    }

    private mutating func set(_ record: Record, for player: PlayerID) -> Bool {
        guard records[player] != record else { return false }
        records[player] = record
        return record.hasMembership
    }

    /// The players in the order of the seats; players without a seat follow in the order in which
    /// they were added.
    package var players: [Player] {
        var seats: [PlayerID: Int] = [:]
        for (index, seat) in order.string.split(separator: " ").enumerated() {
            if let player = PlayerID(seat), seats[player] == nil { seats[player] = index }
        }
        let last = Stamp(bits: .max)
        let known = records.filter(\.value.hasMembership).map { id, record in
            (seat: seats[id] ?? .max, added: record.added ?? last, id: id)
        }
        return known.sorted { $0 < $1 }.prefix(Seating.maxPlayers).compactMap { player in
            guard let record = records[player.id] else { return nil }
            return Player(
                id: player.id,
                name: record.name?.string ?? "player-\(player.id.description.prefix(4))",
                team: record.team?.string,
                computer: record.computer,
                isPresent: record.isPresent,
                wasKeptIn: record.isPresent && record.isAbsent,
                added: record.added,
                since: record.since ?? 1,
                start: record.start
            )
        }
    }
}
