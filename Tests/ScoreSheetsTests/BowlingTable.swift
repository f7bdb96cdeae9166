import ScoreSheets
import SessionCRDT
import SyncTestKit

/// Lanes on which people bowl: what `play` says is written, as a daemon does.
struct BowlingTable {
    var table: Table
    let rules: any GameRules
    private var aids = MoveContext(random: SeededGenerator(seed: 1))

    /// A game of these people, by number from 1.
    init(_ names: String...) throws {
        table = Table()
        table.players = names.enumerated().map { index, name in
            Player(id: player(UInt64(index + 1)), name: name)
        }
        rules = try builtIn("bowling").rules
    }

    var standings: Standings { rules.standings(of: table.book) }

    /// The flags in words.
    var flags: [String] { standings.flags.map { $0.words(in: table.book) } }

    /// The notes below the table.
    var notes: [String] { standings.notes.map(\.description) }

    /// The number of the player to bowl; 0 of nobody.
    var turn: UInt64 { standings.turn?.low ?? 0 }

    /// Plays a frame as it is typed, and gives back what the player is told.
    @discardableResult
    mutating func play(_ text: String, by number: UInt64? = nil) throws(RuleViolation) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        let move = Move(words, by: number.map(player))
        let played = try rules.play(move, in: table.book, with: &aids)
        for score in played.writes {
            try rules.check(score, in: table.book)
            table.write(score.cell, to: score.value)
        }
        return played.told
    }

    /// Plays frames one after the other.
    mutating func play(all frames: String) throws(RuleViolation) {
        for frame in frames.split(separator: " ") { try play(String(frame)) }
    }

    /// Why a move is refused; nil when it is not.
    func refusal(_ text: String, by number: UInt64? = nil) -> String? {
        var copy = self
        do throws(RuleViolation) { try copy.play(text, by: number) } catch {
            return error.description
        }
        return nil
    }

    /// Writes what may be written.
    mutating func score(_ number: UInt64, _ frame: UInt32, _ value: Value) throws(RuleViolation) {
        let score = Score(table.cell(number, "frame", frame), value)
        try rules.check(score, in: table.book)
        table.write(score.cell, to: value)
    }

    /// The table as it is shown.
    var shown: [String] {
        guard case .table(let grid) = standings.panels.first else { return [] }
        return grid.rows.map { ([$0.label] + $0.cells).joined(separator: "|") }
    }
}
