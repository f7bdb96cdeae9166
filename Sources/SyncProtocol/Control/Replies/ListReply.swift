internal import JSONCoding

/// A reply that is a list; the JSON key is the name of its items: `{"peers":[…],"schema":1}`.
package struct ListReply<Item: ListItem>: Document {
    package let schema: Int
    package var items: [Item]

    package init(_ items: [Item]) { (schema, self.items) = (1, items) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: JSONKey.self)
        items = try container.decode([Item].self, forKey: JSONKey(Item.listName))
        schema = try container.decode(Int.self, forKey: JSONKey("schema"))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONKey.self)
        try container.encode(items, forKey: JSONKey(Item.listName))
        try container.encode(schema, forKey: JSONKey("schema"))
    }
}

package protocol ListItem: Document {
    /// The JSON key of a list of these items.
    static var listName: String { get }
}

/// The sessions held here, the latest first.
package typealias SessionListReply = ListReply<SessionSummary>
/// All players in seat order, including removed ones.
package typealias PlayersReply = ListReply<PlayerSummary>
/// All known peers, by name.
package typealias PeerListReply = ListReply<PeerSummary>
/// The selected people in their order, then the remaining ones by name.
package typealias PeopleReply = ListReply<PersonSummary>
/// The games by id, or the results of a search with the best match first.
package typealias GameListReply = ListReply<GameSummary>
/// The games and legs, the latest first.
package typealias ResultsReply = ListReply<ResultSummary>
/// The games with finished results, by name.
package typealias LeadersReply = ListReply<GameLeaders>
/// The games with finished results, by name.
package typealias StatsReply = ListReply<GameStatistics>
/// The cells, in sheet order.
package typealias ConflictsReply = ListReply<ConflictSummary>
/// The lines of the journal, the latest first.
package typealias HistoryReply = ListReply<HistoryEntry>
/// The sessions that the import has completed.
package typealias ImportReply = ListReply<ImportedSummary>

extension SessionSummary: ListItem { package static var listName: String { "sessions" } }
extension PlayerSummary: ListItem { package static var listName: String { "players" } }
extension PeerSummary: ListItem { package static var listName: String { "peers" } }
extension PersonSummary: ListItem { package static var listName: String { "people" } }
extension GameSummary: ListItem { package static var listName: String { "games" } }
extension ResultSummary: ListItem { package static var listName: String { "results" } }
extension GameLeaders: ListItem { package static var listName: String { "games" } }
extension GameStatistics: ListItem { package static var listName: String { "games" } }
extension ConflictSummary: ListItem { package static var listName: String { "conflicts" } }
extension HistoryEntry: ListItem { package static var listName: String { "entries" } }
extension ImportedSummary: ListItem { package static var listName: String { "sessions" } }
