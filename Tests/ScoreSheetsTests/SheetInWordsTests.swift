import ScoreSheets
import SessionCRDT
import Testing

@Suite("A sheet in words")
struct SheetInWordsTests {
    private static let every = """
        {"id": "all", "name": "All", "players": {"from": 1, "to": 5},
         "rows": [
           {"id": "plain", "label": "Plain", "kind": "number", "aliases": ["pl"]},
           {"id": "coins", "label": "Coins", "kind": "number", "range": {"from": 0}, "per": 3},
           {"id": "sheep", "label": "Sheep", "kind": "number", "range": {"from": 0, "to": 99},
            "table": [-1, 1, 2], "empty": 0},
           {"id": "loans", "label": "Loans", "kind": "number", "factor": -11},
           {"id": "goals", "label": "Goals", "kind": "rounds", "last": 4,
            "places": [5, 2, {"option": "third"}]},
           {"id": "shields", "label": "Shields", "kind": "tokens", "tokens": [-1, 1, 3]},
           {"id": "first", "label": "First", "kind": "flag", "points": 2},
           {"id": "supremacy", "label": "Supremacy", "kind": "flag", "wins": true},
           {"id": "house", "label": "House", "kind": "choice",
            "choices": [{"word": "wood"}, {"word": "stone", "points": 2}]},
           {"id": "card", "label": "Card", "kind": "order", "words": ["a", "b"],
            "presets": [["a", "b"]]},
           {"id": "note", "label": "Note", "kind": "text"},
           {"id": "a", "label": "A", "kind": "number", "scores": false},
           {"id": "b", "label": "B", "kind": "number", "scores": false,
            "when": {"option": "sea"}},
           {"id": "sum", "label": "Sum", "kind": "sum", "of": ["a", "b"], "factor": 2},
           {"id": "product", "label": "Product", "kind": "product", "of": ["a", "b"]},
           {"id": "science", "label": "Science", "kind": "sets", "of": ["a", "b"],
            "wild": "plain", "set": 7},
           {"id": "island", "label": "Island", "kind": "drop", "of": ["a", "b"], "order": "card",
            "values": [{"complete": 10, "else": 5}, 2]}
         ],
         "options": [{"name": "third", "kind": "integer", "default": 1},
                     {"name": "sea", "kind": "boolean", "default": false}],
         "wins": "lowest",
         "tieBreakers": [{"row": "a"}, {"row": "b", "wins": "lowest"}]}
        """

    @Test("describes entries and points of every kind of row")
    func rows() throws {
        let sheet = try Sheet(json: Self.every)
        #expect(
            sheet.rows.map { "\($0.id): \(sheet.words(for: $0))" } == [
                "plain: a whole number; also typed as pl",
                "coins: a whole number of at least 0; 1 for each 3, rounded down",
                "sheep: a whole number from 0 to 99; 0, 1, 2… count as -1 1 2; left empty it "
                    + "counts as 0",
                "loans: a whole number; times -11",
                "goals: a whole number for each round, at most 4 rounds; the players are ranked "
                    + "by it and get 5, 2, 1 (option third), who share a place share the points",
                "shields: a total, or tokens of -1, 1, 3",
                "first: yes or no; a yes is worth 2",
                "supremacy: yes or no; a yes wins at once",
                "house: one of wood, stone (2)",
                "card: the order of a, b; the beginning of a usual one is enough",
                "note: a text",
                "a: a whole number; adds nothing to the total",
                "b: a whole number; adds nothing to the total; only with sea=yes",
                "sum: worked out: the sum of a, b; times 2",
                "product: worked out: the product of a, b",
                "science: worked out: the squares of a, b, and 7 for each set of all; each of "
                    + "plain counts where it helps most",
                "island: worked out: a, b without the one that there is most of, each worth "
                    + "10 (5 unless there is one of each), 2 by its place in card",
            ]
        )
    }

    @Test("describes the owners of fields, and all checks of rounds")
    func fields() throws {
        let sheet = try builtIn("wizard")
        let words = sheet.rows.map { sheet.words(for: $0) }
        #expect(words[0] == "a whole number from 0 to 20; a field of round")
        #expect(words[2].ranges(of: "of each round: ").count == 1)
        #expect(words[2].contains("of each round: “"))
    }

    @Test("describes who wins, the end and tie-breakers")
    func rules() throws {
        #expect(
            try Sheet(json: Self.every).ruleSummary == [
                "The lowest total wins.",
                "Of equal totals the most in “A”, then the least in “B” decides; else they share "
                    + "the place.",
            ]
        )
        #expect(
            try builtIn("points").ruleSummary == [
                "The highest total wins, unless wins is set otherwise.",
                "With target set, the game ends as soon as a player has that total.",
                "Equal totals share the place.",
            ]
        )
        #expect(
            try builtIn("rounds").ruleSummary[1]
                == "With target set, the game ends when a round is complete and a player has that "
                + "total."
        )
        #expect(
            try builtIn("molkky").ruleSummary[1]
                == "The game ends as soon as a player has 50, or what target is set to."
        )
        #expect(
            try builtIn("phase-10").ruleSummary[0]
                == "The most in “Phases”, then the lowest total wins."
        )
        #expect(
            try builtIn("golf").ruleSummary[0]
                == "The lowest total wins with scoring=strokes, else the highest."
        )
    }

    @Test("describes every built-in sheet as the sheet defines it")
    func sources() throws {
        for sheet in SheetLibrary.builtIn.sheets {
            let source = try #require(SheetLibrary.builtInSource(of: sheet.id))
            #expect(try Sheet(json: source) == sheet)
        }
        #expect(try SheetLibrary.builtInSource(of: Sheet(json: Self.every).id) == nil)
    }

    @Test("uses the chosen options if they are valid, else the defaults")
    func settings() throws {
        let sheet = try builtIn("points")
        let players = Table("Ann").players
        func values(_ options: [Symbol: Value]) -> [Value] {
            let book = Book(players: players, cells: [:], options: options)
            return sheet.settings(of: book).map(\.value)
        }
        let (wins, target) = (sheet.options[0].name, sheet.options[1].name)
        #expect(values([:]) == [.text("highest"), .null, .boolean(false)])
        #expect(
            values([wins: .text("lowest"), target: .integer(5)])
                == [.text("lowest"), .integer(5), .boolean(false)]
        )
        #expect(
            values([wins: .text("x"), target: .integer(0)])
                == [.text("highest"), .null, .boolean(false)]
        )
    }
}
