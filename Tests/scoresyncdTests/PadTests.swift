import ScoreSheets
import SessionCRDT
import SyncProtocol
import Testing

@testable import scoresyncd

@Suite("The rows of a score pad")
struct PadTests {
    private func pad(_ sheet: Sheet, setting options: [String: Value] = [:]) throws -> ShowContext {
        let table = WatchedTable(sheet, players: 2, seed: 1)
        let changes = try options.map { name, value in
            table.put(.session(try #require(Symbol(name).flatMap(Field.option))), value)
        }
        _ = table.apply(changes)
        return try table.show.context
    }

    private func builtIn(_ id: String) throws -> Sheet {
        try #require(SheetLibrary.builtIn.sheets.first { $0.id.description == id })
    }

    @Test("a row has its kind of input, and a computed row is not part of it")
    func kinds() throws {
        let sheet = try Sheet(
            json: """
                {"id": "all", "name": "All", "rows": [
                  {"id": "eggs", "label": "Eggs", "kind": "number", "range": {"from": 0}},
                  {"id": "wars", "label": "Wars", "kind": "tokens", "tokens": [1, -1]},
                  {"id": "king", "label": "King", "kind": "flag", "points": 4},
                  {"id": "house", "label": "House", "kind": "choice",
                   "choices": [{"word": "wood"}, {"word": "clay", "points": 1}]},
                  {"id": "card", "label": "Card", "kind": "order", "words": ["red", "blue"]},
                  {"id": "note", "label": "Note", "kind": "text", "help": "Anything."},
                  {"id": "both", "label": "Both", "kind": "sum", "of": ["eggs", "wars"]},
                  {"id": "round", "label": "Round", "kind": "rounds", "last": 10}
                ]}
                """
        )
        var eggs = row("eggs", "Eggs", "number", takes: "a whole number of at least 0")
        eggs.from = 0
        var wars = row("wars", "Wars", "tokens", takes: "a total, or tokens of 1, -1")
        wars.tokens = [1, -1]
        var house = row("house", "House", "choice", takes: "one of wood, clay")
        house.words = ["wood", "clay"]
        var card = row("card", "Card", "order", takes: "the order of red, blue")
        card.words = ["red", "blue"]
        var note = row("note", "Note", "text", takes: "a text")
        note.help = "Anything."
        var round = row("round", "Round", "rounds", takes: "a whole number")
        round.last = 10
        let king = row("king", "King", "flag", takes: "yes or no")
        let context = try pad(sheet)
        #expect(context.engine == "rows")
        #expect(context.pad == [eggs, wars, king, house, card, note, round])
    }

    @Test("a row says whether its numbers may have a half under the current options")
    func halves() throws {
        let sheet = try builtIn("quiz-night")
        let yes = ["halves": Value.boolean(true), "jokers": .boolean(true)]
        let rows = try pad(sheet, setting: yes).pad
        #expect(rows.map(\.halves) == [nil, true, true, true])
        #expect(rows[1].takes == "a number from -100 to 1000, halves too")
        #expect(try pad(sheet).pad.map(\.halves) == [nil, nil, nil])
    }

    private func row(_ id: String, _ label: String, _ kind: String, takes: String) -> ShownPadRow {
        ShownPadRow(row: id, label: label, kind: kind, takes: takes)
    }

    @Test("flags that a check of each round rules out together exclude each other")
    func contradictions() throws {
        let skat = try pad(try builtIn("skat")).pad.filter { $0.kind == "flag" }
        #expect(skat.map(\.row) == ["won", "lost"])
        #expect(skat.map(\.excludes) == [["lost"], ["won"]])
        let all = try SheetLibrary.builtIn.sheets.flatMap { try pad($0).pad }
        #expect(all.filter { $0.excludes != nil }.count == 2)
    }

    @Test("a row that needs an option is there once it is set")
    func options() throws {
        let wingspan = try builtIn("wingspan")
        let rows = Set(try pad(wingspan).pad.map(\.row))
        let oceania = Set(try pad(wingspan, setting: ["oceania": .boolean(true)]).pad.map(\.row))
        #expect(rows.isStrictSubset(of: oceania))
    }

    @Test("a round lists its optional fields")
    func optionalFields() throws {
        let tichu = try pad(try builtIn("tichu")).pad.filter { $0.group != nil }
        #expect(tichu.filter { $0.optional == nil }.map(\.row) == [])
        let wizard = try pad(try builtIn("wizard")).pad
        #expect(wizard.map(\.optional) == [nil, nil])
        #expect(wizard.map(\.from) == [0, 0])
        #expect(wizard.map(\.to) == [20, 20])
    }

    @Test("a match has the maximum points of an entry if it is above one")
    func counts() throws {
        #expect(try pad(try builtIn("tennis")).pad == [])
        let petanque = try builtIn("petanque")
        #expect(try pad(petanque).pad.map(\.tokens) == [[1, 2, 3, 4, 5, 6]])
        let three = try pad(petanque, setting: ["most": .integer(3)]).pad
        #expect(three.map(\.tokens) == [[1, 2, 3]])
        // A sheet of somebody's own may have more than there is room for.
        let many = try Sheet(
            json: """
                {"id": "many", "name": "Many", "engine": "match",
                 "players": {"from": 2, "to": 2},
                 "rows": [{"id": "point", "label": "Point", "kind": "moves"}],
                 "options": [
                   {"name": "most", "kind": "integer", "range": {"from": 1, "to": 99},
                    "default": 13}
                 ]}
                """
        )
        #expect(try pad(many).pad.map(\.tokens) == [Array(1...12)])
    }

    @Test("a game of moves has no rows to enter, and has the name of its engine")
    func moves() throws {
        let darts = try pad(try builtIn("darts"))
        #expect(darts.pad == [])
        #expect(darts.engine == "darts")
    }
}
