import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Coded games over sheets that are not theirs")
struct ForeignSheetTests {
    private static let seeds = 0..<UInt64(30)

    /// The rules of every coded game over one sheet.
    private func rules(over sheet: Sheet) -> [any GameRules] {
        [
            GhostRules(sheet: sheet), SmashUpRules(sheet: sheet), DartsRules(sheet: sheet),
            ReversiRules(sheet: sheet),
        ]
    }

    /// The rows of every coded game, each of a kind that its game does not know.
    private let bent = """
        {"id": "bent", "name": "Bent", "players": {"from": 1, "to": 9},
         "rows": [{"id": "move", "label": "M", "kind": "text"},
                  {"id": "letter", "label": "L", "kind": "number"},
                  {"id": "visit", "label": "V", "kind": "number"},
                  {"id": "points", "label": "P", "kind": "number"},
                  {"id": "madness", "label": "M", "kind": "number"},
                  {"id": "turn", "label": "T", "kind": "text"},
                  {"id": "deal", "label": "D", "kind": "moves"},
                  {"id": "reveal", "label": "R", "kind": "flag"},
                  {"id": "hand", "label": "H", "kind": "number"}]}
        """

    @Test("a cell of a row that the game does not read is flagged, and refused")
    func stray() throws {
        let sheet = try Sheet(json: bent)
        var table = Table("Ann", "Bob")
        table.write(1, "hand", to: .integer(3))
        let cell = table.cell(1, "hand")
        for rules in rules(over: sheet) {
            let standings = rules.standings(of: table.book)
            let flag = try #require(standings.flags.first { $0.subject == .cell(cell) })
            #expect(flag.reason.description.hasPrefix("there is no row “hand”"), "\(rules)")
            #expect(standings.players[0].cells.map(\.points) == [nil])
            #expect(throws: flag.reason) {
                try rules.check(Score(cell, .integer(4)), in: table.book)
            }
            #expect(throws: Never.self) { try rules.check(Score(cell, .null), in: table.book) }
        }
    }

    @Test("garbage in a foreign sheet stops no game, and is flagged", arguments: seeds)
    func garbage(seed: UInt64) throws {
        for sheet in [try builtIn("points"), try Sheet(json: bent)] {
            var garbage = Garbage(seed: seed, sheet)
            for rules in rules(over: sheet) { expectLaws(rules, &garbage) }
        }
    }

    /// What holds for every game and every book.
    private func expectLaws(_ rules: any GameRules, _ garbage: inout Garbage) {
        let book = garbage.book()
        let standings = rules.standings(of: book)
        _ = SheetLayout(rules.sheet, standings, in: book)
        for cell in standings.players.flatMap(\.cells)
        where cell.points == nil && cell.entry.value != .null {
            let isFlagged = standings.flags.contains { $0.subject == .cell(cell.entry.cell) }
            #expect(isFlagged, "\(rules) \(cell.entry)")
        }
        _ = standings.flags.map { $0.words(in: book) }
        var aids = Aids(chance: garbage.generator)
        for word in ["60", "d3", "d", "deal", "end"] {
            _ = try? rules.play(Move([word]), in: book, with: &aids)
        }
        _ = try? rules.reset(of: book)
        _ = rules.carriedOver(from: book)
        for _ in 0..<5 {
            _ = try? rules.check(Score(garbage.cell(), garbage.value()), in: book)
        }
    }
}
