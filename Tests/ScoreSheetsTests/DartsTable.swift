import ScoreSheets
import SessionCRDT
import SyncTestKit

/// A table at which people play darts: what `play` says is written, as a daemon does.
struct DartsTable: PlayedTable {
    static let row: StaticString = "visit"

    var table: Table
    let rules: any GameRules
    var context = MoveContext(random: SeededGenerator(seed: 1))

    /// A match of these people, by number from 1.
    init(_ names: String..., start: Int64 = 501, legs: Int64 = 1, sets: Int64 = 1) throws {
        table = Table(names)
        rules = try builtIn("darts").rules
        set("start", .integer(start))
        set("legs", .integer(legs))
        set("sets", .integer(sets))
    }

    /// The points that each player has left, or another column of the scoreboard.
    func column(_ title: String) -> [String] {
        guard let grid = grid(), let place = grid.columns.firstIndex(of: title) else { return [] }
        return grid.rows.map { $0.cells[place] }
    }

    /// The title of the scoreboard.
    var title: String { grid()?.title ?? "" }

    var left: [String] { column("Left") }

    mutating func set(_ option: StaticString, _ value: Value) {
        table.options[Symbol(known: option)] = value
    }

    /// Resets the leg, and gives back what was asked before.
    mutating func reset() throws(RuleViolation) -> String {
        let reset = try rules.reset(of: table.book)
        for score in reset.writes { table.write(score.cell, to: score.value) }
        return reset.question
    }

    /// The statistics of a player by id, those that are known.
    func statistics(_ number: UInt64) -> [String: String] {
        let mine = standings.outcomes.flatMap(\.players).filter { $0.player == player(number) }
        var all: [String: String] = [:]
        for statistic in rules.statistics(of: mine) {
            all[statistic.id.description] = statistic.text
        }
        return all
    }
}
