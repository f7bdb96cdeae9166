import ScoreSheets
import SessionCRDT
import SyncTestKit

/// A table at which people play cricket: what `play` says is written, as a daemon does.
struct CricketTable: PlayedTable {
    static let row: StaticString = "visit"

    var table: Table
    let rules: any GameRules
    var context = MoveContext(random: SeededGenerator(seed: 1))

    /// A game of these people, by number from 1.
    init(
        _ names: String...,
        variant: String = "standard",
        targets: String = "numbers"
    ) throws {
        table = Table(names)
        table.options[Symbol(known: "variant")] = .text(variant)
        table.options[Symbol(known: "targets")] = .text(targets)
        rules = try builtIn("cricket").rules
    }

    /// The marks of everybody as the board shows them, from 20 to the bull and what follows it.
    var marks: [String] {
        guard let grid = grid() else { return [] }
        let count = grid.columns.firstIndex(of: "Points") ?? grid.columns.count - 1
        return grid.rows.map { row in
            row.cells.prefix(count).map { $0.isEmpty ? "." : $0 }.joined()
        }
    }

    /// The error for a value that is not a visit in the stored form; nil for one that is.
    func formRefusal(of text: String) -> String? {
        guard var beds = try? CricketTable("Ann", targets: "beds") else { return "no table" }
        do throws(RuleViolation) { try beds.correct(1, 1, to: .text(text)) } catch {
            return error.description
        }
        return nil
    }
}
