import ScoreSheets
import SessionCRDT
import SyncTestKit

/// Lanes on which people bowl: what `play` says is written, as a daemon does.
struct BowlingTable: PlayedTable {
    static let row: StaticString = "frame"

    var table: Table
    let rules: any GameRules
    var context = MoveContext(random: SeededGenerator(seed: 1))

    /// A game of these people, by number from 1.
    init(_ names: String...) throws {
        table = Table(names)
        rules = try builtIn("bowling").rules
    }

    /// Plays frames one after the other.
    mutating func playFrames(_ frames: String) throws(RuleViolation) {
        for frame in frames.split(separator: " ") { try play(String(frame)) }
    }

    /// The table as it is shown.
    var shown: [String] {
        grid()?.rows.map { ([$0.label] + $0.cells).joined(separator: "|") } ?? []
    }
}
