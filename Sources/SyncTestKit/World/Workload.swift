import SessionCRDT

/// What people write.
struct Workload {
    /// The sessions that are played.
    let sessions: [SessionID]
    private let players: [PlayerID]
    private var counter: Int64 = 0
    private var lastRequest: UInt64 = 0

    private static let rows = ["birds", "eggs", "round"].compactMap { Symbol($0) }

    init(sessions: Int, using chance: inout SeededGenerator) {
        self.sessions = (0..<sessions).map { _ in SessionID.random(using: &chance) }
        players = (0..<4).map { _ in PlayerID.random(using: &chance) }
    }

    mutating func nextRequest() -> UInt64 {
        lastRequest += 1
        return lastRequest
    }

    /// What the creator of a session writes.
    func creation() -> [Mutation] {
        [.title("Friday"), .finished(false)]
            + players.prefix(2).enumerated().flatMap { Mutation.add($1, name: "player \($0)") }
    }

    /// What somebody writes next; every value is new, so that it can be told from all others.
    mutating func next(using chance: inout SeededGenerator) -> [Mutation] {
        counter += 1
        guard let player = chance.pick(players), let row = chance.pick(Workload.rows) else {
            return []
        }
        let round = chance.happens(50) ? nil : UInt32(chance.number(1...2))
        let cell = Cell(player: player, row: row, round: round)
        switch chance.index(below: 20) {
        case 0: return Mutation.clear(cell)
        case 1: return [.name(of: player, "name \(counter)")]
        case 2: return [.membership(of: player, isPresent: false)]
        case 3: return [.membership(of: player, isPresent: true)]
        case 4: return Mutation.add(player, name: "name \(counter)")
        case 5: return [.seats(players.filter { _ in chance.happens(80) })]
        case 6: return [.title("title \(counter)")]
        case 7:
            // Several cells in one commit.
            return Mutation.score(cell, .integer(counter))
                + Mutation.clear(Cell(player: player, row: row, round: 3))
        default: return Mutation.score(cell, .integer(counter))
        }
    }
}
