import ScoreSheets
import Testing

/// Mistakes that people made who had only read the page about sheets: each is reported at its
/// place, with what was expected or meant.
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
        "a flaw in a formula is reported with what was meant",
        arguments: [
            ("sum + 1", "a row cannot be worked out from itself"),
            ("below * 2", "the row below is not above this one; move it up"),
            ("last * 2", "the row last is not above this one; move it up"),
            ("wheat-1", "a minus needs a space on each side"),
            ("wheat-maki", "a minus needs a space on each side"),
            ("2wheat", "did you mean wheat?"),
            ("Rolls * 2", "did you mean maki?"),
            ("king = 'yes'", "king is not a choice here; write it without a word in quotes"),
            ("giant = 'yes'", "giant is not a choice here; write it without a word in quotes"),
            ("maki = 'none'", "maki is not a choice here; write it without a word in quotes"),
            ("players = 'two'", "players is not a choice here; write it without a word in quotes"),
            ("makki = 'none'", "did you mean maki?"),
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
        "a flaw in a field of a row is reported with what was expected",
        arguments: [
            (#""last": 3"#, "last: a row of the kind number does not have it; it belongs to"),
            (#""checks": []"#, "does not have it; it belongs to rows of the kind rounds"),
            (#""points": 3"#, "does not have it; it belongs to rows of the kind flag"),
            (#""wins": true"#, "it belongs to rows of the kind flag, formula"),
            (#""factor": "3""#, "factor: expected a whole number, without quotes"),
            (#""factor": 9.5"#, "factor: expected a whole number within"),
            (#""factor": 1e300"#, "factor: expected a whole number within ±9007199254740991"),
            (#""places": [2.5]"#, "places[0]: expected a whole number"),
            (#""range": [1, 48]"#, "range: expected an object: {…}"),
            (#""range": {"max": 5, "min": 1}"#, "range.max: unknown field; did you mean to?"),
            (#""range": {"min": 1, "max": 5}"#, "range.min: unknown field; did you mean from?"),
            (#""range": {"from": 5, "to": 1}"#, "1 is below 5; swap “from” and “to”"),
            (#""when": "giant""#, "when: expected an object: {…}"),
            (#""when": {"option": "giant", "is": true}"#, "when.is: leave it out: an option of"),
            (#""when": {"option": "giant", "is": [true]}"#, "when.is: leave it out: an option"),
            (#""when": {"option": "giant", "is": ["yes"]}"#, "words; leave “is” out"),
            (#""when": {"option": "gaint"}"#, "there is no option gaint; did you mean giant?"),
            (#""when": {"option": "x"}"#, "there is no option x; expected: giant, mode"),
            (#""when": {"option": "mode"}"#, #"name the words of mode in “is”: ["new"]"#),
        ]
    )
    func row(field: String, reason: String) {
        let found = problems(#"{"id": "r", "label": "R", "kind": "number", \#(field)}"#)
        #expect(found.count == 1 && found[0].hasPrefix("rows[3]."), "\(found)")
        #expect(found.first?.contains(reason) == true, "\(found)")
    }

    @Test(
        "a flaw in a row is reported with what was expected",
        arguments: [
            (#"{"id": "r", "type": "number", "label": "R"}"#, "did you mean kind?"),
            (#"{"id": "r", "title": "R", "kind": "text"}"#, "did you mean label?"),
            (#"{"name": "r", "label": "R", "kind": "text"}"#, "did you mean id?"),
            (#"{"id": "r", "label": "R"}"#, "rows[3].kind: missing"),
            (#"{"id": "r", "label": "R", "kind": "bool"}"#, "did you mean flag?"),
            (#"{"id": "The Rest!", "label": "R", "kind": "text"}"#, "“The Rest!” is not a name"),
            (#"{"id": "R.1", "label": "R", "kind": "text"}"#, "“R.1” is not a name"),
            (
                #"{"id": "r.1", "label": "R", "kind": "text"}"#,
                "a dot separates the round, so that r.1 is not a row"
            ),
            (#"{"id": "é", "label": "R", "kind": "text"}"#, "1 to 64 of a–z, 0–9"),
            (
                #"{"id": "r", "label": "R", "kind": "sum", "of": ["wheta"]}"#,
                "of: there is no row wheta above this one; did you mean wheat?"
            ),
            (
                #"{"id": "r", "label": "R", "kind": "sum", "of": ["zzz"]}"#,
                "of: there is no row zzz above this one; expected: wheat, maki, king"
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
                "of: expected a list: […]"
            ),
            (
                #"{"repeat": {"kind": "text"}, "row": [{"id": "r", "label": "R"}]}"#,
                "expected only “repeat” and “rows”, found “row”; did you mean rows?"
            ),
        ]
    )
    func other(row: String, reason: String) {
        let found = problems(row)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains(reason) == true, "\(found)")
    }

    @Test(
        "a flaw outside the rows is reported with what was expected",
        arguments: [
            (#""players": [2, 5]"#, "players: expected an object: {…}"),
            (#""players": "2-4""#, "players: expected an object: {…}"),
            (#""tieBreakers": ["wheat"]"#, "tieBreakers[0]: expected an object: {…}"),
            (#""tieBreakers": [{"row": "wheta"}]"#, "there is no row wheta; did you mean wheat?"),
            (#""tieBreakers": [{"row": "zzz"}]"#, "there is no row zzz; expected: wheat, maki"),
            (#""tieBreakers": [{"id": "maki"}]"#, "id: unknown field; did you mean row?"),
            (#""target": "10""#, "target: expected a whole number, without quotes"),
            (#""target": 9.5"#, "target: expected a whole number"),
            (#""seats": [{"when": {"option": "giant"}, "from": 5, "to": 3}]"#, "swap “from” and"),
        ]
    )
    func sheet(field: String, reason: String) {
        let found = problems(#"{"id": "r", "label": "R", "kind": "text"}"#, ", " + field)
        #expect(found.count == 1 && found[0].contains(reason), "\(found)")
    }

    @Test(
        "a flaw in an option is reported with what was expected",
        arguments: [
            (#""id": "x", "kind": "boolean""#, "options[0].id: unknown field; did you mean name?"),
            (#""name": "x", "kind": "flag""#, "did you mean boolean?"),
            (#""name": "x", "kind": "int""#, "did you mean integer?"),
            (#""name": "x", "kind": "number""#, "did you mean integer?"),
            (#""name": "x", "kind": "string""#, "did you mean text?"),
            (#""name": "x", "kind": "choice", "choices": "a""#, "expected a list: […]"),
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
        "a flaw in a field of a round is reported with what was expected",
        arguments: [
            (#""bid""#, "rows[3].fields[0]: expected an object: {…}"),
            (#"{"id": "bid", "label": "B", "per": 3}"#, "rows[3].fields[0].per: a field of the"),
            (#"{"id": "bid", "label": "B", "last": 3}"#, "it belongs to the row of the rounds"),
            (#"{"id": "round", "label": "B"}"#, "rows[3].id: duplicate name round"),
        ]
    )
    func round(field: String, reason: String) {
        let row = """
            {"id": "round", "label": "R", "kind": "rounds", "fields": [\(field)], "formula": "1"}
            """
        let found = problems(row)
        #expect(found.count == 1 && found[0].contains(reason), "\(found)")
    }

    @Test("a flaw in a template is reported once, and a missing field for each of its rows")
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
                == ["rows[3].repeat.factor: expected a whole number, without quotes"]
        )
        #expect(
            found(#""kind": "number", "steps": [{"points": 3}]"#)
                == ["rows[3].repeat.steps[0].from: missing"]
        )
        #expect(
            found(#""scores": false"#) == [
                "rows[3].rows[0].kind: missing", "rows[3].rows[1].kind: missing",
            ]
        )
    }
}
