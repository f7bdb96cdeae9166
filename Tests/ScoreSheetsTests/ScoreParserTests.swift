import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Parsing of scores")
struct ScoreParserTests {
    private let wide = """
        {"id": "wide", "name": "Wide",
         "rows": [{"id": "birds", "label": "Bird cards", "kind": "number",
                   "range": {"from": 0, "to": 100}},
                  {"id": "bonus", "label": "Bonus cards", "kind": "number"},
                  {"id": "goal", "label": "Goals", "kind": "rounds"},
                  {"id": "goals", "label": "All goals", "kind": "number"}]}
        """

    private func value(of text: String) throws -> Points? {
        let parser = ScoreParser(try builtIn("points"))
        let scores = try parser.scores([text], for: player(1), in: Table("Ann").book)
        return scores.first.flatMap { parser.sheet.rows.first?.count(of: $0.value) }
    }

    @Test(
        "what a game records by itself cannot be set",
        arguments: [
            ("darts", "order"), ("ghost", "words"), ("ghost", "circle"), ("tennis", "order"),
        ]
            as [(StaticString, String)]
    )
    func recorded(game: StaticString, option: String) throws {
        let sheet = try builtIn(game)
        let parser = ScoreParser(sheet)
        let name = try #require(Symbol(option))
        #expect(throws: RuleViolation.notAChoice(name, help: sheet.option(name)?.help)) {
            try parser.option(option + "=x")
        }
    }

    @Test(
        "the next turn of a coded game is not a score, and the words lead to play",
        arguments: [
            ("darts", "visit", "60"), ("ghost", "letter", "n"), ("reversi", "move", "d3"),
            ("bowling", "frame", "7/"), ("tennis", "point", "1"),
        ]
            as [(StaticString, String, String)]
    )
    func played(game: StaticString, row: String, move: String) throws {
        let parser = ScoreParser(try builtIn(game))
        for text in [move, "\(row)=\(move)"] {
            let refusal = #expect(throws: RuleViolation.self) {
                try parser.scores([text], for: player(1), in: Table("Ann").book)
            }
            #expect(
                refusal?.description
                    == "a \(row) is entered with play; for example: scorectl play \(move); "
                    + "to correct one, name it: \(row).3=\(move)"
            )
        }
        let score = try parser.scores(
            ["\(row).3=\(move)"],
            for: player(1),
            in: Table("Ann").book
        )
        #expect(score.map(\.value) == [.text(move)])
    }

    @Test(
        "numbers, sums and differences are read",
        arguments: [
            ("42", 42), ("-7", -7), ("+7", 7), ("\u{2212}7", -7), ("0", 0), ("-0", 0),
            ("007", 7), ("12+7+9", 28), ("50-8", 42), ("50 - 8", 42), (" 12 + 7 ", 19),
            ("- 3", -3), ("-3-4", -7), ("5\u{2212}6", -1), ("points=42", 42), ("p=1+1", 2),
            ("POINTS=3", 3), ("=4", 4), ("9007199254740991", 9_007_199_254_740_991),
            ("-9007199254740991", -9_007_199_254_740_991),
            ("9007199254740991-1+1", 9_007_199_254_740_991),
        ] as [(String, Points)]
    )
    func numbers(text: String, number: Points) throws {
        #expect(try value(of: text) == number)
    }

    @Test(
        "a sum is remembered as it was typed, a number as a number",
        arguments: [
            ("12+7+9", .text("12+7+9")), (" 12 + 07 ", .text("12+7")), ("+3", .integer(3)),
            ("50\u{2212}8", .text("50-8")), ("3x5 + 2*1-1", .text("3x5+2x1-1")),
            ("1x5", .integer(5)), ("-2x5", .text("-2x5")), ("-3-4", .text("-3-4")),
            (String(repeating: "1+", count: 600) + "1", .integer(601)),
        ] as [(String, Value)]
    )
    func remembered(text: String, value: Value) throws {
        let parser = ScoreParser(try builtIn("points"))
        let scores = try parser.scores([text], for: player(1), in: Table("Ann").book)
        #expect(scores.map(\.value) == [value])
    }

    @Test(
        "invalid numbers are rejected with a message",
        arguments: [
            "x", "1,000", "1 000", "1_000", "12+", "+", "-", "--3", "12++7", "0x10", "1e3",
            "∞", "3 birds", "\u{2014}3", "3x", "x3", "3x-5", "2x3x4",
        ]
    )
    func noNumbers(text: String) {
        let refusal = RuleViolation.notANumber(row: Symbol(known: "points"), found: "“\(text)”")
        #expect(throws: refusal) { try value(of: text) }
        #expect(refusal.description == "points takes a whole number, not “\(text)”")
    }

    @Test(
        "numbers that no cell holds are refused with the limits",
        arguments: [
            "9007199254740992", "-9007199254740992", "9007199254740991+1",
            "99999999999999999999999999999999999999999999",
            "9007199254740992-9007199254740992", "99999999999999999999-1",
        ]
    )
    func tooLarge(text: String) {
        let refusal = #expect(throws: RuleViolation.self) { try value(of: text) }
        #expect(
            refusal?.description.hasPrefix(
                "points takes a whole number from -9007199254740991 to 9007199254740991, not “"
            ) == true
        )
        #expect(refusal?.description.count ?? 0 < 130)
    }

    @Test("an empty value is rejected, because clearing is another command")
    func empty() {
        for text in ["points=", "points= ", ""] {
            #expect(throws: RuleViolation.valueMissing(row: Symbol(known: "points"))) {
                try value(of: text)
            }
        }
    }

    @Test("a message quotes at most forty characters, and no control characters")
    func quoting() {
        let text = "\u{1B}[31m" + String(repeating: "x", count: 5000)
        let shown = "“\u{FFFD}[31m\(String(repeating: "x", count: 35))…”"
        let refusal = RuleViolation.notANumber(row: Symbol(known: "points"), found: shown)
        #expect(throws: refusal) { try value(of: text) }
    }

    @Test("a number alone fills the first empty round")
    func nextRound() throws {
        let parser = ScoreParser(try builtIn("rounds"))
        var table = Table("Ann", "Bob")
        table.rounds(1, 5, 6, 7)
        table.write(1, "round", 2, to: .null)
        func places(_ texts: String...) throws -> [UInt32?] {
            try parser.scores(texts, for: player(1), in: table.book).map(\.cell.round)
        }
        #expect(try places("1") == [2])
        #expect(try places("1", "2", "round=3") == [2, 4, 5])
        #expect(try places("round.2=1", "2") == [2, 4])
        #expect(try places(".9=1") == [9])

        table.conflict(1, "round", 2, to: .integer(4), .null)
        #expect(try places("1") == [4])
        let bob = try parser.scores(["8"], for: player(2), in: table.book)
        #expect(bob == [Score(table.cell(2, "round", 1), .integer(8))])
    }

    @Test("invalid rounds are rejected")
    func badRounds() throws {
        let parser = ScoreParser(try builtIn("rounds"))
        let book = Table("Ann").book
        for round in ["0", "1000001", "99999999999999999999"] {
            #expect(throws: RuleViolation.roundOutOfRange(round)) {
                try parser.scores(["round.\(round)=1"], for: player(1), in: book)
            }
        }
        let last = try parser.scores(["round.1000000=1"], for: player(1), in: book)
        #expect(last.map(\.cell.round) == [Cell.lastRound])
        #expect(throws: RuleViolation.roundUnexpected(row: Symbol(known: "points"))) {
            try value(of: "points.1=3")
        }
        #expect(
            throws: RuleViolation.unknownRow("round.x", candidates: parser.sheet.rows.map(\.id))
        ) {
            try parser.scores(["round.x=1"], for: player(1), in: book)
        }
    }

    @Test("one command cannot write a cell twice")
    func twice() throws {
        let parser = ScoreParser(try builtIn("rounds"))
        #expect(throws: RuleViolation.writtenTwice(Symbol(known: "round"), round: 1)) {
            try parser.scores(["1", "round.1=2"], for: player(1), in: Table("Ann").book)
        }
    }

    @Test(
        "row names may be shortened if they are unambiguous",
        arguments: [
            ("birds", "birds"), ("BIRDS", "birds"), ("bi", "birds"), ("bird cards", "birds"),
            ("bon", "bonus"), ("goal", "goal"), ("goals", "goals"), ("all", "goals"),
        ]
    )
    func shortened(text: String, id: String) throws {
        let parser = ScoreParser(try Sheet(json: wide))
        #expect(try parser.row(RowReference(text)).id.description == id)
    }

    @Test("ambiguous, unknown and missing rows are rejected with the candidates")
    func candidates() throws {
        let parser = ScoreParser(try Sheet(json: wide))
        let all = ["birds", "bonus", "goal", "goals"]
        func refusal(_ text: String) -> RuleViolation? {
            #expect(throws: RuleViolation.self) {
                try parser.scores([text], for: player(1), in: Table("Ann").book)
            }
        }
        #expect(refusal("b=1")?.candidates == ["birds", "bonus"])
        #expect(refusal("b=1")?.description == "“b” could be any of: birds, bonus")
        #expect(refusal("eggs=1")?.candidates == all)
        #expect(refusal("1")?.candidates == all)
        #expect(
            refusal("birds=101")?.description == "birds takes a whole number from 0 to 100, not 101"
        )
    }

    @Test("a cell name without a value needs its round")
    func named() throws {
        let parser = ScoreParser(try builtIn("rounds"))
        let cell = Cell(player: player(1), row: Symbol(known: "round"), round: 3)
        #expect(try parser.cell("r.3", of: player(1)) == cell)
        #expect(try parser.cell(".3", of: player(1)) == cell)
        #expect(throws: RuleViolation.roundMissing(row: cell.row)) {
            try parser.cell("round", of: player(1))
        }
    }

    @Test(
        "the digits of any script are digits",
        arguments: [("٤٢", 42), ("４２", 42), ("－４＋７", 3), ("१२+7", 19)]
    )
    func digits(text: String, number: Points) throws {
        #expect(ScoreParser.isScore(text))
        let rounds = try builtIn("rounds")
        let book = Table("Ann").book
        let scores = try ScoreParser(rounds).scores(["round.٣=\(text)"], for: player(1), in: book)
        #expect(scores.map(\.cell.round) == [3])
        #expect(scores.first.flatMap { rounds.rows[0].count(of: $0.value) } == number)
    }

    @Test("a score is distinguished from the name of a player")
    func scoreOrName() {
        for text in ["42", "2.5", "2,5", "-3", "12+7", "birds=50", "x="] {
            #expect(ScoreParser.isScore(text))
        }
        for name in ["Ann", "Ann-Marie", "3 Musketeers", "", "–"] {
            #expect(!ScoreParser.isScore(name))
        }
    }

    @Test("options are parsed, abbreviated, and rejected with a message")
    func options() throws {
        let parser = ScoreParser(try builtIn("rounds"))
        func read(_ text: String) throws -> String {
            let option = try parser.option(text)
            return "\(option.name) \(option.value)"
        }
        #expect(try read("wins=low") == "wins \(Value.text("lowest"))")
        #expect(try read("TARGET=50+50") == "target \(Value.integer(100))")
        #expect(try read("target=default") == "target \(Value.null)")
        #expect(
            throws: RuleViolation.unknownOption(
                "x",
                candidates: [
                    Symbol(known: "wins"), Symbol(known: "target"), Symbol(known: "halves"),
                ]
            )
        ) {
            try parser.option("x=1")
        }
        for (text, words) in [
            ("wins=most", "wins takes highest, lowest, not “most”"),
            ("target=0", "target takes a whole number of at least 1, not “0”"),
            ("target", "target takes a whole number of at least 1, not “”"),
        ] {
            let refusal = #expect(throws: RuleViolation.self) { try parser.option(text) }
            #expect(refusal?.description == words)
        }
    }

    @Test("the rules reject unknown and removed players, finished games and moves")
    func rules() throws {
        let rules = try builtIn("points").rules
        var table = Table("Ann", "Bob")
        let score = Score(table.cell(1, "points"), .integer(1))
        try rules.check(score, in: table.book)
        try rules.check(Score(score.cell, .null), in: table.book)
        #expect(throws: RuleViolation.notANumber(row: score.cell.row, found: "yes")) {
            try rules.check(Score(score.cell, .boolean(true)), in: table.book)
        }
        #expect(throws: RuleViolation.unknownPlayer(player(7))) {
            try rules.check(Score(table.cell(7, "points"), .integer(1)), in: table.book)
        }
        #expect(throws: RuleViolation.noMoves(game: "Points")) {
            var aids = MoveContext(random: SeededGenerator(seed: 1))
            _ = try rules.play(Move(["e4"]), in: table.book, with: &aids)
        }
        table.remove(1)
        #expect(throws: RuleViolation.removedPlayer(name: "Ann")) {
            try rules.check(score, in: table.book)
        }
        table.isFinished = true
        #expect(throws: RuleViolation.finished) {
            try rules.check(Score(table.cell(2, "points"), .integer(1)), in: table.book)
        }
    }
}
