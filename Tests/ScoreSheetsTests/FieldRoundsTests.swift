import ScoreSheets
import SessionCRDT
import Testing

@Suite("Fields typed without a round")
struct FieldRoundsTests {
    private let json = """
        {"id": "a", "name": "A", "rows": [
          {"id": "round", "label": "Round", "kind": "rounds", "last": 9,
           "fields": [{"id": "maki", "label": "Maki"}, {"id": "tempura", "label": "Tempura"},
                      {"id": "egg", "label": "Egg", "empty": 0}],
           "formula": "maki + tempura + egg"},
          {"id": "puddings", "label": "Puddings", "kind": "rounds", "last": 1}
        ]}
        """

    private func cells(_ texts: [String], after before: [String]) throws -> [String] {
        var table = Table("Ann")
        let parser = ScoreParser(try Sheet(json: json))
        for line in before {
            let words = line.split(separator: " ").map(String.init)
            for score in try parser.scores(words, for: player(1), in: table.book) {
                table.write(score.cell, to: score.value)
            }
        }
        return try parser.scores(texts, for: player(1), in: table.book).map { score in
            "\(score.cell.row).\(score.cell.round ?? 0)"
        }
    }

    @Test(
        "fields typed together belong to one round, even if earlier rounds have empty fields",
        arguments: [
            ([], "maki=1 egg=2", ["maki.1", "egg.1"]),
            (["maki=3 tempura=2"], "maki=2 egg=1", ["maki.2", "egg.2"]),
            (["maki=3 tempura=2"], "egg=1", ["egg.1"]),
            (["maki=3 tempura=2", "maki=1 tempura=1"], "egg=1", ["egg.2"]),
            (["maki=3"], "tempura=2", ["tempura.1"]),
            // A round that waits for a field is filled before the next one.
            (["maki=3", "maki=2"], "tempura=2", ["tempura.1"]),
            (["maki=3", "maki=2"], "maki=4 tempura=2", ["maki.3", "tempura.3"]),
            (["maki=1"], "maki=2 tempura=1 maki=3", ["maki.2", "tempura.2", "maki.3"]),
            (["maki=1"], "maki.4=2 egg=1", ["maki.4", "egg.4"]),
            (["maki=1"], "egg=1 maki.4=2", ["egg.4", "maki.4"]),
            (["maki=1"], "round.5 egg=1 puddings=2", ["egg.5", "puddings.1"]),
        ] as [([String], String, [String])]
    )
    func together(before: [String], typed: String, found: [String]) throws {
        #expect(try cells(typed.split(separator: " ").map(String.init), after: before) == found)
    }

    @Test("entries continue after the last complete round")
    func inTurn() throws {
        #expect(
            try cells(["maki=1", "tempura=1"], after: ["maki.3=1 tempura.3=1"]) == [
                "maki.4", "tempura.4",
            ]
        )
    }

    @Test("entries in rounds that do not exist change nothing, nor does the very last round")
    func past() throws {
        let parser = ScoreParser(try Sheet(json: json))
        var table = Table("Ann")
        for round in [10, UInt32.max] { table.write(1, "maki", round, to: .integer(1)) }
        let scores = try parser.scores(["maki=1"], for: player(1), in: table.book)
        #expect(scores.map(\.cell.round) == [1])
        #expect(
            throws: RuleViolation.roundPastLast(
                row: Symbol(known: "maki"),
                last: 9,
                found: 1_000_000
            )
        ) {
            try parser.scores(
                ["maki.1000000=1", "maki=2", "maki=3"],
                for: player(1),
                in: table.book
            )
        }
    }

    @Test("a row whose rounds are all entered says how to correct one")
    func full() throws {
        let refusal = #expect(throws: RuleViolation.self) {
            try cells(["puddings=2"], after: ["puddings=1"])
        }
        #expect(
            refusal?.description
                == "puddings has no round after 1; to fill or correct one, name it: "
                + "puddings.1=…"
        )
    }

    @Test("adding a field without a round to a complete round says so")
    func whole() throws {
        let sheet = try Sheet(json: json)
        var table = Table("Ann")
        let egg = [table.cell(1, "egg", 2)]
        #expect(sheet.wholeRound(of: egg, in: table.book) == nil)
        table.write(1, "maki", 2, to: .integer(1))
        #expect(sheet.wholeRound(of: egg, in: table.book) == nil)
        table.write(1, "tempura", 2, to: .integer(1))
        let found = try #require(sheet.wholeRound(of: egg, in: table.book))
        #expect(found == ("Round 2", "egg.3"))
    }

    @Test("an incomplete round shows the missing fields")
    func open() throws {
        let sheet = try Sheet(json: json)
        var table = Table("Ann")
        table.write(1, "maki", 2, to: .integer(1))
        let written = [
            table.cell(1, "maki", 2), table.cell(1, "egg", 2), table.cell(1, "puddings", 1),
        ]
        let told = sheet.openRounds(of: written, in: table.book).map(\.description)
        #expect(told == ["Round 2 counts once tempura is entered"])
        table.write(1, "tempura", 2, to: .integer(1))
        #expect(sheet.openRounds(of: written, in: table.book).isEmpty)
    }
}
