import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Limits that options say")
struct LimitsByOptionTests {
    private func sheet(_ rows: String, engine: String = "") throws -> Sheet {
        try Sheet(
            json: """
                {"id": "s", "name": "S"\(engine), "rows": [\(rows)], "options": [
                  {"name": "size", "kind": "integer", "range": {"from": 1, "to": 9}},
                  {"name": "deals", "kind": "integer", "default": 2},
                  {"name": "big", "kind": "boolean", "default": false}]}
                """
        )
    }

    private static let numbers = """
        {"id": "n", "label": "N", "kind": "number",
         "range": {"from": 0, "to": {"option": "size"}}},
        {"id": "m", "label": "M", "kind": "number",
         "range": {"from": 0, "to": {"when": {"option": "big"}, "is": 9, "else": 3}, "step": 3}}
        """

    @Test("the greatest number follows an option; one that is off limits nothing")
    func most() throws {
        let sheet = try sheet(Self.numbers)
        #expect(try refusal(sheet, "n=99") == nil)
        #expect(
            try refusal(sheet, "n=5", options: "size=4")
                == "n takes a whole number from 0 to 4, not 5"
        )
        #expect(try refusal(sheet, "n=4", options: "size=4") == nil)
        #expect(
            try refusal(sheet, "m=6")
                == "m takes a whole number from 0 to 3 in steps of 3, not 6"
        )
        #expect(try refusal(sheet, "m=6", options: "big=yes") == nil)
        #expect(try refusal(sheet, "m=5", options: "big=yes") != nil)
    }

    @Test("a number above a limit that was set later is flagged")
    func lowered() throws {
        let sheet = try sheet(Self.numbers)
        var table = Table("Ann")
        try table.score(1, "n=9", by: sheet)
        #expect(sheet.rules.standings(of: table.book).flags.isEmpty)
        try table.set("size=4", by: sheet)
        let flags = sheet.rules.standings(of: table.book).flags
        #expect(
            flags.map { $0.words(in: table.book) }
                == ["Ann, n: n takes a whole number from 0 to 4, not 9"]
        )
        #expect(sheet.rules.standings(of: table.book)[player(1)]?.total == 0)
    }

    @Test("the last round follows an option, also that of fields")
    func last() throws {
        let sheet = try sheet(
            """
            {"id": "a", "label": "A", "kind": "rounds", "last": {"option": "deals"}},
            {"id": "r", "label": "R", "kind": "rounds", "last": {"option": "deals"},
             "fields": [{"id": "x", "label": "X"}], "formula": "x"}
            """
        )
        for row in ["a", "x"] {
            #expect(try refusal(sheet, "\(row).2=1") == nil)
            #expect(try refusal(sheet, "\(row).3=1") == "\(row) has rounds 1 to 2, not 3")
            #expect(try refusal(sheet, "\(row).3=1", options: "deals=3") == nil)
        }
        var table = Table("Ann")
        try table.score(1, "a=1", by: sheet)
        try table.score(1, "a=1", by: sheet)
        #expect(throws: RuleViolation.self) { try table.score(1, "a=1", by: sheet) }
        table.write(1, "a", 3, to: .integer(5))
        #expect(sheet.rules.standings(of: table.book)[player(1)]?.total == 2)
        #expect(sheet.rules.standings(of: table.book).flags.count == 1)
    }

    @Test("count-up, halve-it and Shanghai have no round after the last one")
    func shelf() throws {
        for (game, typed, last) in [
            ("count-up", "visit.9=60", 8), ("halve-it", "visit.4=60", 3),
            ("shanghai", "marks.8=3", 7),
        ] {
            let sheet = try SheetLibrary.builtIn.sheet(named: game)
            let options = game == "halve-it" ? "rounds=3" : ""
            let refusal = try refusal(sheet, typed, options: options)
            #expect(refusal?.contains("has rounds 1 to \(last)") == true, "\(refusal ?? "-")")
        }
        #expect(try total(builtIn("halve-it"), "visit.100=60") == 60)
        let clock = try builtIn("around-the-clock")
        #expect(try refusal(clock, "visit=4")?.contains("from 0 to 3") == true)
        #expect(try refusal(clock, "visit=9", options: "multiples=yes") == nil)
    }

    @Test(
        "a limit that no option says is rejected",
        arguments: [
            (#""range": {"to": {"option": "none"}}"#, "none"),
            (#""range": {"to": {"option": "big"}}"#, "big is no number"),
            (#""range": {"to": {"option": "size"}, "step": 2}"#, "needs “from”"),
            (#""last": {"option": "big"}"#, "big is no number"),
            (#""last": {"when": {"option": "big"}, "is": 0}"#, "rounds count from 1"),
        ]
    )
    func rejected(part: String, reason: String) {
        let error = #expect(throws: (any Error).self) {
            try sheet(#"{"id": "a", "label": "A", "kind": "rounds", \#(part)}"#)
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains(reason), "\(part)")
    }

    @Test("a sheet says its limits in words, and is the same after writing and reading")
    func words() throws {
        let sheet = try sheet(Self.numbers)
        #expect(sheet.words(for: sheet.rows[0]).contains("at most what size says"))
        #expect(sheet.words(for: sheet.rows[1]).contains("at most 9 with big=yes, else 3"))
        let countUp = try builtIn("count-up")
        #expect(countUp.words(for: countUp.rows[0]).contains("the last round: 8 (option rounds)"))
        for one in [sheet, countUp, try builtIn("shanghai")] {
            #expect(try Sheet(json: one.json) == one)
        }
    }
}
