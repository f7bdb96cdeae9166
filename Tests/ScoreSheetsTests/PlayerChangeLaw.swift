import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

/// The law of games of turns: a change of players never makes a counted turn of the past uncounted.
struct PlayerChangeLaw {
    let rules: any GameRules
    /// The rows in which the turns stand.
    let rows: Set<Symbol>

    /// The law for a game with turns in these rows.
    init(_ rules: any GameRules, rows: StaticString...) {
        self.rules = rules
        self.rows = Set(rows.map(Symbol.init(known:)))
    }

    /// The turns that count.
    func counted(_ table: Table) -> Set<Cell> {
        let cells = rules.standings(of: table.book).players.flatMap(\.cells)
        return Set(
            cells.filter { rows.contains($0.bookCell.cell.row) && $0.points != nil }
                .map(\.bookCell.cell)
        )
    }

    /// Adds, removes, restores and reseats players at random, and expects every turn to count that
    /// counted before.
    func expect(
        _ table: Table,
        changes: Int = 6,
        seed: UInt64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var generator = SeededGenerator(seed: seed)
        var changed = table
        let before = counted(table)
        for _ in 0..<changes {
            let change = change(&changed, using: &generator)
            let lost = before.subtracting(counted(changed)).sorted()
            #expect(lost == [], "seed \(seed): \(change)", sourceLocation: sourceLocation)
        }
    }

    /// Changes the players in one way, and says in which.
    private func change(_ table: inout Table, using generator: inout SeededGenerator) -> String {
        let place = Int.random(in: 0...table.players.count, using: &generator)
        let kind = Int.random(in: 0..<4, using: &generator)
        if kind == 0 || table.players.isEmpty {
            let number = UInt64(table.players.count + 1)
            table.players.insert(Player(id: player(number), name: "New\(number)"), at: place)
            return "New\(number) added"
        }
        if kind == 1 {
            table.players.shuffle(using: &generator)
            return "seats changed"
        }
        let index = place % table.players.count
        let seated = table.players[index]
        table.players[index] = Player(id: seated.id, name: seated.name, isPresent: kind == 2)
        return "\(seated.name) \(kind == 2 ? "restored" : "removed")"
    }
}
