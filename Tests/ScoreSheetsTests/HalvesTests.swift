import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Half points")
struct HalvesTests {
    private static let yes: [Symbol: Value] = [Symbol(known: "halves"): .boolean(true)]

    private static func table(_ names: [String], _ options: [Symbol: Value] = yes) -> Table {
        var table = Table()
        for (index, name) in names.enumerated() {
            table.players.append(Player(id: player(UInt64(index + 1)), name: name))
        }
        table.options = options
        return table
    }

    /// Writes what is typed, as far as the rules let it.
    private func enter(
        _ typed: String...,
        for number: UInt64,
        on sheet: Sheet,
        _ table: inout Table
    ) throws {
        let scores = try ScoreParser(sheet).scores(typed, for: player(number), in: table.book)
        try sheet.rules.game(of: table.book).check(scores, in: table.book)
        for score in scores { table.write(score.cell, to: score.value) }
    }

    private func refused(_ typed: String, on sheet: Sheet, _ table: Table) -> String? {
        refusal { () throws(RuleViolation) in
            _ = try ScoreParser(sheet).scores([typed], for: player(1), in: table.book)
        }
    }

    // MARK: Numbers

    @Test(
        "numbers are typed with a point, a comma or ½, in any script",
        arguments: [
            ("2.5", .text("2.5"), "2.5"), ("2,5", .text("2.5"), "2.5"), ("2½", .text("2.5"), "2.5"),
            ("½", .text("0.5"), "0.5"), (".5", .text("0.5"), "0.5"),
            ("-2.5", .text("-2.5"), "-2.5"),
            ("\u{2212}0,5", .text("-0.5"), "-0.5"), ("3.0", .integer(3), "3"),
            ("٢٫٥", .text("2.5"), "2.5"), ("２．５", .text("2.5"), "2.5"), ("12", .integer(12), "12"),
            ("2.5+3", .text("2.5+3"), "5.5"), ("3x2,5-½", .text("3x2.5-0.5"), "7"),
            ("1x2.5", .text("2.5"), "2.5"), ("0.5+0.5", .text("0.5+0.5"), "1"),
            ("4503599627370495.5", .text("4503599627370495.5"), "4503599627370495.5"),
        ] as [(String, Value, String)]
    )
    func typed(text: String, value: Value, number: String) throws {
        let sheet = try builtIn("points")
        let book = Self.table(["Ann"]).book
        #expect(ScoreParser.isScore(text))
        let scores = try ScoreParser(sheet).scores([text], for: player(1), in: book)
        #expect(scores.map(\.value) == [value])
        #expect(sheet.rows[0].count(of: value).map { "\($0)" } == number)
        // What is stored is read again as it is.
        let again = try ScoreParser(sheet).scores([value.typed], for: player(1), in: book)
        #expect(again.map(\.value) == [value])
    }

    @Test(
        "other fractions are refused",
        arguments: [
            "2.7", "2.50", "1,000", "2.", "2..5", "2.5.5", "2½½", "2.5x3", "x½", "0x0.5",
            "1e-1",
        ]
    )
    func otherFractions(text: String) throws {
        let sheet = try builtIn("points")
        #expect(
            refused(text, on: sheet, Self.table(["Ann"]))
                == "points takes a number, halves too, not “\(text)”"
        )
    }

    @Test("numbers beyond those whose halves a total can hold are refused")
    func tooLarge() throws {
        let sheet = try builtIn("points")
        for (text, shown) in [
            ("4503599627370496", "4503599627370496"), ("-4503599627370496", "-4503599627370496"),
            ("4503599627370495.5+0.5", "“4503599627370495.5+0.5”"),
        ] {
            #expect(
                refused(text, on: sheet, Self.table(["Ann"]))
                    == "points takes a number from -4503599627370495.5 to 4503599627370495.5, "
                    + "halves too, not \(shown)"
            )
        }
    }

    @Test("without the option, and in rows without halves, a half is refused as ever")
    func elsewhere() throws {
        let points = try builtIn("points")
        for text in ["2.5", "2,5", "2½", "2.5+0.5", "3.0"] {
            #expect(
                refused(text, on: points, Self.table(["Ann"], [:]))
                    == "points takes a whole number, not “\(text)”; for half points: scorectl "
                    + "session option halves=yes"
            )
        }
        let quiz = try builtIn("quiz-night")
        var options = Self.yes
        options[Symbol(known: "jokers")] = .boolean(true)
        let table = Self.table(["Owls", "Bats"], options)
        #expect(
            refused("joker=2.5", on: quiz, table) == "joker takes a whole number, not “2.5”"
        )
        #expect(
            refused("round.1=1000.5", on: quiz, table)
                == "round takes a number from -100 to 1000, halves too, not “1000.5”"
        )
        for sheet in SheetLibrary.builtIn.sheets where sheet.gameEngine == .rows {
            for row in sheet.rows(of: table.book) where row.isNumeric && row.halves == nil {
                #expect((try? row.value(of: "2.5")) == nil, "\(sheet.id) \(row.id)")
            }
        }
    }

    @Test("a half that comes where none is taken does not count and is flagged")
    func flagged() throws {
        var table = Self.table(["Ann"], [:])
        table.write(1, "points", to: .text("2.5"))
        let standings = try builtIn("points").rules.standings(of: table.book)
        #expect(standings.players[0].total == 0)
        #expect(
            standings.flags.map { $0.words(in: table.book) }
                == ["Ann, points: points takes a whole number, not “2.5”"]
        )
        table.options = Self.yes
        #expect(try builtIn("points").rules.standings(of: table.book).players[0].total.halves == 5)
    }

    @Test("any number of halves is printed and read back", arguments: Seeds.below(200))
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let most = Value.largestInteger
        let points = Points(
            halves: seed % 2 == 0
                ? Int64.random(in: -40...40, using: &generator)
                : Int64.random(in: -most...most, using: &generator)
        )
        #expect(Points(points.value) == points)
        #expect(Points(typed: "\(points)") == points)
        #expect(Points(typed: "\(points)".replacingPoint) == points)
        #expect(Double("\(points)") == Double(points.halves) / 2)
    }

    @Test("a stored number has one spelling", arguments: ["02.5", "+2.5", "2.50", "2,5", " 2.5"])
    func spelling(text: String) { #expect(Points(.text(text)) == nil) }

    // MARK: Games

    @Test("quiz night with jokers and halves: rounds, a bonus, and a guess that settles a tie")
    func quiz() throws {
        let sheet = try builtIn("quiz-night")
        var options = Self.yes
        options[Symbol(known: "jokers")] = .boolean(true)
        var table = Self.table(["Owls", "Bats", "Cats"], options)
        try enter("joker=2", "round.1=7.5", "round.2=6,5", for: 1, on: sheet, &table)
        try enter("joker=1", "round.1=8.5", "round.2=3", "bonus=½", for: 2, on: sheet, &table)
        try enter("joker=3", "round.1=9", "round.2=9.5", "bonus=-0.5", for: 3, on: sheet, &table)
        // 7.5 + 2 × 6.5, 2 × 8.5 + 3 + 0.5, 9 + 9.5 - 0.5
        var standings = sheet.rules.standings(of: table.book)
        #expect(lines(standings) == ["Owls 20.5 1", "Bats 20.5 1", "Cats 18 3"])
        #expect(standings.players[0].tieBreak == "tied at 20.5, Guess off by 0, shared")
        try enter("off=12.5", for: 1, on: sheet, &table)
        try enter("off=12", for: 2, on: sheet, &table)
        standings = sheet.rules.standings(of: table.book)
        #expect(lines(standings) == ["Owls 20.5 2", "Bats 20.5 1", "Cats 18 3"])
        #expect(standings.players[0].tieBreak == "tied at 20.5, Guess off by 12.5")
        let cells = standings.players[0].cells.map { "\($0.count ?? 0) \($0.points ?? 0)" }
        #expect(cells == ["2 0", "7.5 7.5", "6.5 13", "12.5 0"])
    }

    @Test("a target is reached by a half more than needed, and not by a half less")
    func target() throws {
        let sheet = try builtIn("rounds")
        var options = Self.yes
        options[Symbol(known: "target")] = .integer(12)
        var table = Self.table(["Ann", "Bob"], options)
        try enter("5.5", "6", for: 1, on: sheet, &table)
        try enter("5", "5", for: 2, on: sheet, &table)
        #expect(!sheet.rules.standings(of: table.book).isFinished)
        try enter("round.2=7", for: 1, on: sheet, &table)
        let standings = sheet.rules.standings(of: table.book)
        #expect(standings.isFinished)
        #expect(standings.players[0].total.halves == 25)
        #expect(standings.told.first == "Ann reached 12")
    }

    @Test("who starts with halves, and a total out of range, is told in halves")
    func startAndRange() throws {
        let sheet = try builtIn("rounds")
        var table = Self.table(["Ann"])
        let half = Points(halves: 5)
        table.players[0] = Player(id: player(1), name: "Ann", start: half)
        try sheet.rules.check(start: half, in: table.book)
        try enter("1", for: 1, on: sheet, &table)
        #expect(lines(sheet.rules.standings(of: table.book)) == ["Ann 3.5 1"])
        #expect(sheet.rules.standings(of: table.book).told == ["Ann started with 2.5"])
        #expect(throws: RuleViolation.self) {
            try sheet.rules.check(start: half, in: Self.table(["Ann"], [:]).book)
        }
        try enter("4503599627370495.5", for: 1, on: sheet, &table)
        let standings = sheet.rules.standings(of: table.book)
        #expect("\(standings.players[0].total)" == "4503599627370495.5")
        #expect(
            standings.flags.map { $0.words(in: table.book) } == [
                "Ann: the total is beyond ±4503599627370495.5 and limited to that"
            ]
        )
    }

    @Test("statistics, results and the history of totals have halves")
    func statistics() throws {
        let sheet = try builtIn("rounds")
        var table = Self.table(["Ann", "Bob"])
        try enter("2.5", "3", for: 1, on: sheet, &table)
        try enter("4", "1", for: 2, on: sheet, &table)
        table.isFinished = true
        let outcomes = sheet.rules.standings(of: table.book).outcomes.flatMap(\.players)
        #expect(outcomes.map { "\($0.total)" } == ["5.5", "5"])
        #expect(Statistic.general(of: outcomes).map(\.text) == ["2", "1", "5.5", "5", "5.25"])
        let history = ScoreHistory(of: table.book, by: sheet)
        #expect(history.players[0].totals.map { "\($0)" } == ["0", "2.5", "5.5"])
    }

    @Test("formulas are exact in halves; a product is rounded down to a half, a quotient to one")
    func formulas() throws {
        let formulas: KeyValuePairs = [
            "a + b": "8", "a - 2 * b": "-2.5", "a * b": "15.5", "a / b": "1", "b / 3": "1",
            "0 - a / 2": "-2", "mod(a, b)": "1", "mod(a, 1)": "0.5", "a > 4": "1", "not a": "0",
            "if(a = b, 1, b)": "3.5", "max(a, 4)": "4.5", "min(a, b, 4)": "3.5", "abs(b - a)": "1",
            "pick(b, 1, 2, a)": "4.5", "players * a": "4.5", "flag * a": "4.5",
            "a * flag + total(b)": "8", "most(a) * rank(a)": "4.5", "count(a)": "1",
            "a and b": "1", "highest(r) + lowest(r)": "3.5", "zeros(r) * a": "4.5", "r": "4",
            "house = 'clay'": "1", "house * 2": "4",
        ]
        for (formula, result) in formulas {
            let sheet = try Sheet(
                json: """
                    {"id": "f", "name": "F", "rows": [
                      {"id": "a", "label": "A", "kind": "number", "halves": true, "scores": false},
                      {"id": "b", "label": "B", "kind": "number", "halves": true, "scores": false},
                      {"id": "r", "label": "R", "kind": "rounds", "halves": true, "scores": false},
                      {"id": "flag", "label": "Flag", "kind": "flag", "scores": false},
                      {"id": "house", "label": "House", "kind": "choice", "scores": false,
                       "choices": [{"word": "clay", "points": 2}]},
                      {"id": "f", "label": "F", "kind": "formula", "formula": "\(formula)"}]}
                    """
            )
            var table = Self.table(["Ann"], [:])
            try enter(
                "a=4.5",
                "b=3.5",
                "r=3.5",
                "r=0",
                "r=0.5",
                "flag=yes",
                "house=clay",
                for: 1,
                on: sheet,
                &table
            )
            let standings = sheet.rules.standings(of: table.book)
            #expect("\(standings.players[0].total)" == result, "\(formula)")
        }
    }

    @Test(
        "the steps from a number to points see whole numbers, rounded down; a ranking sees halves"
    )
    func steps() throws {
        let sheet = try Sheet(
            json: """
                {"id": "s", "name": "S", "rows": [
                  {"id": "plain", "label": "P", "kind": "number", "halves": true, "factor": 3},
                  {"id": "per", "label": "P", "kind": "number", "halves": true, "per": 2},
                  {"id": "table", "label": "T", "kind": "number", "halves": true,
                   "table": [0, 1, 3, 6]},
                  {"id": "steps", "label": "S", "kind": "number", "halves": true,
                   "steps": [{"from": 3, "points": 10}]},
                  {"id": "ranked", "label": "R", "kind": "number", "halves": true,
                   "places": [5, 2]},
                  {"id": "all", "label": "A", "kind": "sum", "of": ["plain", "per"]},
                  {"id": "tokens", "label": "T", "kind": "tokens", "tokens": [1, 3]},
                  {"id": "flag", "label": "F", "kind": "flag", "points": 4},
                  {"id": "none", "label": "N", "kind": "number", "empty": 7}]}
                """
        )
        var table = Self.table(["Ann", "Bob"], [:])
        try enter(
            "plain=2.5",
            "per=5.5",
            "table=2.5",
            "steps=2.5",
            "ranked=1.5",
            "tokens=3+1",
            "flag=yes",
            for: 1,
            on: sheet,
            &table
        )
        try enter("steps=3", "ranked=1", for: 2, on: sheet, &table)
        let standings = sheet.rules.standings(of: table.book)
        let cells = standings.players.map { $0.cells.map { "\($0.points ?? -1)" } }
        #expect(cells == [["7.5", "2", "3", "0", "5", "4", "4"], ["10", "2"]])
        let computed = standings.players.map { $0.computed.map { "\($0.row) \($0.points)" } }
        #expect(computed == [["all 8", "none 7"], ["none 7"]])
        #expect(standings.players.map { "\($0.total)" } == ["40.5", "19"])
    }

    @Test("partners add halves")
    func partners() throws {
        let sheet = try Sheet(
            json: """
                {"id": "p", "name": "P", "teams": "together", "rows": [
                  {"id": "round", "label": "R", "kind": "rounds", "halves": true,
                   "partners": "add"}]}
                """
        )
        var table = Table()
        for number in 1...UInt64(2) {
            table.players.append(Player(id: player(number), name: "P\(number)", team: "Reds"))
        }
        try enter("2.5", for: 1, on: sheet, &table)
        try enter("round.1=3", for: 2, on: sheet, &table)
        let game = sheet.rules.game(of: table.book)
        let standings = game.standings(of: table.book)
        #expect(lines(standings) == ["P1 5.5 1", "P2 5.5 1"])
        let remark = game.remark(on: table.cell(1, "round", 1))
        #expect(remark?.text == "Reds together: R 1 = 5.5")
    }

    // MARK: Laws

    @Test(
        "halves entered on three laptops agree with floating-point numbers",
        arguments: Seeds.below(60)
    )
    func replicas(seed: UInt64) throws {
        let sheet = try builtIn("quiz-night")
        var generator = SeededGenerator(seed: seed)
        var laptops = (1...UInt64(3)).map { Replica($0, sheet) }
        for number in 1...UInt64(3) {
            laptops[0].write(Mutation.add(player(number), name: "P\(number)"))
        }
        laptops[0].choose(Symbol(known: "halves"), .boolean(true))
        laptops[0].choose(Symbol(known: "jokers"), .boolean(true))
        for index in 1...2 { laptops[index].merge(laptops[0], using: &generator) }
        var model: [UInt64: (joker: Int, rounds: [Double], bonus: Double)] = [:]
        for number in 1...UInt64(3) {
            let joker = Int.random(in: 1...4, using: &generator)
            let rounds = (0..<4).map { _ in
                Double(Int.random(in: -10...40, using: &generator)) / 2
            }
            let bonus = Double(Int.random(in: -5...5, using: &generator)) / 2
            model[number] = (joker, rounds, bonus)
            var typed = rounds.enumerated().map { "round.\($0 + 1)=\($1)" }
            typed += ["bonus=\(bonus)".replacingPoint, "joker=\(joker)"]
            for text in typed.shuffled(using: &generator) {
                let laptop = Int.random(in: 0..<3, using: &generator)
                let book = laptops[laptop].board.book
                let scores = try ScoreParser(sheet).scores([text], for: player(number), in: book)
                laptops[laptop].write(scores.flatMap { Mutation.score($0.cell, $0.value) })
                if Int.random(in: 0..<3, using: &generator) == 0 {
                    laptops[(laptop + 1) % 3].merge(laptops[laptop], using: &generator)
                }
            }
        }
        for _ in 0..<2 {
            for index in 0..<3 {
                for other in laptops { laptops[index].merge(other, using: &generator) }
            }
        }
        let totals = try (1...UInt64(3)).map { number in
            let (joker, rounds, bonus) = try #require(model[number])
            return rounds.reduce(bonus + rounds[joker - 1], +)
        }
        for laptop in laptops {
            let standings = try #require(laptop.board.standings)
            #expect(standings.players.map { Double($0.total.halves) / 2 } == totals)
            #expect(standings == laptop.fromScratch.standings)
            let ranks = totals.map { own in 1 + totals.count { $0 > own } }
            #expect(standings.players.map(\.rank) == ranks)
        }
    }

    @Test(
        "whole numbers are worth the same in a sheet that takes halves",
        arguments: SheetLibrary.builtIn.sheets.filter { $0.gameEngine == .rows }
    )
    func wholeNumbers(sheet: Sheet) throws {
        let json = try sheet.json
        var variants: [Sheet] = []
        for kind in ["\"kind\":\"number\"", "\"kind\":\"rounds\""] {
            for place in json.ranges(of: kind) {
                var other = json
                other.replaceSubrange(place, with: kind + ",\"halves\":true")
                if let variant = try? Sheet(json: other) { variants.append(variant) }
            }
        }
        for seed in Seeds.below(6) {
            for (number, variant) in variants.enumerated() {
                var garbage = Garbage(seed: seed * 100 + UInt64(number), sheet)
                let pieces = garbage.pieces()
                // Totals that are cut are cut at other numbers.
                let cells = pieces.cells.filter { $0.1.entries.allSatisfy(isSmall) }
                let book = pieces.book(cells: cells, options: pieces.options)
                let one = sheet.rules.standings(of: book)
                let other = variant.rules.standings(of: book)
                let place = "seed \(seed), variant \(number) of \(sheet.id)"
                #expect(one.players == other.players, "\(place)")
                #expect(one.teams == other.teams, "\(place)")
                #expect(one.outcomes == other.outcomes, "\(place)")
                #expect(one.isFinished == other.isFinished, "\(place)")
                #expect(one.flags.map(\.subject) == other.flags.map(\.subject), "\(place)")
            }
        }
    }

    private func isSmall(_ entry: Entry) -> Bool {
        switch entry.value {
        case .integer(let number): number.magnitude < 1_000_000
        case .text(let text): text.string.utf8.count < 60 && !text.string.contains("99999")
        case .null, .boolean, .foreign: true
        }
    }

    // MARK: Sheets

    @Test("the field of a row is kept, and read as yes, an option or a choice of options")
    func coding() throws {
        func sheet(_ halves: String) throws -> Sheet {
            try Sheet(
                json: """
                    {"id": "x", "name": "X", "rows": [{"id": "a", "label": "A", "kind": "number",
                      "halves": \(halves)}],
                     "options": [{"name": "half", "kind": "boolean", "default": true},
                                 {"name": "n", "kind": "integer"}]}
                    """
            )
        }
        let book = Table("Ann").book
        for (halves, isOn) in [
            ("true", true), ("false", false), (#"{"option": "half"}"#, true),
            (#"{"when": {"option": "n"}, "is": true}"#, false),
        ] {
            let sheet = try sheet(halves)
            #expect(try Sheet(json: sheet.json) == sheet)
            #expect(sheet.rows(of: book)[0].accepted.takesHalves == isOn, "\(halves)")
        }
        for (halves, flaw) in [
            (#"{"option": "n"}"#, "the option n is not yes or no"),
            (#"{"option": "m"}"#, "there is no option m; did you mean half?"),
        ] {
            do {
                _ = try sheet(halves)
                Issue.record("\(halves) was read")
            } catch { #expect("\(error)".contains(flaw.prefix(22)), "\(error)") }
        }
    }

    @Test(
        "a sheet that multiplies halves otherwise than by formulas is refused",
        arguments: [
            (
                #"{"id": "p", "label": "P", "kind": "product", "of": ["a", "b"]}"#,
                "rows[2].of: a may have halves; a product counts whole numbers"
            ),
            (
                #"{"id": "f", "label": "F", "kind": "formula", "formula": "b + a"},"#
                    + #"{"id": "p", "label": "P", "kind": "product", "of": ["b", "f"]}"#,
                "rows[3].of: f may have halves; a product counts whole numbers"
            ),
            (
                #"{"id": "c", "label": "C", "kind": "number", "halves": true,"#
                    + #" "range": {"from": 0, "step": 5}}"#,
                "rows[2].halves: not with “step”"
            ),
            (
                #"{"id": "c", "label": "C", "kind": "flag", "halves": true}"#,
                "rows[2].halves: a row of the kind flag does not have it; it belongs to rows of the "
                    + "kind number, rounds"
            ),
        ]
    )
    func refusedSheets(row: String, flaw: String) {
        let json = """
            {"id": "x", "name": "X", "rows": [
              {"id": "a", "label": "A", "kind": "number", "halves": true},
              {"id": "b", "label": "B", "kind": "number"}, \(row)]}
            """
        let problems = SheetCheck.problems(in: json).map { "\($0.path): \($0.reason)" }
        #expect(problems == [flaw])
    }

    @Test("a sheet says in words which rows take halves")
    func words() throws {
        let sheet = try builtIn("rounds")
        let row = sheet.rows[0]
        #expect(sheet.words(for: row).contains("halves too with halves=yes"))
        let effective = try #require(sheet.row(row.id, in: Self.table(["Ann"]).book))
        #expect(effective.acceptedValues == "a number, halves too")
    }
}

extension Value {
    /// The text with which it is typed.
    fileprivate var typed: String {
        switch self {
        case .integer(let number): "\(number)"
        case .text(let text): text.string
        case .null, .boolean, .foreign: ""
        }
    }
}

extension String {
    /// The text with a comma for each point.
    fileprivate var replacingPoint: String { split(separator: ".").joined(separator: ",") }
}
