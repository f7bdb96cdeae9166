import ScoreSheets
import SessionCRDT
import SyncTestKit

/// A table at which two sides play a rubber.
struct BridgeTable: PlayedTable {
    static let row: StaticString = "deal"

    var table: Table
    let rules: any GameRules
    var context = MoveContext(random: SeededGenerator(seed: 1))

    init(_ names: String...) throws {
        table = Table(names)
        rules = try builtIn("rubber-bridge").rules
    }

    /// The lines of the sides: games, vulnerable, this game, below and above the line.
    var sides: [String] {
        grid()?.rows.map { row in
            ([row.label] + row.cells).map { $0.isEmpty ? "-" : $0 }.joined(separator: " ")
        } ?? []
    }
}
