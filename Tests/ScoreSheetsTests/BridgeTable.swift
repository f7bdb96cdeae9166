import ScoreSheets
import SessionCRDT
import SyncTestKit

/// A table at which two sides play a rubber: what `play` says is written, as a daemon does.
struct BridgeTable {
    var table: Table
    let rules: any GameRules
    private var aids = MoveContext(random: SeededGenerator(seed: 1))

    init(_ names: String...) throws {
        table = Table()
        table.players = names.enumerated().map { index, name in
            Player(id: player(UInt64(index + 1)), name: name)
        }
        rules = try builtIn("rubber-bridge").rules
    }

    var standings: Standings { rules.standings(of: table.book) }
    var totals: [Points] { standings.players.map(\.total) }
    var flags: [String] { standings.flags.map { $0.words(in: table.book) } }

    /// The lines of the sides: games, vulnerable, this game, below and above the line.
    var sides: [String] {
        guard case .table(let grid) = standings.panels.first else { return [] }
        return grid.rows.map { row in
            ([row.label] + row.cells).map { $0.isEmpty ? "-" : $0 }.joined(separator: " ")
        }
    }

    /// Plays a deal as it is typed, and gives back what the player is told.
    @discardableResult
    mutating func play(_ text: String, by number: UInt64? = nil) throws(RuleViolation) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        let played = try rules.play(
            Move(words, by: number.map(player)),
            in: table.book,
            with: &aids
        )
        table.options.merge(played.options) { $1 }
        for score in played.writes {
            try rules.check(score, in: table.book)
            table.write(score.cell, to: score.value)
        }
        return played.told
    }

    mutating func play(all texts: String...) throws(RuleViolation) {
        for text in texts { try play(text) }
    }

    /// The error for a rejected deal; nil for an accepted one.
    func refusal(of text: String, by number: UInt64? = nil) -> String? {
        var copy = self
        do throws(RuleViolation) { try copy.play(text, by: number) } catch {
            return error.description
        }
        return nil
    }

    /// Writes what may be written.
    mutating func correct(_ number: UInt64, _ deal: UInt32, to text: String) throws(RuleViolation) {
        let score = Score(table.cell(number, "deal", deal), .text(text))
        try rules.check(score, in: table.book)
        table.write(score.cell, to: score.value)
    }
}
