import ScoreSheets
import SessionCRDT
import SyncTestKit

/// A table at which two sides play a match: what `play` says is written, as a daemon does.
struct SportTable: PlayedTable {
    static let row: StaticString = "point"

    var table: Table
    let rules: any GameRules
    var context = MoveContext(random: SeededGenerator(seed: 1))

    /// A match of Ann and Bob in a sport.
    init(_ sport: KnownSport = .tableTennis, _ options: [String: Value] = [:]) throws {
        table = Table("Ann", "Bob")
        rules = try SheetLibrary.builtIn.sheet(named: sport.rawValue).rules
        for (name, value) in options { table.options[Symbol(name) ?? TurnWish.order] = value }
    }

    /// The headlines of the players who have one, in the order of seats.
    var headlines: [String] {
        let standings = standings
        return standings.players.compactMap { standings.headlines[$0.player.id] }
            .map { "\($0.value) \($0.label)" }
    }

    /// Plays points: `3a 2b`.
    mutating func playPoints(_ points: String) throws(RuleViolation) {
        for side in SportMatch.sides(points) { try play(side == .first ? "Ann" : "Bob") }
    }

    /// The table as it is shown: what stands above it, its columns, and a line of each side.
    var shown: [String] {
        guard let grid = grid() else { return [] }
        return [grid.title, grid.columns.joined(separator: " ")]
            + grid.rows.map { ([$0.label] + $0.cells).joined(separator: " ") }
    }

    /// The latest points as they are shown.
    var latest: [String] {
        guard let grid = grid(at: 1) else { return [] }
        return [grid.title]
            + grid.rows.map { ([$0.label] + $0.cells).joined(separator: " ") }
    }
}

/// The names of options that games write by themselves.
enum TurnWish {
    static let order = Symbol(known: "order")
}
