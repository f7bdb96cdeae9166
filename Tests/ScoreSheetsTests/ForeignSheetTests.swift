import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Coded games with foreign sheets")
struct ForeignSheetTests {
    private static let seeds = Seeds.below(30)

    /// The rules of every coded game over one sheet.
    private func rules(over sheet: Sheet) -> [any GameRules] {
        [
            GhostRules(sheet: sheet), SmashUpRules(sheet: sheet), DartsRules(sheet: sheet),
            ReversiRules(sheet: sheet), BowlingRules(sheet: sheet), SportRules(sheet: sheet),
            CricketRules(sheet: sheet),
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

    @Test("a cell of a row that the game does not read is flagged and rejected")
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

    @Test("garbage in a foreign sheet is flagged and never traps", arguments: seeds)
    func garbage(seed: UInt64) throws {
        for sheet in [try builtIn("points"), try Sheet(json: bent)] {
            var garbage = Garbage(seed: seed, sheet)
            for rules in rules(over: sheet) { expectLaws(rules, &garbage) }
        }
    }

    @Test(
        "a coded game has the rows that its game engine reads, and no others",
        arguments: GameEngine.allCases
    )
    func rows(gameEngine: GameEngine) throws {
        guard let needed = gameEngine.rules.codedRows else { return }
        func json(_ rows: [String], _ more: String = "") -> String {
            let sets = #", "sets": [{"id": "a", "name": "A", "factions": ["B"]}]"#
            return #"{"id": "own", "name": "Own", "players": {"from": 2, "to": 4}, "#
                + #""options": [{"name": "o", "kind": "boolean", "default": false}], "#
                + #""engine": "\#(gameEngine.rawValue)", "rows": [\#(rows.joined(separator: ","))]"#
                + (gameEngine.rawValue == "smashup" ? sets : "") + "}"
        }
        func row(_ id: String, _ kind: RowKind, _ more: String = "") -> String {
            let range = kind == .rounds ? #", "range": {"from": 0, "to": 9}"# : ""
            return #"{"id": "\#(id)", "label": "L", "kind": "\#(kind.rawValue)"\#(range + more)}"#
        }
        let rows = needed.map { row($0.id.description, $0.kind) }
        #expect(SheetCheck.problems(in: json(rows)) == [])
        let more = SheetCheck.problems(in: json(rows + [row("hand", .number)])).map(\.description)
        #expect(more.count == 1 && more[0].contains("reads no other rows than"), "\(more)")
        for (index, fact) in needed.enumerated() {
            var bent = rows
            bent[index] = row(fact.id.description, fact.kind == .text ? .moves : .text)
            let other = SheetCheck.problems(in: json(bent)).map(\.description)
            let need = "needs a row \(fact.id) of kind \(fact.kind.rawValue)"
            #expect(other.count == 1 && other[0].contains(need), "\(other)")
            let when = #", "when": {"option": "o"}"#
            bent[index] = row(fact.id.description, fact.kind, when)
            let conditional = SheetCheck.problems(in: json(bent)).map(\.description)
            #expect(
                conditional.count == 1 && conditional[0].contains("always needs the row"),
                "\(conditional)"
            )
        }
    }

    @Test("foreign sheets for coded games never trap, or are rejected", arguments: seeds)
    func strangers(seed: UInt64) throws {
        var stranger = Stranger(seed: seed)
        for _ in 0..<4 {
            let json = stranger.codedSheet()
            let sheet = try? Sheet(json: json)
            #expect((sheet != nil) == SheetCheck.problems(in: json).isEmpty, "\(json)")
            guard let sheet else { continue }
            #expect(try Sheet(json: sheet.json) == sheet, "\(json)")
            var garbage = Garbage(seed: seed, sheet)
            expectLaws(sheet.rules, &garbage)
        }
    }

    /// The laws for every game and every book.
    private func expectLaws(_ rules: any GameRules, _ garbage: inout Garbage) {
        let book = garbage.book()
        let standings = rules.standings(of: book)
        _ = SheetLayout(rules.sheet, standings, in: book)
        for cell in standings.players.flatMap(\.cells)
        where cell.points == nil && cell.bookCell.value != .null {
            let isFlagged = standings.flags.contains { $0.subject == .cell(cell.bookCell.cell) }
            #expect(isFlagged, "\(rules) \(cell.bookCell)")
        }
        _ = standings.flags.map { $0.words(in: book) }
        var aids = MoveContext(random: garbage.generator)
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
