import SessionCRDT

/// Who plays, in the order around the table.
///
/// The first letter records it, so that a player who is added while the game is under way plays in
/// the next one, and nobody changes seats. Who of them is there may change at any time: the turn
/// passes over those who are away, and nothing that was played depends on it.
struct GhostCircle {
    /// The players; whoever is away is still among them.
    let players: [Player]
    /// Whether it is the recorded one: the game has begun.
    let isRecorded: Bool

    private let places: [PlayerID: Int]

    /// The circle of a book: the recorded one while its first letter stands, else all who are there
    /// or have entered a letter without `play`, in seat order.
    init(_ book: Book, recorded: [PlayerID]) {
        var seen: Set<PlayerID> = []
        let known = recorded.filter { seen.insert($0).inserted }.compactMap(book.player)
        let isInUse =
            known.first.map { first in
                let cell = Cell(player: first.id, row: GhostTerms.letter, round: 1)
                return book[cell].map { $0.winner.value != .null } ?? false
            } ?? false
        isRecorded = isInUse && known.count > 1
        players =
            isRecorded
            ? known
            : book.players.filter { player in
                player.isPresent
                    || book.cells(of: player.id).contains {
                        $0.cell.row == GhostTerms.letter && $0.value != .null
                    }
            }
        var places: [PlayerID: Int] = [:]
        for (place, player) in players.enumerated() { places[player.id] = place }
        self.places = places
    }

    /// Where somebody sits; nil of those who do not play.
    func place(of player: PlayerID) -> Int? { places[player] }
}
