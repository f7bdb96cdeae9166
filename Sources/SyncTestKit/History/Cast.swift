import SessionCRDT

/// The sessions and players of a world, which events name by number.
struct Cast {
    /// The sessions.
    let sessions: [SessionID]
    private let players: [PlayerID]

    static let players = 4
    private static let rows = ["birds", "eggs", "round"].compactMap { Symbol($0) }
    static var rowCount: Int { rows.count }

    init(sessions: Int, using chance: inout SeededGenerator) {
        self.sessions = (0..<sessions).map { _ in SessionID.random(using: &chance) }
        players = (0..<Cast.players).map { _ in PlayerID.random(using: &chance) }
    }

    func player(_ number: Int) -> PlayerID { players[number % players.count] }

    func cell(_ player: Int, _ row: Int, _ round: UInt32?) -> Cell {
        Cell(player: self.player(player), row: Cast.rows[row % Cast.rows.count], round: round)
    }

    /// A session as another one names it; its key is of no use here.
    func successor(_ session: Int) -> Successor? {
        guard sessions.indices.contains(session) else { return nil }
        return Successor(
            session: sessions[session],
            key: [UInt8](repeating: 7, count: Successor.keyBytes)
        )
    }
}
