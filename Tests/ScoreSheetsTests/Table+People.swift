import ScoreSheets
import SessionCRDT
import SyncTestKit

extension Table {
    /// Brings a removed player back.
    mutating func restore(_ number: UInt64) {
        players = players.map { seated in
            seated.id == player(number) ? Player(id: seated.id, name: seated.name) : seated
        }
    }

    /// Changes who is at the table, or where they sit: somebody comes, leaves, comes back or moves.
    mutating func changePlayers(using generator: inout SeededGenerator) {
        let numbers = players.map(\.id.low)
        let number = numbers.randomElement(using: &generator) ?? 1
        switch Int.random(in: 0..<5, using: &generator) {
        case 0 where players.count < 6:
            let new = UInt64(players.count + 1)
            let place = Int.random(in: 0...players.count, using: &generator)
            players.insert(Player(id: player(new), name: "New \(new)"), at: place)
        case 1, 2: remove(number)
        case 3: restore(number)
        default: players.shuffle(using: &generator)
        }
    }
}

extension Standings {
    /// The cells that count: all that something is in and nothing is wrong with.
    var countedCells: Set<Cell> {
        let cells = players.flatMap(\.cells)
            .filter { $0.points != nil && $0.bookCell.value != .null }
        return Set(cells.map(\.bookCell.cell))
    }
}

extension Flag {
    /// Whether it is about a cell.
    var isOfCell: Bool {
        if case .cell = subject { true } else { false }
    }
}
