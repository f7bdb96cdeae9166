import ScoreSheets
import SessionCRDT
import Testing

@Suite("Container")
struct ContainerTests {
    @Test(
        "the computed scores with the first card",
        arguments: [
            ("white=2 orange=3 tan=1 brown=1 black=1 cash=12 harbour=2 ship=1 loans=1", 40),
            ("white=3 orange=2 tan=0 brown=1 black=0 cash=20", 34),
            ("white=2 orange=2 tan=2 cash=7 harbour=1 ship=5 loans=2", 34),
            ("cash=3 loans=2", -19),
            ("bank=2 factory=9", 6),
        ] as [(String, Points)]
    )
    func computed(words: String, expected: Points) throws {
        let sheet = try builtIn("container")
        #expect(try total(sheet, "card=white " + words) == expected)
    }

    @Test("the cards of the first edition are known by their first colour")
    func cards() throws {
        let sheet = try builtIn("container")
        let cards = [
            "white orange tan brown black", "brown black white orange tan",
            "black white orange tan brown", "orange tan brown black white",
            "tan brown black white orange",
        ]
        for card in cards {
            let first = try #require(card.split(separator: " ").first)
            var table = Table("Ann")
            try table.score(1, "card=\(first)", by: sheet)
            #expect(table.cells[table.cell(1, "card")]?.winner.value == .text(card))
        }
        var table = Table("Ann")
        try table.score(1, "CARD=t,w,br,bl,o", by: sheet)
        let card = table.cells[table.cell(1, "card")]?.winner.value
        #expect(card == .text("tan white brown black orange"))
        for wrong in ["card=b", "card=red", "card=tan,white", "card=tan,tan,white,brown,black"] {
            #expect(
                try refusal(sheet, wrong)?.hasPrefix(
                    "card takes the order of white, orange, tan, brown, black, not “"
                ) == true
            )
        }
    }

    @Test("of equally common colours the one with two values is discarded, else the cheapest")
    func drops() throws {
        let sheet = try builtIn("container")
        // The order is white 10, orange 5 since not all are there, tan 6, brown 4, black 2.
        #expect(try total(sheet, "card=white white=2 orange=2") == 20)
        #expect(try total(sheet, "card=white white=2 tan=2 brown=2 black=1") == 34)
        // With all five there orange is worth 10 and still goes before cheaper ones.
        #expect(try total(sheet, "card=white white=1 orange=2 tan=1 brown=1 black=2") == 24)
    }

    @Test("a player may choose which of equally common colours is discarded, and no other")
    func override() throws {
        let sheet = try builtIn("container")
        #expect(try total(sheet, "card=white white=2 tan=2 brown=2 black=1 drop=tan") == 30)
        #expect(
            try refusal(sheet, "card=white white=2 tan=2 drop=black")
                == "drop takes one of the most frequent, white, tan, not black"
        )
        // A device that was apart may have written other counts.
        var table = Table("Ann")
        try table.score(1, "card=white white=2 tan=2 drop=tan", by: sheet)
        table.write(1, "drop", to: .text("black"))
        let standings = sheet.rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 20 1"])
        #expect(
            standings.flags.map { $0.words(in: table.book) }
                == ["Ann, drop: drop takes one of the most frequent, white, tan, not black"]
        )
    }

    @Test("a choice that is not among the most frequent is refused before the card is entered, too")
    func overrideWithoutCard() throws {
        let sheet = try builtIn("container")
        let reason = "drop takes one of the most frequent, white, not black"
        #expect(try refusal(sheet, "white=3 black=1 drop=black") == reason)
        let early = "drop takes one of the most frequent, and nothing can be dropped yet"
        #expect(try refusal(sheet, "drop=black") == early)
        var table = Table("Ann")
        try table.score(1, "white=3 black=1", by: sheet)
        #expect(throws: RuleViolation.self) { try table.score(1, "drop=black", by: sheet) }
        try table.score(1, "drop=white", by: sheet)
        table.write(1, "drop", to: .text("black"))
        let flags = sheet.rules.standings(of: table.book).flags
        #expect(flags.map { $0.words(in: table.book) } == ["Ann, drop: " + reason])
        table.write(1, "white", to: .integer(1))
        #expect(sheet.rules.standings(of: table.book).flags.isEmpty)
    }

    @Test("without a card the island has no value yet, and it is never entered")
    func island() throws {
        let sheet = try builtIn("container")
        #expect(try total(sheet, "white=5 cash=1") == 1)
        #expect(
            try refusal(sheet, "island=12")
                == "island is computed; enter white, orange, tan, brown, black, card, drop"
                + " instead"
        )
        var table = Table("Ann", "Bob", "Cid")
        table.write(1, "island", to: .integer(99))
        let standings = sheet.rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 0 -", "Bob 0 -", "Cid 0 -"])
        #expect(standings.flags.count == 1)
        #expect(standings.notes.isEmpty)
        try table.score(1, "white=5 black=0", by: sheet)
        let needed = sheet.rules.standings(of: table.book).told
        #expect(needed == ["Ann: enter card, or island is worth nothing"])
        try table.score(1, "card=white", by: sheet)
        #expect(sheet.rules.standings(of: table.book).notes.isEmpty)
    }

    @Test("two loans at most, and the most containers in the factory store break ties")
    func limits() throws {
        let sheet = try builtIn("container")
        #expect(
            try refusal(sheet, "loans=3") == "loans takes a whole number from 0 to 2, not 3"
        )
        var table = Table("Ann", "Bob", "Cid")
        try table.score(1, "cash=9 factory=2", by: sheet)
        try table.score(2, "cash=9 factory=3", by: sheet)
        try table.score(3, "cash=9 factory=3", by: sheet)
        #expect(lines(sheet.rules.standings(of: table.book)) == ["Ann 9 3", "Bob 9 1", "Cid 9 1"])
    }
}
