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
        package init(id: String, name: String) {
            self.id = id
            self.name = name
        }

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
