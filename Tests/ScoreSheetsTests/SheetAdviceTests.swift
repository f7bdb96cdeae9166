import ScoreSheets
import Testing

/// What to write instead of what is wrong with a sheet, by what people wrote who had only read the
/// page about sheets.
@Suite("The advice on a sheet")
struct SheetAdviceTests {
    /// The problems of a sheet with these rows between others, as path and reason.
    private func problems(_ rows: String, _ more: String = "") -> [String] {
        let json = """
            {"id": "a", "name": "A", "rows": [
              {"id": "wheat", "label": "Wheat Property", "kind": "number"},
              {"id": "maki", "label": "Rolls", "kind": "number"},
              {"id": "king", "label": "King", "kind": "flag"},
              \(rows)
            ], "options": [
              {"name": "giant", "kind": "boolean", "default": false},
              {"name": "mode", "kind": "choice", "choices": ["new", "old"], "default": "new"}
            ]\(more)}
            """
        return SheetCheck.problems(in: json).map { "\($0.path): \($0.reason)" }
    }

    @Test(
        "a formula is mended by what stands there",
        arguments: [
            ("sum + 1", "a row cannot be worked out from itself"),
            ("below * 2", "the row below is itself worked out from this one"),
            ("last * 2", "the row last is not above this one; move it up"),
            ("wheat-1", "a minus needs a space on each side: wheat - 1"),
            ("wheat-maki", "a minus needs a space on each side: wheat - maki"),
            ("2wheat", "write * to multiply: 2 * wheat"), ("2x3", "write * to multiply: 2 * 3"),
            ("Wheat Property * 2", "formulas have the ids of rows, not their labels: write wheat"),
            ("Rolls * 2", "and no option of that name; did you mean maki?"),
            ("king = 'yes'", "king is yes or no: write king, or not king"),
            ("giant = 'yes'", "giant is yes or no: write giant, or not giant"),
            ("maki = 'none'", "maki is a number: compare it with one, without quotes"),
            ("players = 'two'", "players is a number: compare it with one, without quotes"),
            ("makki = 'none'", "and no option of that name; did you mean maki?"),
        ]
    )
    func formula(text: String, reason: String) {
        let rows = """
            {"id": "sum", "label": "S", "kind": "formula", "formula": "\(text)"},
              {"id": "below", "label": "B", "kind": "sum", "of": ["sum"]},
              {"id": "last", "label": "L", "kind": "number"}
            """
        let found = problems(rows)
        #expect(found.count == 1 && found[0].hasPrefix("rows[3].formula: "), "\(found)")
        #expect(found.first?.hasSuffix(reason) == true, "\(found)")
    }

    @Test(
        "a row is mended by what it has",
        arguments: [
            (#""last": 3"#, "last: a row of the kind number does not have it; rows of the kind"),
            (#""checks": []"#, "does not have it; rows of the kind rounds do; known are: id"),
            (#""points": 3"#, "does not have it; rows of the kind flag do; known are: id"),
            (#""wins": true"#, "rows of the kinds flag and formula do; known are: id"),
            (#""factor": "3""#, "factor: it takes a whole number, without quotes"),
            (#""factor": 9.5"#, "factor: it takes a whole number, no decimals"),
            (#""factor": 1e300"#, "factor: it takes a whole number within ±9007199254740991"),
            (#""places": [2.5]"#, "places[0]: it takes a whole number, no decimals"),
            (#""range": [1, 48]"#, #"in braces: {"from": 1, "to": 48}"#),
            (#""range": {"max": 5, "min": 1}"#, "range.max: unknown field; did you mean to?"),
            (#""range": {"min": 1, "max": 5}"#, "range.min: unknown field; did you mean from?"),
            (#""range": {"from": 5, "to": 1}"#, "1 is below 5; swap “from” and “to”"),
            (#""when": "giant""#, #"when: it takes several fields, in braces: {"option": "x"}"#),
            (#""when": {"option": "giant", "is": true}"#, "when.is: leave it away: an option of"),
            (#""when": {"option": "giant", "is": [true]}"#, "when.is: leave it away: an option"),
            (#""when": {"option": "giant", "is": ["yes"]}"#, "words; leave “is” away"),
            (#""when": {"option": "gaint"}"#, "there is no option gaint; did you mean giant?"),
            (#""when": {"option": "x"}"#, "there is no option x; known are: giant, mode"),
            (#""when": {"option": "mode"}"#, #"say which word of mode, in “is”: ["new"]"#),
        ]
    )
    func row(field: String, reason: String) {
        let found = problems(#"{"id": "r", "label": "R", "kind": "number", \#(field)}"#)
        #expect(found.count == 1 && found[0].hasPrefix("rows[3]."), "\(found)")
        #expect(found.first?.contains(reason) == true, "\(found)")
    }

    @Test(
        "what is no row is mended by what stands there",
        arguments: [
            (#"{"id": "r", "type": "number", "label": "R"}"#, "did you mean kind?"),
            (#"{"id": "r", "title": "R", "kind": "text"}"#, "did you mean label?"),
            (#"{"name": "r", "label": "R", "kind": "text"}"#, "did you mean id?"),
            (#"{"id": "r", "label": "R"}"#, "kind: it is missing in “r”"),
            (#"{"id": "r", "label": "R", "kind": "bool"}"#, "did you mean flag?"),
            (#"{"id": "The Rest!", "label": "R", "kind": "text"}"#, "“-”; write the-rest"),
            (#"{"id": "R.1", "label": "R", "kind": "text"}"#, "0–9, “_” and “-”; write r-1"),
            (#"{"id": "r.1", "label": "R", "kind": "text"}"#, "r.1 is not a row; write r-1"),
            (#"{"id": "é", "label": "R", "kind": "text"}"#, "1 to 64 of a–z, 0–9, “_” and “-”"),
            (
                #"{"id": "r", "label": "R", "kind": "sum", "of": ["wheta"]}"#,
                "of: there is no row wheta above this one; did you mean wheat?"
            ),
            (
                #"{"id": "r", "label": "R", "kind": "sum", "of": ["zzz"]}"#,
                "of: there is no row zzz above this one; known are: wheat, maki, king"
            ),
            (
                #"{"id": "r", "label": "R", "kind": "sum", "of": ["r"]}"#,
                "of: a row cannot be worked out from itself"
            ),
            (
                #"{"id": "r", "label": "R", "kind": "number", "formula": "r * 2"}"#,
                "a row cannot be worked out from itself; what is entered in it is “entered”"
            ),
            (
                #"{"id": "r", "label": "R", "kind": "sum", "of": "wheat"}"#,
                #"of: it takes a list, in brackets: ["coins"]"#
            ),
            (
                #"{"repeat": {"kind": "text"}, "row": [{"id": "r", "label": "R"}]}"#,
                "beside “repeat” there is only “rows”; did you mean rows?"
            ),
        ]
    )
    func other(row: String, reason: String) {
        let found = problems(row)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains(reason) == true, "\(found)")
    }

    @Test(
        "what a sheet says besides its rows is mended by what stands there",
        arguments: [
            (#""players": [2, 5]"#, #"players: it takes several fields, in braces: {"from": 2"#),
            (#""players": "2-4""#, #"players: it takes several fields, in braces: {"from": 2"#),
            (#""tieBreakers": ["wheat"]"#, "[0]: it takes several fields, in braces: {"),
            (#""tieBreakers": [{"row": "wheta"}]"#, "there is no row wheta; did you mean wheat?"),
            (#""tieBreakers": [{"row": "zzz"}]"#, "there is no row zzz; known are: wheat, maki"),
            (#""tieBreakers": [{"id": "maki"}]"#, "id: unknown field; did you mean row?"),
            (#""target": "10""#, "target: it takes a whole number, without quotes"),
            (#""target": 9.5"#, "target: it takes a whole number, no decimals"),
            (#""seats": [{"when": {"option": "giant"}, "from": 5, "to": 3}]"#, "swap “from” and"),
        ]
    )
    func sheet(field: String, reason: String) {
        let found = problems(#"{"id": "r", "label": "R", "kind": "text"}"#, ", " + field)
        #expect(found.count == 1 && found[0].contains(reason), "\(found)")
    }

    @Test(
        "an option is mended by what it has",
        arguments: [
            (#""id": "x", "kind": "boolean""#, "options[0].id: unknown field; did you mean name?"),
            (#""name": "x", "kind": "flag""#, "did you mean boolean?"),
            (#""name": "x", "kind": "int""#, "did you mean integer?"),
            (#""name": "x", "kind": "number""#, "did you mean integer?"),
            (#""name": "x", "kind": "string""#, "did you mean text?"),
            (#""name": "x", "kind": "choice", "choices": "a""#, #"brackets: ["red", "blue"]"#),
        ]
    )
    func option(fields: String, reason: String) {
        let json = """
            {"id": "a", "name": "A", "rows": [{"id": "r", "label": "R", "kind": "text"}],
             "options": [{\(fields), "default": true}]}
            """
        let found = SheetCheck.problems(in: json).map { "\($0.path): \($0.reason)" }
        #expect(found.count == 1 && found[0].hasSuffix(reason), "\(found)")
    }

    @Test(
        "a field of a round is mended by the formula of the round",
        arguments: [
            (#""bid""#, #"it takes several fields, in braces: {"id": "coins", "label": "Coins"}"#),
            (#"{"id": "bid", "label": "B", "table": [1]}"#, "round: pick(bid + 1, 0, 1, 3)"),
            (#"{"id": "bid", "label": "B", "places": [1]}"#, "round: if(rank(bid) = 1, 5, 0)"),
            (#"{"id": "bid", "label": "B", "per": 3}"#, "the formula of the round: bid / 3"),
            (#"{"id": "bid", "label": "B", "last": 3}"#, "it stands in the row of the rounds"),
            (
                #"{"id": "round", "label": "B"}"#,
                "rows[3].fields[0].id: the id round is there twice; the first is in line 5"
            ),
        ]
    )
    func round(field: String, reason: String) {
        let row = """
            {"id": "round", "label": "R", "kind": "rounds", "fields": [\(field)], "formula": "1"}
            """
        let found = problems(row)
        #expect(found.count == 1 && found[0].contains(reason), "\(found)")
    }

    @Test("what a template says wrong is told once, and what its rows lack for each")
    func template() {
        func found(_ common: String) -> [String] {
            problems(
                """
                {"repeat": {\(common)}, "rows": [
                    {"id": "a", "label": "A"}, {"id": "b", "label": "B"}]}
                """
            )
        }
        #expect(
            found(#""kind": "number", "factor": "2""#)
                == ["rows[3].repeat.factor: it takes a whole number, without quotes"]
        )
        #expect(
            found(#""kind": "number", "steps": [{"points": 3}]"#)
                == ["rows[3].repeat.steps[0].from: it is missing"]
        )
        #expect(
            found(#""scores": false"#) == [
                "rows[3].rows[0].kind: it is missing in “a”",
                "rows[3].rows[1].kind: it is missing in “b”",
            ]
        )
    }
}
