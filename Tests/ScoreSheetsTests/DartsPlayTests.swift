import ScoreSheets
import SessionCRDT
import Testing

@Suite("A leg of darts")
struct DartsPlayTests {
    @Test("a visit that fills a gap does not decide who throws: the visits after it do")
    func gap() throws {
        var game = try DartsTable("Ann", "Bob")
        try game.play(all: "60", "45", "26")
        try game.correct(1, 1, to: .null)
        #expect(try game.play("41") == ["Ann: 41, 460 left"])
        #expect(game.turn == 2)
    }

    @Test("published: 20 darts with an average of 75.15")
    func published() throws {
        var game = try DartsTable("Ann")
        try game.play(all: "100", "60", "57", "26", "100", "58")
        try game.play("100", details: ["darts": "2"])
        let all = game.statistics(1)
        #expect(all["darts"] == "20")
        #expect(all["average"] == "75.15")
        #expect(all["first-nine"] == "72.33")
        #expect(all["highest-out"] == "100")
        #expect(all["fewest-darts"] == "20")
        #expect(all["darts-per-game"] == "20.00")
        #expect(all["games-won"] == "1")
        #expect(game.standings.isFinished)
        #expect(game.standings.winners == [player(1)])
    }

    @Test("published: 16 darts with an average of 93.94")
    func published16() throws {
        var game = try DartsTable("Ann")
        try game.play(all: "40", "36", "180", "140", "65", "40/1")
        let all = game.statistics(1)
        #expect(all["darts"] == "16")
        #expect(all["average"] == "93.94")
        #expect(all["180s"] == "1")
        #expect(all["140s"] == "1")
        #expect(all["100s"] == "0")
    }

    @Test("illegal input is rejected with a message, and counts nowhere")
    func illegal() throws {
        var game = try DartsTable("Ann", "Bob")
        try game.play("60")
        let before = game.table.book
        for (text, words) in [
            ("163", "163 cannot be scored with three darts"),
            ("181", "181 cannot be scored with three darts"),
            ("119/2", "119 cannot be scored with two darts"),
            ("59/1", "59 cannot be scored with one dart"),
            ("bust", "501 cannot go bust with three darts"),
            (
                "T21 5 1",
                "“T21” is not on the board; enter up to three darts (T20 D16 5 25 BULL MISS) "
                    + "or one total"
            ),
        ] {
            #expect(refusal { () throws(RuleViolation) in try game.play(text) } == words)
        }
        #expect(
            refusal { () throws(RuleViolation) in try game.play("60", by: 1) } == "visit 2 is Bob's"
        )
        #expect(game.table.book == before)
        #expect(game.turn == 2)
        #expect(game.left == ["441", "501"])
    }

    @Test(
        "a visit that takes off too much is bust: the score stays, the darts count",
        arguments: [
            ("61", 60), ("60", 59), ("59", 60), ("180", 60), ("60/1", 60),
            ("159", 159), ("T20", 60), ("T20", 61), ("S20 S20 S20", 60), ("BUST", 60),
            ("20 T20", 60), ("19 20 20", 60),
        ]
    )
    func bust(visit: String, left: Int64) throws {
        var game = try DartsTable("Ann", "Bob", start: left)
        let notes = try game.play(visit)
        #expect(notes.first == "bust: Ann stays at \(left)")
        #expect(game.left == ["\(left)", "\(left)"])
        #expect(game.turn == 2)
        #expect(game.flags == [])
        #expect(game.column("Darts")[0] != "0")
    }

    @Test("a finish that the darts do not allow is bust, with a note that says why")
    func impossibleFinish() throws {
        var game = try DartsTable("Ann", "Bob", start: 159)
        #expect(
            try game.play("159") == [
                "bust: Ann stays at 159", "159 cannot be finished with three darts (double out)",
                "Bob to throw, 159 left",
            ]
        )
    }

    @Test("straight out takes any dart and leaves one; master out takes a double or a triple")
    func outs() throws {
        var game = try DartsTable("Ann", "Bob", start: 60)
        game.set("out", .text("straight"))
        try game.play("59")
        #expect(game.left == ["1", "60"])
        try game.play("T19 S3")
        #expect(game.standings.winners == [player(2)])

        game = try DartsTable("Ann", "Bob", start: 60)
        game.set("out", .text("master"))
        try game.play("59")
        #expect(game.left == ["60", "60"])
        try game.play("20 20 20")
        #expect(game.left == ["60", "60"])
        try game.play("T20")
        #expect(game.standings.winners == [player(1)])
    }

    @Test("darts after the one that ends the visit are rejected")
    func after() throws {
        var game = try DartsTable("Ann", start: 40)
        #expect(
            refusal { () throws(RuleViolation) in try game.play("D20 5") }
                == "D20 won the leg; leave out the darts after it"
        )
        #expect(
            refusal { () throws(RuleViolation) in try game.play("T20 T20") }
                == "T20 went bust; leave out the darts after it"
        )
        try game.play("5 T20")
        #expect(game.left == ["40"])
        #expect(game.column("Darts") == ["2"])
    }

    @Test("darts typed one by one must be the whole visit")
    func dartAfterDart() throws {
        var game = try DartsTable("Ann", start: 101)
        for (text, words) in [
            ("T20", "one was"), ("bull", "one was"), ("T20 MISS", "two were"),
        ] {
            #expect(
                refusal { () throws(RuleViolation) in try game.play(text) }
                    == "a visit has three darts, but only \(words) given; "
                    + "add the others (MISS for a miss)"
            )
        }
        #expect(game.left == ["101"])
        try game.play("T20", details: ["darts": "1"])
        try game.play("1", details: ["darts": "2"])
        #expect(game.left == ["40"])
        #expect(game.column("Darts") == ["3"])
        try game.play("T20")
        #expect(game.column("Last") == ["60/1 1/2 bust/1"])
        try game.play("D20")
        #expect(game.standings.isFinished)
        // A recorded visit keeps its meaning.
        try game.correct(1, 4, to: .text("S20"))
        #expect(game.flags == [])
        #expect(game.left == ["20"])
    }

    @Test("with double in nothing counts before a double, and a bust takes it back")
    func doubleIn() throws {
        var game = try DartsTable("Ann", start: 101)
        game.set("in", .text("double"))
        #expect(
            refusal { () throws(RuleViolation) in try game.play("180") }
                == "180 cannot be scored with three darts "
                + "of which a double is the first that counts"
        )
        #expect(
            refusal { () throws(RuleViolation) in try game.play("163") }
                == "163 cannot be scored with three darts"
        )
        #expect(
            try game.play("T20 S5 S1") == [
                "Ann: 0, 101 left, still needs a double to begin",
                "Ann to throw, 101 left, needs a double to begin",
            ]
        )
        #expect(game.column("Checkout") == ["needs a double"])
        try game.play("D20 T20")
        #expect(game.left == ["101"])
        #expect(game.column("Checkout") == ["needs a double"])
        try game.play("T20 D20 S1")
        #expect(game.left == ["60"])
        #expect(game.column("Checkout") == ["S20 D20"])
        try game.play("20 D20")
        #expect(game.standings.isFinished)
        #expect(game.statistics(1)["darts"] == "10")
    }

    @Test("a double can open and end a leg at once")
    func inAndOut() throws {
        var game = try DartsTable("Ann", start: 40)
        game.set("in", .text("double"))
        try game.play("20 20 D20")
        #expect(game.standings.isFinished)
        #expect(game.statistics(1)["outs"] == "1 of 3 (33.33 %)")
    }

    @Test("a winning total counts three darts, and a note says how to enter fewer")
    func doubt() throws {
        var game = try DartsTable("Ann", "Bob", start: 40)
        #expect(
            try game.play("40") == [
                "Ann won leg 1 with 3 darts, 40 out",
                "counted as three darts; if it took fewer, undo and add --darts 1 or 2",
            ]
        )
        game = try DartsTable("Ann", start: 40)
        #expect(
            try game.play("40", details: ["darts": "1"]) == ["Ann won leg 1 with 1 dart, 40 out"]
        )
        game = try DartsTable("Ann", start: 170)
        #expect(try game.play("170") == ["Ann won leg 1 with 3 darts, 170 out"])
    }

    @Test("unknown details of darts are rejected")
    func details() throws {
        let rules = try builtIn("darts").rules
        var aids = MoveContext(random: SystemRandomNumberGenerator())
        let move = Move(["60"], details: ["colour": "red"])
        let unknown = #expect(throws: RuleViolation.self) {
            try rules.play(move, in: Table("Ann").book, with: &aids)
        }
        #expect(unknown?.message == "a visit takes --darts and no other option, not “colour”")
        let nobody = #expect(throws: RuleViolation.self) {
            try rules.play(Move(["60"]), in: Table().book, with: &aids)
        }
        #expect(nobody?.message == "there is no player to throw; add one first")
        var table = Table("Ann")
        table.isFinished = true
        #expect(throws: RuleViolation.finished) {
            try rules.play(Move(["60"]), in: table.book, with: &aids)
        }
        #expect(throws: RuleViolation.unknownPlayer(player(7))) {
            try rules.play(Move(["60"], by: player(7)), in: Table("Ann").book, with: &aids)
        }
    }

    @Test("statistics cover finished legs only")
    func statistics() throws {
        var game = try DartsTable("Ann", "Bob", start: 101, legs: 3)
        try game.play(all: "41", "60", "D20 T20", "1", "20 D20")
        #expect(game.standings.outcomes.count == 1)
        try game.play(all: "26", "26")
        let ann = game.statistics(1)
        #expect(ann["games-won"] == "1")
        #expect(ann["highest-out"] == "60")
        #expect(ann["average-out"] == "60.00")
        #expect(ann["fewest-darts"] == "7")
        #expect(ann["darts-per-game"] == "7.00")
        #expect(ann["average"] == "43.29")
        #expect(ann["busts"] == "1")
        #expect(ann["first-nine"] == "43.29")
        #expect(ann["outs"] == "1 of 2 (50.00 %)")
        let bob = game.statistics(2)
        #expect(bob["games-won"] == "0")
        #expect(bob["games"] == "1")
        #expect(bob["highest-out"] == nil)
        #expect(bob["average-out"] == nil)
        #expect(bob["fewest-darts"] == nil)
        #expect(bob["average"] == "30.50")
        #expect(bob["highest-visit"] == "60")
        #expect(game.statistics(9)["average"] == nil)
    }

    @Test("statistics are labelled by legs, and bands of visits do not overlap")
    func labels() throws {
        var game = try DartsTable("Ann", start: 1001)
        try game.play(all: "180", "177", "140", "139", "100", "125", "140")
        let statistics = try builtIn("darts").rules
            .statistics(of: game.standings.outcomes.flatMap(\.players))
        #expect(
            statistics.map { "\($0.label): \($0.text ?? "")" } == [
                "Legs won: 1", "Three-dart average: 143.00", "Visits of 180: 1",
                "Highest out: 140", "Average out: 140.00", "Fewest darts in a leg: 21",
                "Darts per leg: 21.00", "Legs: 1", "Darts per leg won: 21.00",
                "First nine average: 165.67", "Visits of 140–179: 3", "Visits of 100–139: 3",
                "Highest visit: 180", "Busts: 0", "Darts: 21", "Outs hit, dart by dart: ",
            ]
        )
    }
}
