/// What differs in a score sheet from the one before, as a watcher is sent it.
///
/// It has the shape of what it changes. What is there is how it is now; what is left out stays as
/// it was. What is never in a change (the session, names, seats, teams, who was removed, the game)
/// only changes with a snapshot.
package struct ShowChange: Codable, Hashable, Sendable {
    /// What differs for everybody.
    package var document = ShowDocument.Change()
    /// What differs of what only this device knows.
    package var context = ShowContext.Change()

    /// No difference.
    package init() {}

    /// Whether nothing differs.
    package var isEmpty: Bool { document.isEmpty && context == ShowContext.Change() }
}

extension ShowDocument {
    /// What differs in a document.
    package struct Change: Codable, Hashable, Sendable {
        /// The players of whom anything differs, in seat order.
        package var players: [ShownPlayer.Change]?
        /// All teams.
        package var teams: [ShownTeam]?
        /// Whether the game is over.
        package var finished: Bool?
        /// The id of the player to move, or null.
        package var turn: ExplicitNull<String>?
        /// The ids of the winners.
        package var winners: [String]?
        /// All flags.
        package var flags: [ShownFlag]?
        /// All panels.
        package var panels: [ShownPanel]?

        /// No difference.
        package init() {}

        /// Whether nothing differs.
        package var isEmpty: Bool { self == Change() }
    }
}

extension ShownPlayer {
    /// What differs in a player's line and cells.
    package struct Change: Codable, Hashable, Sendable {
        /// The player's id.
        package var id: String
        /// The name, as the last snapshot has it: so that a line can be read alone.
        package var name: String
        /// The total.
        package var total: Int64?
        /// The rank, or null.
        package var rank: ExplicitNull<Int>?
        /// What decided between equals, or null.
        package var tieBreak: ExplicitNull<String>?
        /// Whether the player has won.
        package var winner: Bool?
        /// All that rows are worth that nobody entered.
        package var computed: [ShownPoints]?
        /// The cells that say something else or count for something else, and new ones.
        package var cells: [ShownCell]?
        /// Where a cell was and is none any more: it was cleared.
        package var cleared: [ShownPlace]?

        /// No difference in this player.
        package init(id: String, name: String) { (self.id, self.name) = (id, name) }

        /// Whether nothing differs.
        package var isEmpty: Bool { self == Change(id: id, name: name) }
    }
}

extension ShowContext {
    /// What differs in a context.
    package struct Change: Codable, Hashable, Sendable {
        /// The rows of the table that are new.
        package var rows: [ShownRow]?
        /// Where a row of the table was and is none any more.
        package var gone: [ShownPlace]?
        /// The id of the player of this device, or null.
        package var me: ExplicitNull<String>?
        /// The ids of who leads.
        package var leaders: [String]?
        /// All who hold the session.
        package var peers: [PeerSummary]?
        /// Whether the user took this device offline.
        package var offline: Bool?
        /// How many writes of this device no linked peer is known to have.
        package var unsynced: Int?
        /// All that the user should know.
        package var notes: [String]?
        /// The next game of these people, or null.
        package var next: ExplicitNull<NamedSession>?
        /// The session that commands mean on this device, or null where it is this one or the next.
        package var inUse: ExplicitNull<NamedSession>?

        /// No difference.
        package init() {}
    }
}

extension KeyedDecodingContainer {
    /// Tells a null, which is how it is now, from what was left out, which stays as it was.
    ///
    /// The synthesized coding of the changes calls it in place of the one that takes both for nil.
    func decodeIfPresent<Wrapped>(
        _ type: ExplicitNull<Wrapped>.Type,
        forKey key: Key
    ) throws -> ExplicitNull<Wrapped>? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}

extension ShowReply {
    /// Takes in what differs.
    ///
    /// Law: a snapshot and all changes after it, in their order, are the snapshot of that moment.
    package mutating func apply(_ change: ShowChange) {
        let order = ShownOrder(context.order)
        document.apply(change.document, by: order)
        context.apply(change.context, by: order)
    }
}

extension ShowDocument {
    fileprivate mutating func apply(_ change: Change, by order: ShownOrder) {
        for change in change.players ?? [] {
            // Players only come with a snapshot.
            guard let place = players.firstIndex(where: { $0.id == change.id }) else { continue }
            players[place].apply(change, by: order)
        }
        if let now = change.teams { teams = now }
        if let now = change.finished { finished = now }
        if let now = change.turn { turn = now.wrappedValue }
        if let now = change.winners { winners = now }
        if let now = change.flags { flags = now }
        if let now = change.panels { panels = now }
    }
}

extension ShownPlayer {
    fileprivate mutating func apply(_ change: Change, by order: ShownOrder) {
        if let now = change.total { total = now }
        if let now = change.rank { rank = now.wrappedValue }
        if let now = change.tieBreak { tieBreak = now.wrappedValue }
        if let now = change.winner { winner = now }
        if let now = change.computed { computed = now }
        for place in change.cleared ?? [] { cells.remove(place, by: order) }
        for cell in change.cells ?? [] { cells.put(cell, by: order) }
    }
}

extension ShowContext {
    fileprivate mutating func apply(_ change: Change, by order: ShownOrder) {
        for place in change.gone ?? [] { rows.remove(place, by: order) }
        for row in change.rows ?? [] { rows.put(row, by: order) }
        if let now = change.me { me = now.wrappedValue }
        if let now = change.leaders { leaders = now }
        if let now = change.peers { peers = now }
        if let now = change.offline { offline = now }
        if let now = change.unsynced { unsynced = now }
        if let now = change.notes { notes = now }
        if let now = change.next { next = now.wrappedValue }
        if let now = change.inUse { inUse = now.wrappedValue }
    }
}

/// A place in a column: a row, and where that repeats, a round.
package struct ShownPlace: Codable, Hashable, Sendable {
    /// The row's id.
    package var row: String
    /// The round, from 1; null where the row has none.
    @ExplicitNull package var round: Int?

    /// The place of a row and a round.
    package init(row: String, round: Int? = nil) { (self.row, self.round) = (row, round) }
}

/// The order of places: as the sheet has its rows, rows that it does not know by their id, and in a
/// row by round.
///
/// Snapshots name the rows, so that a watcher knows where what is new belongs.
struct ShownOrder {
    private let places: [String: Int]

    /// The order of the rows with these ids.
    init(_ rows: [String]) {
        places = Dictionary(zip(rows, 0...)) { first, _ in first }
    }

    /// Whether one place comes before another.
    func precedes(_ left: ShownPlace, _ right: ShownPlace) -> Bool {
        (places[left.row] ?? .max, left.row, left.round ?? -1)
            < (places[right.row] ?? .max, right.row, right.round ?? -1)
    }
}

/// What stands at a place of a score sheet.
protocol Placed {
    /// Where it stands.
    var place: ShownPlace { get }
}

extension ShownCell: Placed {
    var place: ShownPlace { ShownPlace(row: row, round: round) }
}

extension ShownRow: Placed {
    var place: ShownPlace { ShownPlace(row: row, round: round) }
}

extension Array where Element: Placed {
    /// Puts an element where it belongs, in place of the one that is there.
    mutating func put(_ element: Element, by order: ShownOrder) {
        let index = index(of: element.place, by: order)
        if index < count, self[index].place == element.place {
            self[index] = element
        } else {
            insert(element, at: index)
        }
    }

    /// Removes what stands at a place, if anything does.
    mutating func remove(_ place: ShownPlace, by order: ShownOrder) {
        let index = index(of: place, by: order)
        if index < count, self[index].place == place { remove(at: index) }
    }

    /// The first index that does not come before a place.
    private func index(of place: ShownPlace, by order: ShownOrder) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if order.precedes(self[middle].place, place) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
