import SessionCRDT

/// What somebody writes; players, rows and sessions are counted from 0.
package enum Writing: Hashable, Codable, Sendable {
    /// What the creator of a session writes.
    case creation
    /// A score.
    case score(player: Int, row: Int, round: UInt32?, value: Int64)
    /// An emptied cell.
    case clear(player: Int, row: Int, round: UInt32?)
    /// A score and an emptied cell in one commit.
    case several(player: Int, row: Int, value: Int64)
    /// So many cells of long texts in one commit: more than one part of a delta.
    case bulk(player: Int, cells: Int, value: Int64)
    /// A player's name.
    case name(player: Int, value: Int64)
    /// A new player, or one more time.
    case add(player: Int, value: Int64)
    /// Whether a player takes part.
    case membership(player: Int, isPresent: Bool)
    /// The order of the players.
    case seats([Int])
    /// The title.
    case title(Int64)
    /// Whether the session is finished.
    case finish(Bool)
    /// The session in which the same people play on.
    case next(session: Int)

    /// The entries that it is made of.
    func mutations(in cast: Cast) -> [Mutation] {
        switch self {
        case .creation:
            [.title("Friday"), .finished(false)]
                + [0, 1].flatMap { Mutation.add(cast.player($0), name: "player \($0)") }
        case .score(let player, let row, let round, let value):
            Mutation.score(cast.cell(player, row, round), .integer(value))
        case .clear(let player, let row, let round):
            Mutation.clear(cast.cell(player, row, round))
        case .several(let player, let row, let value):
            Mutation.score(cast.cell(player, row, nil), .integer(value))
                + Mutation.clear(cast.cell(player, row, 3))
        case .bulk(let player, let cells, let value):
            (0..<cells).map { number in
                let text = "\(value) " + String(repeating: "x", count: 4_000)
                return Mutation(.cell(cast.cell(player, 0, UInt32(100 + number))), .text(text))
            }
        case .name(let player, let value): [.name(of: cast.player(player), "name \(value)")]
        case .add(let player, let value):
            Mutation.add(cast.player(player), name: "name \(value)")
        case .membership(let player, let isPresent):
            [.membership(of: cast.player(player), isPresent: isPresent)]
        case .seats(let players): [.seats(players.map(cast.player))]
        case .title(let value): [.title("title \(value)")]
        case .finish(let isFinished): [.finished(isFinished)]
        case .next(let session): cast.successor(session).map { [.next($0)] } ?? []
        }
    }
}
