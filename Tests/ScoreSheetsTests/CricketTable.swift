import ScoreSheets
import SessionCRDT
import SyncTestKit

/// A table at which people play cricket: what `play` says is written, as a daemon does.
struct CricketTable {
    var table: Table
    let rules: any GameRules
    private var aids = MoveContext(random: SeededGenerator(seed: 1))

    /// A game of these people, by number from 1.
    init(
        _ names: String...,
        variant: String = "standard",
        targets: String = "numbers"
    ) throws {
        table = Table()
        table.players = names.enumerated().map { index, name in
            Player(id: player(UInt64(index + 1)), name: name)
        }
        table.options[Symbol(known: "variant")] = .text(variant)
        table.options[Symbol(known: "targets")] = .text(targets)
        rules = try builtIn("cricket").rules
    }

    var standings: Standings { rules.standings(of: table.book) }

    /// The number of the player to throw; 0 of nobody.
    var turn: UInt64 { standings.turn?.low ?? 0 }

    /// Everybody's total, in seat order.
    var totals: [Points] { standings.players.map(\.total) }

    /// The flags in words.
    var flags: [String] { standings.flags.map { $0.words(in: table.book) } }

    /// The marks of everybody as the board shows them, from 20 to the bull and what follows it.
    var marks: [String] {
        guard case .table(let grid) = standings.panels.first else { return [] }
        let count = grid.columns.firstIndex(of: "Points") ?? grid.columns.count - 1
        return grid.rows.map { row in
            row.cells.prefix(count).map { $0.isEmpty ? "." : $0 }.joined()
        }
    }

    /// Plays a visit as it is typed, and gives back what the player is told.
    @discardableResult
    mutating func play(_ text: String, darts: String? = nil) throws(RuleViolation) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        let move = Move(words, details: darts.map { ["darts": $0] } ?? [:])
        let played = try rules.play(move, in: table.book, with: &aids)
        table.options.merge(played.options) { $1 }
        for score in played.writes {
            try rules.check(score, in: table.book)
            table.write(score.cell, to: score.value)
        }
        return played.told
    }

    /// Plays visits one after the other.
    mutating func play(all texts: String...) throws(RuleViolation) {
        for text in texts { try play(text) }
    }

    /// The error for a value that is not a visit in the stored form; nil for one that is.
    func formRefusal(of text: String) -> String? {
        let beds = try? CricketTable("Ann", targets: "beds")
        guard let beds else { return "no table" }
        do throws(RuleViolation) {
            try beds.rules.check(
                Score(beds.table.cell(1, "visit", 1), .text(text)),
                in: beds.table.book
            )
            return nil
        } catch { return error.description }
    }

    /// The error for a rejected visit; nil for an accepted one.
    mutating func refusal(of text: String, darts: String? = nil) -> String? {
        do throws(RuleViolation) {
            try play(text, darts: darts)
            return nil
        } catch { return error.description }
    }
}
