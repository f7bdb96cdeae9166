import ScoreSheets
import SessionCRDT
import Testing

@Suite("Kinds of rows and their points")
struct RowKindTests {
    /// The sheet of these rows; each is given without its label.
    private func sheet(_ rows: String..., options: String = "") throws -> Sheet {
        let rows = rows.map { #"{"label": "R", \#($0)}"# }.joined(separator: ",\n")
        let json = #"{"id": "s", "name": "S", "rows": [\#(rows)], "options": [\#(options)]}"#
        return try Sheet(json: json)
    }

    private let a = #""id": "a", "kind": "number", "scores": false"#
    private let b = #""id": "b", "kind": "number", "scores": false"#

    @Test(
        "a number is divided, looked up and multiplied, in this order",
        arguments: [
            (#""per": 3"#, 8, 2), (#""per": 3"#, -1, -1), (#""per": 3"#, -3, -1),
            (#""table": [-1, 5]"#, 0, -1), (#""table": [-1, 5]"#, -9, -1),
            (#""table": [-1, 5]"#, 9_007_199_254_740_991, 5), (#""factor": -11"#, 2, -22),
            (#""per": 2, "factor": -1"#, 5, -2), (#""per": 2, "table": [0, 4, 7]"#, 5, 7),
            (#""per": 2, "table": [0, 4, 7], "factor": 10"#, 3, 40),
            (#""factor": 9007199254740991"#, 9_007_199_254_740_991, 9_007_199_254_740_991),
            (#""factor": -9007199254740991"#, 9_007_199_254_740_991, -9_007_199_254_740_991),
        ] as [(String, Int64, Points)]
    )
    func worth(rule: String, number: Int64, expected: Points) throws {
        #expect(
            try total(sheet(#""id": "r", "kind": "number", \#(rule)"#), "\(number)") == expected
        )
    }

    @Test(
        "a row may take only some numbers, also as the result of a sum",
        arguments: [
            (#""only": [0, 25]"#, ["0", "25", "20+5"], ["24", "-25", "26"], "0 or 25"),
            (
                #""only": [0, {"from": 5, "to": 30}]"#, ["0", "5", "30"], ["1", "31"],
                "0 or 5 to 30"
            ),
            (
                #""range": {"from": 0, "to": 30, "step": 6}"#, ["0", "30", "6+6"], ["17", "36"],
                "a whole number from 0 to 30 in steps of 6"
            ),
        ] as [(String, [String], [String], String)]
    )
    func someNumbers(rule: String, taken: [String], refused: [String], words: String) throws {
        let sheet = try sheet(#""id": "r", "kind": "number", \#(rule)"#)
        let row = sheet.rows[0]
        for text in taken { #expect(throws: Never.self) { try row.value(of: text) } }
        for text in refused {
            let refusal = #expect(throws: RuleViolation.self) { try row.value(of: text) }
            #expect(refusal?.message == "r takes \(words), not \(text)")
        }
        #expect(row.acceptedValues == words)
        // Sessions carry the sheet as it is encoded.
        #expect(try Sheet(json: sheet.json) == sheet)
    }

    @Test(
        "wrong lists of numbers are refused",
        arguments: [
            #""only": []"#, #""only": [5, 5]"#, #""only": [9, {"from": 1, "to": 3}]"#,
            #""only": [1], "range": {"from": 0}"#, #""range": {"to": 5, "step": 2}"#,
            #""range": {"from": 0, "step": 0}"#, #""only": ["a"]"#,
        ]
    )
    func wrongNumbers(rule: String) {
        #expect(throws: SheetError.self) { try sheet(#""id": "r", "kind": "number", \#(rule)"#) }
    }

    @Test("ranks are given round by round, and their points are multiplied")
    func placesInRounds() throws {
        let sheet = try sheet(#""id": "r", "kind": "rounds", "places": [3, 1], "factor": 2"#)
        var table = Table("Ann", "Bob", "Cid")
        try table.score(1, "5 1", by: sheet)
        try table.score(2, "4 1", by: sheet)
        try table.score(3, "0 2 9", by: sheet)
        // Round 1: 3, 1 and nothing; round 2: 3 for Cid and 1 shared by two; round 3: 3.
        #expect(
            lines(sheet.rules.standings(of: table.book)) == ["Ann 6 2", "Bob 2 3", "Cid 12 1"]
        )
    }

    @Test("computed rows can be ranked")
    func placesOfSums() throws {
        let sum = #""id": "s", "kind": "sum", "of": ["a", "b"], "places": [5, 2]"#
        let sheet = try sheet(a, b, sum)
        var table = Table("Ann", "Bob", "Cid")
        try table.score(1, "a=1 b=2", by: sheet)
        try table.score(2, "b=4", by: sheet)
        #expect(
            lines(sheet.rules.standings(of: table.book)) == ["Ann 2 2", "Bob 5 1", "Cid 0 -"]
        )
    }

    @Test("a computed row reads entries, and the points of other computed rows")
    func chain() throws {
        let rows = [
            #""id": "sheep", "kind": "number", "table": [-1, 7]"#,
            #""id": "double", "kind": "sum", "of": ["sheep"], "factor": 2, "scores": false"#,
            #""id": "all", "kind": "sum", "of": ["sheep", "double"]"#,
        ]
        // 5 sheep are worth 7; twice 5 is 10, and 5 + 10 is 15.
        #expect(try total(sheet(rows[0], rows[1], rows[2]), "sheep=5") == 22)
    }

    @Test("a product with an empty row is nothing, and huge ones are clamped")
    func products() throws {
        let product = #""id": "p", "kind": "product", "of": ["a", "b"]"#
        let sheet = try sheet(a, b, product)
        #expect(try total(sheet, "a=6 b=7") == 42)
        #expect(try total(sheet, "a=6") == 0)
        let most = Value.largestInteger
        #expect(try total(sheet, "a=\(most) b=\(most)") == .largest)
        #expect(try total(sheet, "a=\(most) b=-\(most)") == 0 - .largest)
    }

    @Test("words have the points of the sheet, and a yes its own")
    func words() throws {
        let choice =
            #""id": "c", "kind": "choice", "#
            + #""choices": [{"word": "no"}, {"word": "big", "points": -4}]"#
        let flag = #""id": "f", "kind": "flag", "points": 7"#
        let sheet = try sheet(choice, flag)
        #expect(try total(sheet, "c=BIG f=y") == 3)
        #expect(try total(sheet, "c=n f=off") == 0)
        #expect(try refusal(sheet, "c=x") == "c takes one of no, big, not “x”")
        #expect(try refusal(sheet, "f=maybe") == "f takes yes or no, not “maybe”")
    }

    @Test("a value in the wrong cell is flagged with the reason, and adds nothing")
    func wrong() throws {
        let sheet = try sheet(
            a,
            #""id": "p", "kind": "product", "of": ["a"]"#,
            #""id": "t", "kind": "tokens", "tokens": [1, 5]"#,
            #""id": "o", "kind": "order", "words": ["x", "y"]"#,
            #""id": "r", "kind": "rounds", "last": 2"#
        )
        var table = Table("Ann")
        table.write(1, "a", to: .text("2+"))
        table.write(1, "p", to: .integer(4))
        table.write(1, "t", to: .text("5+3"))
        table.write(1, "o", to: .text("x x"))
        table.write(1, "r", 3, to: .integer(1))
        let standings = sheet.rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 0 -"])
        #expect(
            standings.flags.map(\.reason.description) == [
                "a takes a whole number, not “2+”", "p is computed; enter a instead",
                "t takes a total, or tokens of 1, 5, not 3", "o takes the order of x, y, not “x x”",
                "r has rounds 1 to 2, not 3",
            ]
        )
    }

    @Test("an empty row has its default once anything counts, and not before")
    func empty() throws {
        let sheet = try sheet(
            #""id": "e", "kind": "number", "empty": 0, "table": [-1, 1]"#,
            #""id": "x", "kind": "number""#,
            #""id": "n", "kind": "number", "scores": false"#
        )
        #expect(try total(sheet, "x=5") == 4)
        #expect(try total(sheet, "x=5 e=1") == 6)
        #expect(try total(sheet, "n=5") == 0)
    }

    @Test("entries without points are no scores: a text, an order, a choice without points, a no")
    func noScore() throws {
        let sheet = try sheet(
            #""id": "note", "kind": "text""#,
            #""id": "order", "kind": "order", "words": ["x", "y"]"#,
            #""id": "colour", "kind": "choice", "choices": [{"word": "red"}, {"word": "blue"}]"#,
            #""id": "rich", "kind": "choice", "#
                + #""choices": [{"word": "a", "points": 3}, {"word": "b"}]"#,
            #""id": "flag", "kind": "flag", "points": 5"#,
            #""id": "n", "kind": "number""#
        )
        func shown(_ texts: String) throws -> [String] {
            var table = Table("Ann", "Bob")
            table.write(1, "order", to: .text("x y"))
            try table.score(1, texts, by: sheet)
            return lines(sheet.rules.standings(of: table.book))
        }
        #expect(try shown("note=late colour=red flag=no") == ["Ann 0 -", "Bob 0 -"])
        #expect(try shown("rich=b") == ["Ann 0 1", "Bob 0 -"])
        #expect(try shown("flag=yes") == ["Ann 5 1", "Bob 0 -"])
        #expect(try shown("n=0 note=late") == ["Ann 0 1", "Bob 0 -"])
    }

    @Test("an alias matches as a whole name, and precedes a label")
    func aliases() throws {
        let sheet = try sheet(
            #""id": "first", "kind": "number", "aliases": ["r", "zz"]"#,
            #""id": "second", "kind": "number", "aliases": ["s"]"#
        )
        let parser = ScoreParser(sheet)
        for (text, id) in [("R", "first"), ("zz", "first"), ("s", "second"), ("f", "first")] {
            #expect(try parser.row(RowReference(text)).id.description == id)
        }
        #expect(throws: RuleViolation.self) { try parser.row(RowReference("z")) }
    }
}
