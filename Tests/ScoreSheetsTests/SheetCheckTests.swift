import ScoreSheets
import SyncTestKit
import Testing

@Suite("The check of a sheet")
struct SheetCheckTests {
    @Test("a sheet that is right has no problems")
    func none() throws {
        for sheet in SheetLibrary.builtIn.sheets {
            #expect(SheetCheck.problems(in: try sheet.json) == [])
        }
    }

    @Test("every problem has its line, column, path and reason")
    func all() {
        let json = """
            {
              "id": "mine",
              "name": "Mine",
              "rows": [
                {"id": "a", "label": "A", "kind": "number"},
                {"id": "b", "label": "é", "kind": "numbr"},
                {"id": "c", "label": "C", "kind": "text", "range": {"from": 1}},
                {"id": "d", "kind": "number"}
              ],
              "options": [{"name": "x", "kind": "boolean", "default": 1}]
            }
            """
        let problems = SheetCheck.problems(in: json)
        #expect(problems.map(\.line) == [6, 7, 8, 10])
        #expect(problems.map(\.column) == [39, 56, 5, 59])
        #expect(
            problems.map(\.path) == [
                "rows[1].kind", "rows[2].range", "rows[3].label", "options[0].default",
            ]
        )
        #expect(
            problems.first?.description.hasPrefix(
                "line 6, column 39: rows[1].kind: “numbr” is not one of: number, rounds, tokens"
            ) == true
        )
        #expect(problems[2].reason == "missing")
    }

    @Test("a problem in one field hides none in another")
    func fields() {
        let json = """
            {
              "name": " ",
              "players": {"from": 5, "to": 2},
              "wins": "most",
              "version": 0,
              "colour": "red",
              "rows": [{"id": "a", "label": "", "kind": "number"}],
              "taste": 1
            }
            """
        let problems = SheetCheck.problems(in: json)
        #expect(
            problems.map { "\($0.line) \($0.path)" } == [
                "1 id", "2 name", "3 players.to", "4 wins", "5 version", "6 colour",
                "7 rows[0].label",
                "8 taste",
            ],
            "\(problems)"
        )
    }

    @Test("all contradictions are reported at once")
    func fit() {
        let json = """
            {"id": "mine", "name": "Mine",
             "rows": [
               {"id": "a", "label": "A", "kind": "sum", "of": ["b"]},
               {"id": "b", "label": "B", "kind": "number", "when": {"option": "x"}},
               {"id": "b", "label": "B", "kind": "number"}],
             "tieBreakers": [{"row": "c"}]}
            """
        #expect(
            SheetCheck.problems(in: json).map(\.description) == [
                "line 3, column 51: rows[0].of: the row b is not above this one; move it up",
                "line 4, column 56: rows[1].when: there is no option x",
                "line 5, column 11: rows[2].id: duplicate name b",
                "line 6, column 26: tieBreakers[0].row: there is no row c; did you mean a?",
            ]
        )
    }

    @Test(
        "invalid JSON is reported at its position",
        arguments: [
            ("{\n  \"id\": \"a\"\n  \"name\": \"b\"}", 3, 3, "expected “,” or “}”, found “\"”"),
            ("{\"id\": \"a\",\n \"id\": \"b\"}", 2, 2, "duplicate field"),
            ("{\"id\": \"a\n\"}", 1, 10, "found the end of the line"),
            ("{\"id\": abc}", 1, 8, "expected a value, found “abc”"),
            ("{\"a\": \"Maki, \"b\": 0}", 1, 15, "expected “,” or “}”, found “b”"),
            ("[\"a, \"b\"]", 1, 7, "expected “,” or “]”, found “b”"),
            ("{\"id: \"a\"}", 1, 8, "expected “:”, found “a”"),
            ("{\"a\": \"b\tc\"}", 1, 9, "an invisible character (U+9)"),
            ("{\"a\": \"b\u{1}\"}", 1, 9, "an invisible character (U+1)"),
            ("{\"a\":\u{A0}1}", 1, 6, "an invisible character (U+A0)"),
            ("{\u{A0}}", 1, 2, "an invisible character (U+A0)"),
            ("{} \u{200B}", 1, 4, "an invisible character (U+200B)"),
            ("{\"a\": # b\n1}", 1, 7, "expected a value, found “#”"),
            ("{\"id\": \"a\"} x", 1, 13, "expected the end, found “x”"),
            ("", 1, 1, "expected a value, found the end"),
            ("{\"a\" 1}", 1, 6, "expected “:”, found “1”"),
            ("[1,]", 1, 4, "expected a value, found “]”"),
            ("{\"a\": 1,}", 1, 9, "expected a field name in quotes, found “}”"),
            ("{\"i\\u0064\": 1}", 1, 2, "without “\\”"),
            ("{\"a\": \"", 1, 7, "expected the quote at the end of the text, found the end"),
            ("{\"a\": 1,\n}", 2, 1, "found “}”"),
            ("[1, ]", 1, 5, "found “]”"),
            ("{“id”: 1}", 1, 2, "found ““”"),
            ("{\"id”: \"a\"}", 1, 9, "expected “:”, found “a”"),
            ("{\"id\": 'a'}", 1, 8, "expected a value, found “'”"),
            ("{\"id\": 1 // mine\n}", 1, 10, "found “/”"),
            ("// mine\n{}", 1, 1, "found “/”"),
            ("{}\n# mine", 2, 1, "found “#”"),
            (String(repeating: "[", count: 40), 1, 33, "nested deeper than 32"),
        ] as [(String, Int, Int, String)]
    )
    func syntax(json: String, line: Int, column: Int, reason: String) throws {
        let problem = try #require(SheetCheck.problems(in: json).first)
        #expect((problem.line, problem.column) == (line, column))
        #expect(problem.reason.contains(reason), "\(problem)")
    }

    @Test(
        "mistyped names are reported with a suggestion",
        arguments: [
            (
                #""lable": "A", "kind": "number""#, "lable",
                "unknown field; did you mean label?"
            ),
            (
                #""label": "A", "kind": "nubmer""#, "kind",
                "sets, formula, drop; did you mean number?"
            ),
            (
                #""label": "A", "kind": "formula", "formula": "if(suit = red, 1, 0)""#, "formula",
                "did you mean 'red'?"
            ),
            (
                #""label": "A", "kind": "formula", "formula": "if(suit = 'rde', 1, 0)""#, "formula",
                "rde is not one of the choices of suit: red, blue"
            ),
            (
                #""label": "A", "kind": "formula", "formula": "suti * 2""#, "formula",
                "did you mean suit?"
            ),
            (
                #""label": "A", "kind": "formula", "formula": "suit / (2 - 2) + 1""#, "formula",
                "it always divides by zero"
            ),
        ]
    )
    func meant(fields: String, path: String, reason: String) throws {
        let json = """
            {"id": "a", "name": "A", "rows": [
              {"id": "suit", "label": "Suit", "kind": "choice",
               "choices": [{"word": "red"}, {"word": "blue"}]},
              {"id": "a", \(fields)}
            ]}
            """
        let problem = try #require(
            SheetCheck.problems(in: json).first { $0.path != "rows[1].label" }
        )
        #expect(problem.path == "rows[1].\(path)")
        #expect(problem.reason.hasSuffix(reason), "\(problem)")
        // Sheets that sessions carry go on being read.
        #expect((try? Sheet(json: json)) != nil || !reason.contains("zero"))
    }

    @Test("a sheet has problems exactly if it cannot be read", arguments: Seeds.below(300))
    func agreement(seed: UInt64) {
        var stranger = Stranger(seed: seed)
        var bytes = Array(stranger.sheet().utf8)
        for _ in 0..<Int.random(in: 0...3, using: &stranger.generator) {
            let place = Int.random(in: 0..<bytes.count, using: &stranger.generator)
            if Bool.random(using: &stranger.generator) {
                bytes[place] = UInt8.random(in: 32...126, using: &stranger.generator)
            } else {
                bytes.removeSubrange(place..<min(bytes.count, place + 5))
            }
        }
        let json = String(decoding: bytes, as: UTF8.self)
        let isRead = (try? Sheet(json: json)) != nil
        #expect(isRead == SheetCheck.problems(in: json).isEmpty, "\(json)")
    }

    @Test("of a list that is far too long only its length is reported, quickly")
    func size() {
        let rows = Array(repeating: #"{"kind":"?"}"#, count: 18_000).joined(separator: ",\n")
        let json = #"{"id": "a", "tieBreakers": [0], "rows": [\#(rows)]}"#
        #expect(
            SheetCheck.problems(in: json).map(\.description) == [
                "line 1, column 41: rows: 18000 entries, at most 100"
            ]
        )
        #expect(
            throws: SheetError.unreadable(
                path: "rows",
                reason: "18000 entries, at most 100"
            )
        ) { try Sheet(json: json) }
    }

    @Test("a sheet at each limit is accepted, and one past it is rejected")
    func limits() throws {
        func json(rows: Int = 1, label: Int = 1, more: String = "", row: String = "") -> String {
            let rows = (0..<rows).map { index in
                #"{"id": "r\#(index)", "label": "\#(String(repeating: "x", count: label))", "#
                    + #""kind": "number"\#(row)}"#
            }
            return #"{"id": "a", "name": "A", "rows": [\#(rows.joined(separator: ","))]\#(more)}"#
        }
        // Characters depend on the Unicode tables of the build; scalars do not.
        let accents = "o" + String(repeating: "\u{301}", count: Sheet.Limits.label)
        let marked = json().replacing(#""label": "x""#, with: #""label": "\#(accents)""#)
        #expect(SheetCheck.problems(in: marked).count == 1)
        func table(_ count: Int) -> String {
            #", "table": [\#(Array(repeating: "1", count: count).joined(separator: ","))]"#
        }
        func breakers(_ count: Int) -> String {
            let list = Array(repeating: #"{"row": "r0"}"#, count: count).joined(separator: ",")
            return #", "tieBreakers": [\#(list)]"#
        }
        func options(_ count: Int) -> String {
            let list = (0..<count).map { #"{"name": "o\#($0)", "kind": "text"}"# }
            return #", "options": [\#(list.joined(separator: ","))]"#
        }
        typealias Limits = Sheet.Limits
        func sources(_ count: Int) -> String {
            let entered = (0..<Limits.sources).map { "e\($0)" }
            let sums = stride(from: 0, to: count, by: Limits.sources).map { start in
                let of = entered.prefix(count - start).map { "\"\($0)\"" }
                return #"{"id": "s\#(start)", "label": "S", "kind": "sum", "#
                    + #""of": [\#(of.joined(separator: ","))]}"#
            }
            let rows =
                entered.map { #"{"id": "\#($0)", "label": "E", "kind": "number"}"# } + sums
            return #"{"id": "a", "name": "A", "rows": [\#(rows.joined(separator: ","))]}"#
        }
        for (fits, exceeds) in [
            (sources(Limits.allSources), sources(Limits.allSources + 1)),
            (json(rows: Limits.rows), json(rows: Limits.rows + 1)),
            (json(label: Limits.label), json(label: Limits.label + 1)),
            (json(row: table(Limits.table)), json(row: table(Limits.table + 1))),
            (
                json(more: breakers(Limits.tieBreakers)),
                json(more: breakers(Limits.tieBreakers + 1))
            ),
            (json(more: options(Limits.options)), json(more: options(Limits.options + 1))),
        ] {
            #expect(SheetCheck.problems(in: fits) == [])
            #expect(SheetCheck.problems(in: exceeds).count == 1)
        }
    }
}
