import ScoreSheets
import SessionCRDT
import Testing

/// The facts are those of the rules that dartsmind.com, app.dartscoreboard.link and
/// buddywiser.tripod.com publish, and of the article “Cricket (darts)” of Wikipedia.
@Suite("Cricket: marks, points and winners")
struct CricketTests {
    private static let nothing = "MISS MISS MISS"

    @Test("singles, doubles and triples are one, two and three marks; three close a number")
    func marks() throws {
        var game = try CricketTable("Ann", "Bob")
        #expect(try game.play("20 D19 T18") == ["Ann: 6 marks, closed 18", "Bob to throw"])
        #expect(try game.play("25 BULL 7") == ["Bob: 3 marks, closed bull", "Ann to throw"])
        #expect(game.marks == ["/XO....", "......O"])
        #expect(game.totals == [0, 0])
    }

    @Test("published: a single, a triple and a single 20 close it and score 40")
    func firstRound() throws {
        var game = try CricketTable("Ann", "Bob")
        #expect(try game.play("20 T20 20").first == "Ann: 5 marks, 40 points, closed 20")
        #expect(game.totals == [40, 0])
    }

    @Test("published: with 20 closed a single, double and triple of it are 20, 40 and 60 points")
    func points() throws {
        var game = try CricketTable("Ann", "Bob")
        try game.play(all: "T20 MISS MISS", Self.nothing, "20 D20 T20")
        #expect(game.totals == [120, 0])
    }

    @Test("published: the inner bull is two marks, and each mark of it scores 25")
    func bull() throws {
        var game = try CricketTable("Ann", "Bob")
        #expect(try game.play("BULL BULL 25").first == "Ann: 5 marks, 50 points, closed bull")
    }

    @Test("a number scores only while another player has it open")
    func closed() throws {
        var game = try CricketTable("Ann", "Bob", "Cid")
        try game.play(all: "T20 MISS MISS", "T20 MISS MISS", Self.nothing)
        #expect(try game.play("T20 MISS MISS").first == "Ann: 3 marks, 60 points")
        try game.play(all: Self.nothing, "T20 MISS MISS")
        #expect(try game.play("T20 T20 T20").first == "Ann: 0 marks")
        #expect(game.totals == [60, 0, 0])
    }

    @Test("a player who has closed all wins with at least as many points as the others")
    func end() throws {
        var game = try CricketTable("Ann", "Bob")
        try game.play(all: "T20 T19 T18", "T20 T19 T18", "T17 T16 T15", "T17 T17 MISS")
        #expect(game.totals == [0, 0])
        try game.play(all: Self.nothing, "T16 T15 MISS")
        #expect(try game.play("BULL 25").last == "Ann won the game")
        #expect(game.standings.winners == [player(1)] && game.turn == 0)
    }

    @Test("a player behind with everything closed plays on until level")
    func behind() throws {
        var game = try CricketTable("Ann", "Bob")
        try game.play(all: "T20 T19 T18", "BULL BULL BULL")
        #expect(game.totals == [0, 75])
        try game.play(all: "T17 T16 T15", Self.nothing, "BULL 25 MISS")
        #expect(!game.standings.isFinished && game.standings.leaders == [player(2)])
        try game.play(all: Self.nothing, "T20 MISS MISS", Self.nothing)
        #expect(game.totals == [60, 75])
        #expect(try game.play("15", details: ["darts": "1"]).last == "Ann won the game")
        #expect(game.totals == [75, 75])
        #expect(game.standings.winners == [player(1)])
    }

    @Test("darts after the winning one are rejected, and so is a visit after the end")
    func after() throws {
        var game = try CricketTable("Ann")
        try game.play(all: "T20 T19 T18", "T17 T16 T15")
        let late = "a dart before won the game; leave out the darts after it"
        #expect(game.refusal(of: "BULL 25 20") == late)
        try game.play("BULL 25")
        #expect(
            game.refusal(of: "20 20 20")
                == "Ann has won the game; undo a visit, or begin another with: scorectl session new --again"
        )
        #expect(game.standings.outcomes.first?.players.map(\.isWin) == [false])
    }

    @Test("cut-throat: points go to all others with the number open, and the fewest win")
    func cutThroat() throws {
        var game = try CricketTable("Ann", "Bob", "Cid", variant: "cut-throat")
        try game.play(all: "T20 MISS MISS", "T20 MISS MISS", Self.nothing)
        #expect(try game.play("20 D20 MISS").first == "Ann: 3 marks, 60 points")
        #expect(game.totals == [0, 0, 60])
        #expect(game.standings.players.map(\.rank) == [1, 1, 3])
        try game.play(all: "T19 MISS MISS", Self.nothing, "T19 T18 T17", Self.nothing)
        try game.play(all: Self.nothing, "T16 T15 BULL", Self.nothing, Self.nothing)
        #expect(try game.play("25", details: ["darts": "1"]).last == "Ann won the game")
        #expect(game.standings.winners == [player(1)])
    }

    @Test("cut-throat: a player who has closed all wins once all others have more points")
    func pushed() throws {
        var game = try CricketTable("Ann", "Bob", "Cid", variant: "cut-throat")
        try game.play(all: "T20 T19 T18", "T15 15 MISS", Self.nothing)
        #expect(game.totals == [15, 0, 15])
        try game.play(all: "T17 T16 T15", Self.nothing, Self.nothing, "BULL 25 MISS")
        #expect(!game.standings.isFinished)
        try game.play(all: Self.nothing)
        #expect(game.standings.leaders == [player(2)])
        try game.play("T19 19")
        #expect(game.totals == [15, 19, 15] && game.standings.winners == [player(1)])
    }

    @Test("no-score: there are no points, and the first to close all wins")
    func noScore() throws {
        var game = try CricketTable("Ann", "Bob", variant: "no-score")
        #expect(try game.play("T20 T20 T19").first == "Ann: 6 marks, closed 20, 19")
        try game.play(all: Self.nothing, "T18 T17 T16", Self.nothing)
        #expect(game.totals == [15, 0] && game.standings.totalLabel == "Marks")
        try game.play(all: "T15 25 BULL")
        #expect(game.standings.winners == [player(1)])
    }

    @Test("doubles and triples are targets of their own, and a dart counts in one way")
    func rings() throws {
        var game = try CricketTable("Ann", "Bob", targets: "rings")
        #expect(try game.play("DD20 TT20 D20").first == "Ann: 4 marks")
        #expect(try game.play("tt20 T3 t1").first == "Bob: 3 marks, closed triples")
        #expect(game.marks == ["X......//", "........O"])
        #expect(try game.play("dd25 D1 DDB").first == "Ann: 3 marks, 50 points, closed doubles")
        #expect(game.marks == ["X......O/", "........O"])
        // A triple that nobody else has open, and one of a number that is closed.
        #expect(try game.play("T2 T20 20").first == "Bob: 5 marks, 26 points, closed 20")
        #expect(
            game.standings.players.map { Array($0.cells).last?.bookCell.value }
                == [.text("DBULL D1 DBULL"), .text("T2 T20 S20")]
        )
        #expect(game.refusal(of: "BED 20")?.hasPrefix("a bed is no target of its own") == true)
    }

    @Test(
        "three darts in one bed are entered as a bed, which closes it and counts for nothing else"
    )
    func bed() throws {
        var game = try CricketTable("Ann", "Bob", targets: "beds")
        #expect(try game.play("bed t19").first == "Ann: 1 mark, closed bed")
        #expect(try game.play("BED20").first == "Bob: 1 mark, closed bed")
        #expect(game.marks == [".........O", ".........O"])
        #expect(try game.play("BED 7 7 7").first == "Ann: 0 marks")
        let hint = "for example: scorectl play BED T20"
        for text in ["BED", "BED MISS", "BED 20 20", "BED 20 20 19", "BED TT20"] {
            #expect(game.refusal(of: text)?.hasSuffix(hint) == true, "\(text)")
        }
        #expect(game.refusal(of: "BED 20", details: ["darts": "2"])?.hasSuffix(hint) == true)
        #expect(game.refusal(of: "20 BED20")?.contains("is not on the board") == true)
    }

    @Test("the winner has closed the other targets, too")
    func allTargets() throws {
        var game = try CricketTable("Ann", variant: "no-score", targets: "beds")
        try game.play(all: "T20 T19 T18", "T17 T16 T15", "BULL 25 D1", "D2 D3 T1", "T2 T3 MISS")
        #expect(!game.standings.isFinished)
        try game.play("BED 1")
        #expect(game.standings.isFinished && game.totals == [28])
    }

    @Test("without such targets, a dart that is entered for one is rejected")
    func noTargets() throws {
        let game = try CricketTable("Ann", "Bob")
        let end = " is no target of its own in this game; the option targets says so"
        #expect(game.refusal(of: "DD16 20 20") == "a double" + end)
        #expect(game.refusal(of: "20 20 TT3") == "a triple" + end)
        #expect(game.refusal(of: "DT20 20 20")?.contains("is not on the board") == true)
        for text in ["TT20 T20", "DBULL DBULL DBULL", "BED S20", "BED BULL"] {
            #expect(game.formRefusal(of: text) == nil, "\(text)")
        }
        for text in ["tt20", "DD25", "BED  S20", "BED MISS", "BED20", "BED S20 S20", "TD20"] {
            #expect(game.formRefusal(of: text) != nil, "\(text)")
        }
    }

    @Test("statistics count marks per round, the best round and games won")
    func statistics() throws {
        var game = try CricketTable("Ann", "Bob")
        try game.play(all: "T20 T20 T19", Self.nothing, "T18 T17 T16", "20 20 20", "T15 BULL 25")
        let outcome = try #require(game.standings.outcomes.first)
        let told = outcome.players.map { one in
            game.rules.statistics(of: [one]).map { "\($0.id) \($0.text ?? "-")" }
        }
        #expect(
            told == [
                [
                    "games-won 1", "marks-per-round 8.00", "best-round 9", "games 1", "marks 24",
                    "rounds 3",
                ],
                [
                    "games-won 0", "marks-per-round 1.50", "best-round 3", "games 1", "marks 3",
                    "rounds 2",
                ],
            ]
        )
    }

    @Test("an invalid visit is rejected with the rule")
    func refused() throws {
        let game = try CricketTable("Ann", "Bob")
        #expect(
            game.refusal(of: "60")
                == "“60” is not on the board; enter up to three darts (T20 D16 5 25 BULL MISS)"
        )
        #expect(game.refusal(of: "20 20 20 20") == "a visit has three darts, not 4")
        #expect(
            game.refusal(of: "20")
                == "a visit has three darts, but only one was given; "
                + "add the others (MISS for a miss)"
        )
        #expect(
            game.refusal(of: "20 19", details: ["darts": "1"])
                == "two darts and --darts 1 contradict each other"
        )
        #expect(
            game.refusal(of: "")
                == "no darts given; for example: scorectl play T20 S19 D18"
        )
        #expect(game.refusal(of: "20", details: ["darts": "1"]) == nil)
    }

    @Test("the first visit records and fixes variant and order")
    func recorded() throws {
        var game = try CricketTable("Ann", "Bob", variant: "cut-throat")
        try game.play("T20 T20 MISS")
        let order = Value.text("variant=cut-throat;1 \(player(1)) \(player(2))")
        #expect(game.table.options[Symbol(known: "order")] == order)
        game.table.options[Symbol(known: "variant")] = .text("standard")
        #expect(game.totals == [0, 60])
        #expect(
            game.flags == [
                "option variant: this game has cut-throat, as its first visit recorded; standard "
                    + "holds from the next game on"
            ]
        )
    }

    @Test("an undone visit leaves a gap, and later visits wait for it")
    func gap() throws {
        var game = try CricketTable("Ann", "Bob")
        try game.play(all: "T20 T20 MISS", "T19 MISS MISS", "T18 MISS MISS")
        game.table.write(2, "visit", 2, to: .null)
        #expect(
            game.flags == [
                "Ann, visit.3: visit 2, which is Bob's, comes first and nothing counts there"
            ]
        )
        #expect(game.turn == 2 && game.totals == [60, 0])
        try game.play("T20 MISS MISS")
        #expect(game.flags == [] && game.marks == ["O.O....", "O......"])
    }

    @Test("a removed player is skipped and counts for nothing, and a new one starts at zero")
    func people() throws {
        var game = try CricketTable("Ann", "Bob", "Cid")
        try game.play(all: "T20 MISS MISS", "T20 MISS MISS", Self.nothing)
        game.table.remove(3)
        #expect(try game.play("T20 MISS MISS").first == "Ann: 0 marks")
        game.table.players.append(Player(id: player(4), name: "Dan"))
        try game.play(Self.nothing)
        #expect(game.turn == 4)
        try game.play(all: Self.nothing, "20 MISS MISS")
        #expect(game.totals == [20, 0, 0, 0] && game.flags == [])
    }

    @Test("a removed player takes no place among the others, even while a visit is missing")
    func places() throws {
        var game = try CricketTable("Ann", "Bob", "Cid", "Dan")
        try game.play(all: "T20 T20 MISS", "T19 T19 MISS", "T18 MISS MISS", Self.nothing)
        try game.play(all: Self.nothing, Self.nothing)
        #expect(lines(game.standings) == ["Ann 60 1", "Bob 57 2", "Cid 0 3", "Dan 0 4"])
        // Without her second visit, the turn is hers, and the visit after it waits for it.
        game.table.write(game.table.cell(1, "visit", 5), to: .null)
        game.table.remove(2)
        #expect(lines(game.standings) == ["Ann 60 1", "Cid 0 2", "Dan 0 3", "Bob 57 -"])
    }

    @Test("a player who is removed after the end keeps the place")
    func placesAfterTheEnd() throws {
        var game = try CricketTable("Ann", "Bob", "Cid", variant: "no-score")
        for visit in ["T20 T19 T18", "T17 T16 T15"] {
            try game.play(all: visit, "T20 MISS MISS", Self.nothing)
        }
        try game.play("25 25 25")
        game.table.remove(2)
        #expect(lines(game.standings) == ["Ann 21 1", "Cid 0 3", "Bob 3 -"])
    }
}
