/// How a team stands, or did: its members win or lose together.
package struct ShownTeam: Codable, Hashable, Sendable {
    /// What it is called.
    package var name: String
    /// The points of all members together.
    package var total: Int64
    /// The place from 1.
    package var rank: Int
    /// Whether it has won.
    package var winner: Bool
    /// The ids of its members who have a place, in seat order.
    package var players: [String]

    package init(name: String, total: Int64, rank: Int, winner: Bool, players: [String]) {
        self.name = name
        self.total = total
        self.rank = rank
        self.winner = winner
        self.players = players
    }
}
