import ScoreSheets
import SessionCRDT
import Testing

@Suite("Sheets as data")
struct SheetTests {
    @Test("the built-in sheets survive a round trip through JSON")
    func builtInSheets() throws {
        let library = SheetLibrary.builtIn
        let games = library.sheets.filter { $0.gameEngine == .rows }.map(\.id.description)
        let first = [
            "7-wonders", "7-wonders-duel", "agricola", "container", "points", "rounds", "wingspan",
        ]
        #expect(first.allSatisfy(games.contains))
        for sheet in library.sheets {
            #expect(try Sheet(json: sheet.json) == sheet)
            #expect(try Sheet(json: sheet.json).json == sheet.json)
            #expect(!sheet.summary.isEmpty)
            #expect(!sheet.help.isEmpty)
            // The help is for the app, too; the commands have a player Ann, or play.
            #expect(!sheet.help.contains("Ann") && !sheet.help.contains("play d"))
            #expect(!sheet.commands.isEmpty && sheet.forSessions.commands.isEmpty)
        }
        #expect(try builtIn("points").rows.map(\.kind) == [.number])
        #expect(try builtIn("rounds").rows.map(\.kind) == [.rounds])
    }

    @Test("a sheet of the least fields is complete")
    func fewest() throws {
        let sheet = try Sheet(json: least)
        #expect(sheet.wins == .always(.highest))
        #expect(sheet.target == nil)
        #expect(sheet.gameEngine == .rows)
        #expect(sheet.rows.map(\.range) == [.all])
        #expect(sheet.rows.map(\.scores) == [true])
        #expect(sheet.violation(ofPlayerCount: 1000) == nil)
        #expect(sheet.violation(ofPlayerCount: 0) != nil)
    }

    private let least =
        #"{"id": "a", "name": "A", "rows": [{"id": "r", "label": "R", "kind": "number"}]}"#

    @Test("every kind of option, setting and bound survives a round trip")
    func roundTrip() throws {
        let json = """
            {"id": "all", "name": "All", "version": 3, "summary": "s", "help": "h",
             "players": {"from": 2, "to": 7}, "engine": "rows",
             "rows": [{"id": "r", "label": "R", "kind": "rounds", "range": {"from": -5},
                       "scores": false, "help": "x"}],
             "options": [{"name": "flag", "kind": "boolean", "default": true},
                         {"name": "n", "kind": "integer", "range": {"to": 9}, "default": 4},
                         {"name": "c", "kind": "choice", "choices": ["a", "b"], "default": "b"}],
             "wins": "lowest", "tieBreakers": [{"row": "r", "wins": "lowest"}], "target": -12}
            """
        let sheet = try Sheet(json: json)
        #expect(try Sheet(json: sheet.json) == sheet)
        #expect(sheet.wins == .always(.lowest))
        #expect(sheet.target == .always(-12))
        #expect(
            sheet.options.map(\.kind.defaultValue) == [.boolean(true), .integer(4), .text("b")]
        )
    }

    @Test(
        "a flaw in a row is rejected with its path and reason",
        arguments: [
            (#""kind": "number""#, #""kind": "x""#, "rows[0].kind", "“x” is not one of: number"),
            (#""kind": "number""#, #""knd": "number""#, "rows[0].knd", "unknown field"),
            (#", "kind": "number""#, "", "rows[0].kind", "missing"),
            (#""id": "r""#, #""id": "R""#, "rows[0].id", "“R” is not a name"),
            (#""id": "r""#, #""id": "r.1""#, "rows[0].id", "a dot separates the round"),
            (#""label": "R""#, #""label": " ""#, "rows[0].label", "empty"),
            (#""label": "R""#, #""label": 4"#, "rows[0].label", "in quotes"),
            (#""name": "A""#, #""name": null"#, "name", ""),
            (#"{"id": "r", "label": "R", "kind": "number"}"#, "", "rows", "a sheet needs a row"),
            (#"{"id": "a""#, "", "", "JSON"),
        ]
    )
    func flaws(part: String, flaw: String, path: String, reason: String) throws {
        #expect(least.contains(part))
        try expectFlaw(least.replacing(part, with: flaw, maxReplacements: 1), path, reason)
    }

    @Test(
        "a flaw outside the rows is rejected with its path and reason",
        arguments: [
            (#""nam": 1"#, "nam", "unknown field"),
            (#""tieBreakers": [{"row": "x"}]"#, "tieBreakers[0].row", "there is no row x"),
            (#""wins": {"option": "x"}"#, "wins", "there is no option x"),
            (#""wins": {"option": "o", "x": 1}, \#(flag)"#, "wins.x", "unknown field"),
            (#""wins": {"option": "o"}, \#(flag)"#, "wins", "does not choose"),
            (#""wins": "most""#, "wins", "“most” is neither highest nor lowest"),
            (#""target": {"option": "x"}"#, "target", "there is no option x"),
            (#""target": {"option": "o"}, \#(flag)"#, "target", "is no number"),
            (#""target": 1.5"#, "target", "whole number"),
            (#""version": 1.5"#, "version", "whole number"),
            (#""players": {"from": 1e300}"#, "players.from", "whole number"),
            (#""version": 0"#, "version", "versions count from 1"),
            (#""players": {"from": -1}"#, "players", "below 0"),
            (#""players": {"from": 3, "to": 2}"#, "players.to", "2 is below 3"),
            (#""players": {"to": 9007199254740992}"#, "players.to", "whole number"),
            (#""engine": "magic""#, "engine", "“magic” is not one of: rows, "),
            (#""options": [{"name": "o", "kind": "boolean"}]"#, "options[0].default", "missing"),
            (#""options": [\#(bare), \#(bare)]"#, "options[1].name", "duplicate name o"),
            (
                #""options": [{"name": "o", "kind": "boolean", "default": true, "range": {}}]"#,
                "options[0].range", "only for options of the kind integer"
            ),
            (
                #""options": [{"name": "o", "kind": "integer", "choices": ["a"]}]"#,
                "options[0].choices", "only for options of the kind choice"
            ),
            (
                #""options": [{"name": "o", "kind": "integer", "range": {"to": 1}, "default": 2}]"#,
                "options[0].default", "2 is out of the range"
            ),
            (
                #""options": [{"name": "o", "kind": "integer", "odd": true, "default": 2}]"#,
                "options[0].default", "2 is even"
            ),
            (
                #""options": [{"name": "o", "kind": "text", "odd": true}]"#,
                "options[0].odd", "only for options of the kind integer"
            ),
            (
                #""options": [{"name": "o", "kind": "choice", "choices": ["a"], "default": "b"}]"#,
                "options[0].default", "b is not one of the choices"
            ),
        ]
    )
    func flawsBesides(addition: String, path: String, reason: String) throws {
        try expectFlaw(least.dropLast() + ", \(addition)}", path, reason)
    }

    private static let bare = #"{"name": "o", "kind": "boolean", "default": true}"#
    private static let flag = #""options": [\#(bare)]"#

    private func expectFlaw(_ json: String, _ path: String, _ reason: String) throws {
        let refusal = try #require(throws: SheetError.self) { try Sheet(json: json) }
        guard case .unreadable(let place, let why) = refusal else {
            Issue.record("\(refusal)")
            return
        }
        #expect(place == path, "\(refusal)")
        #expect(why.contains(reason), "\(why)")
        #expect(!why.isEmpty)
    }

    @Test("deep, long and truncated JSON is rejected without a trap")
    func hostile() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: SheetError.unreadable(path: "", reason: "nested deeper than 32")) {
            try Sheet(json: deep)
        }
        #expect(throws: SheetError.tooLong(Sheet.maxBytes + 1)) {
            try Sheet(json: String(repeating: " ", count: Sheet.maxBytes + 1))
        }
        // Brackets in a text do not nest.
        let name = String(repeating: "[", count: 50)
        let json = least.replacing(#""name": "A""#, with: #""name": "\"\#(name)""#)
        #expect((try? Sheet(json: json))?.name == "\"" + name)
        for length in 0..<least.utf8.count {
            #expect(throws: SheetError.self) { try Sheet(json: String(least.prefix(length))) }
        }
    }

    @Test("games are found by shortened names, or rejected with the candidates")
    func library() throws {
        let library = SheetLibrary.builtIn
        #expect(try library.sheet(named: "POI").id.description == "points")
        #expect(try library.sheet(named: "Rounds").id.description == "rounds")
        let unknown = try #require(throws: SheetError.self) { try library.sheet(named: "chess") }
        #expect(unknown.candidates == library.sheets.map(\.id.description))
        #expect(unknown.description == "there is no game “chess”")
        let more = library.adding([try Sheet(json: least.replacing(#""a""#, with: #""pontoon""#))])
        let ambiguous = try #require(throws: SheetError.self) { try more.sheet(named: "po") }
        #expect(ambiguous.candidates == ["points", "pontoon"])
    }

    @Test("the sheet in a session precedes the library's, if it is that of the game")
    func travelling() throws {
        func header(game: String?, sheet: String?) -> SessionHeader {
            var header = SessionHeader()
            let stamp = Stamp(milliseconds: 1)
            header.apply(Field.game, game.map(Value.text) ?? .null, at: stamp)
            header.apply(Field.sheet, sheet.map(Value.text) ?? .null, at: stamp)
            return header
        }
        let library = SheetLibrary.builtIn
        let own = least.replacing(#""id": "a""#, with: #""id": "points""#)
        #expect(try library.sheet(of: header(game: "points", sheet: own)).name == "A")
        #expect(try library.sheet(of: header(game: "rounds", sheet: own)).name == "Rounds")
        #expect(try library.sheet(of: header(game: "a", sheet: least)).name == "A")
        #expect(throws: SheetError.noGame) {
            try library.sheet(of: header(game: nil, sheet: least))
        }
        #expect(throws: SheetError.self) { try library.sheet(of: header(game: "b", sheet: nil)) }
        #expect(throws: SheetError.self) {
            try library.sheet(of: header(game: "points", sheet: "{"))
        }
    }
}
