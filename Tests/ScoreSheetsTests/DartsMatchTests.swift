import ScoreSheets
import SessionCRDT
import Testing

@Suite("Legs and sets of darts")
struct DartsMatchTests {
    @Test("players throw in the order of the seats, and the next one starts each leg")
    func starters() throws {
        var game = try DartsTable("Ann", "Bob", "Cid", start: 2, legs: 7)
        var starters: [UInt64] = []
        for _ in 1...3 {
            starters.append(game.turn)
            try game.play("0")
            try game.play("0")
            try game.play("0")
            #expect(game.turn == starters.last)
            try game.play("2/1")
        }
        #expect(starters == [1, 2, 3])
        #expect(lines(game.standings) == ["Ann 1 1", "Bob 1 1", "Cid 1 1"])
        #expect(game.standings.totalLabel == "Legs")
        #expect(!game.standings.isFinished)
    }

    @Test("best of five legs is won by three, and the match is over")
    func legs() throws {
        var game = try DartsTable("Ann", "Bob", start: 2, legs: 5)
        #expect(lines(game.standings) == ["Ann 0 -", "Bob 0 -"])
        try game.play(all: "2", "2", "2", "0")
        #expect(lines(game.standings) == ["Ann 2 1", "Bob 1 2"])
        #expect(
            try game.play("2/1") == [
                "Ann won leg 4 with 1 dart, 2 out", "Ann won the match; legs: Ann 3, Bob 1",
            ]
        )
        #expect(game.standings.isFinished)
        #expect(game.standings.winners == [player(1)])
        #expect(game.turn == 0)
        #expect(game.standings.outcomes.map(\.number) == [1, 2, 3, 4])
        #expect(
            game.standings.outcomes.map { $0.players.filter(\.isWinner).map(\.name) } == [
                ["Ann"], ["Bob"], ["Ann"], ["Ann"],
            ]
        )
        #expect(
            refusal { () throws(RuleViolation) in try game.play("2") }
                == "Ann has won the match; undo a visit, or begin another with: scorectl session new --again"
        )
    }

    @Test("a match of several legs is one outcome, without a winner before its end")
    func match() throws {
        var game = try DartsTable("Ann", "Bob", start: 2, legs: 3)
        func match() -> [String]? {
            game.standings.match?.players.map {
                "\($0.name) \($0.total)\($0.isWinner ? " won" : "")"
            }
        }
        #expect(match() == nil)
        try game.play("2")
        #expect(match() == ["Ann 1", "Bob 0"])
        try game.play(all: "2", "2")
        #expect(match() == ["Ann 2 won", "Bob 1"])
        #expect(game.standings.match?.at == game.standings.outcomes.last?.at)
        var single = try DartsTable("Ann", "Bob", start: 2)
        try single.play("2")
        #expect(single.standings.match == nil && single.standings.outcomes.count == 1)
    }

    @Test("the next player starts each set, regardless of the last leg")
    func sets() throws {
        var game = try DartsTable("Ann", "Bob", start: 2, legs: 3, sets: 3)
        #expect(game.turn == 1)
        try game.play("2")  // Ann, in the leg that Ann begins
        #expect(game.turn == 2)
        try game.play(all: "0", "2")  // Ann, in the leg that Bob begins
        #expect(lines(game.standings) == ["Ann 1 1", "Bob 0 2"])
        #expect(game.standings.totalLabel == "Sets")
        #expect(game.turn == 2)
        try game.play(all: "2", "0")
        #expect(game.turn == 2)
        #expect(
            game.standings.told == [
                "Bob won set 2, leg 1 with 3 darts, 2 out", "Bob to throw, 2 left: D1",
            ]
        )
        try game.play("2")
        #expect(lines(game.standings) == ["Ann 1 1", "Bob 1 1"])
        #expect(game.standings[player(1)]?.tieBreak == "tied at 1, legs 0, shared")
        #expect(game.turn == 1)
        try game.play("2")
        #expect(lines(game.standings) == ["Ann 1 1", "Bob 1 2"])
        #expect(game.standings[player(1)]?.tieBreak == "tied at 1, legs 1")
        try game.play(all: "0", "2")
        #expect(game.standings.winners == [player(1)])
        #expect(game.standings.told.contains("Ann won the match; sets: Ann 2, Bob 1"))
    }

    @Test("an even number of sets cannot be chosen, since it could end in a draw")
    func evenRefused() throws {
        let parser = ScoreParser(try builtIn("darts"))
        for (text, words) in [
            ("sets=4", "sets takes an odd number from 1 to 99, not “4”"),
            ("sets=1+1", "sets takes an odd number from 1 to 99, not “1+1”"),
        ] {
            #expect(
                refusal { () throws(RuleViolation) in _ = try parser.option(text) } == words
            )
        }
        #expect(try parser.option("legs=2").value == .integer(2))
    }

    @Test(
        "an even number of legs is drawn by half of them each, and of a set won by more than half"
    )
    func even() throws {
        var game = try DartsTable("Ann", "Bob", start: 2, legs: 4, sets: 2)
        #expect(game.title == "Set 1, leg 1, first to 2 sets, first to 3 legs, 2 double out")
        #expect(game.flags == [])
        game = try DartsTable("Ann", "Bob", start: 2, legs: 4)
        try game.play(all: "2", "2", "2", "2")
        #expect(game.standings.winners == [player(1), player(2)])
        #expect(game.title == "Leg 4, best of 4 legs, 2 double out")
    }

    @Test("undoing a winning visit continues the leg")
    func undoWin() throws {
        var game = try DartsTable("Ann", "Bob", start: 60, legs: 3)
        try game.play(all: "20", "20", "40")
        #expect(game.standings.outcomes.count == 1)
        try game.correct(1, 3, to: .null)
        #expect(game.standings.outcomes == [])
        #expect(game.left == ["40", "40"])
        #expect(game.turn == 1)
    }

    @Test("changing a winning visit checks later visits again")
    func changeWin() throws {
        // Bob wins leg 1 on turn 2 and begins leg 2 on turn 3; without the win turn 3 is Ann's.
        var game = try DartsTable("Ann", "Bob", start: 60, legs: 3)
        try game.play(all: "0", "20 D20", "26", "26", "1")
        #expect(game.standings.outcomes.count == 1)
        #expect(game.left == ["34", "33"])
        try game.correct(2, 2, to: .text("20"))
        #expect(game.standings.outcomes == [])
        #expect(game.left == ["60", "40"])
        #expect(
            game.flags == [
                "Ann, visit.4: visit 3, which is Ann's, comes first and nothing counts there",
                "Bob, visit.3: visit 3 is Ann's",
                "Bob, visit.5: visit 3, which is Ann's, comes first and nothing counts there",
            ]
        )
        try game.correct(2, 2, to: .text("BUST/1"))
        #expect(game.left == ["60", "60"])
    }

    @Test("a cleared visit is entered again for its player, and later visits count again")
    func gap() throws {
        var game = try DartsTable("Ann", "Bob")
        try game.play(all: "60", "45", "100", "85")
        try game.correct(2, 2, to: .null)
        #expect(game.left == ["441", "501"])
        #expect(game.turn == 2)
        #expect(
            game.flags == [
                "Ann, visit.3: visit 2, which is Bob's, comes first and nothing counts there",
                "Bob, visit.4: visit 2, which is Bob's, comes first and nothing counts there",
            ]
        )
        try game.play("41")
        #expect(game.flags == [])
        #expect(game.left == ["341", "375"])
    }

    @Test("a correction can make a later visit impossible, which is then flagged")
    func recheck() throws {
        var game = try DartsTable("Ann")
        game.set("in", .text("double"))
        try game.play(all: "40", "180", "100")
        try game.correct(1, 1, to: .text("0"))
        #expect(
            game.flags == [
                "Ann, visit.2: 180 cannot be scored with three darts of which a double is the "
                    + "first that counts",
                "Ann, visit.3: visit 2, which is Ann's, comes first and nothing counts there",
            ]
        )
        #expect(game.turn == 1)
        try game.play("170")
        #expect(game.flags == [])
        #expect(game.left == ["231"])
    }

    @Test("a raw entry must be the visit of its turn, in canonical notation")
    func checked() throws {
        var game = try DartsTable("Ann", "Bob")
        try game.play(all: "60", "45")
        for (number, turn, value, words) in [
            (1, 3, .text("163"), "163 cannot be scored with three darts"),
            (2, 3, .text("60"), "visit 3 is Ann's"),
            (2, 1, .text("60"), "visit 1 is Ann's"),
            (1, 5, .text("60"), "visit 3, which is Ann's, comes first and nothing counts there"),
            (1, 3, .text("t20 20"), "a visit is written in one way: T20 S20, not “t20 20”"),
            (1, 3, .text("x"), "“x” is not a visit: 60, 26/2 for two darts, T20 T19 D12, or BUST"),
            (1, 3, .integer(60), "a visit is written in one way: 60, not 60"),
            (1, 3, .boolean(true), "visit takes a text, not yes"),
            (1, 3, .text("60"), nil), (1, 1, .text("100"), nil), (2, 2, .null, nil),
            (1, 9, .null, nil),
        ] as [(UInt64, UInt32, Value, String?)] {
            let said = refusal { () throws(RuleViolation) in
                try rules("darts", game).check(
                    Score(game.table.cell(number, "visit", turn), value),
                    in: game.table.book
                )
            }
            #expect(said == words)
        }
    }

    @Test("a reset undoes the leg in progress only")
    func reset() throws {
        var game = try DartsTable("Ann", "Bob", start: 101, legs: 3)
        #expect(
            refusal { () throws(RuleViolation) in _ = try game.reset() }
                == "no visit of this leg was entered yet; undo takes back what was before"
        )
        try game.play(all: "101", "60", "45", "1")
        #expect(
            try game.reset()
                == "Take back leg 2, which loses 3 visits (Ann at 56, Bob at 40)?"
        )
        #expect(lines(game.standings) == ["Ann 1 1", "Bob 0 2"])
        #expect(game.left == ["101", "101"])
        #expect(game.turn == 2)
        #expect(game.statistics(1)["darts"] == "3")
        try game.play(all: "0", "101")
        #expect(game.standings.isFinished)
        #expect(throws: RuleViolation.self) { _ = try game.reset() }
    }

    @Test("once a visit counts the mode is fixed, and the message suggests a new match")
    func mode() throws {
        var game = try DartsTable("Ann")
        #expect(game.refusal(ofOption: "start") == nil)
        try game.play("60")
        #expect(
            game.refusal(ofOption: "start")
                == "visits count already, so start stays as it is; a new match can have another, "
                + "but the leg in progress is lost; to begin one: scorectl session new --again "
                + "--option start=…"
        )
        for option in ["in", "out", "legs", "sets"] as [StaticString] {
            #expect(game.refusal(ofOption: option) != nil)
        }
        try game.correct(1, 1, to: .null)
        #expect(game.refusal(ofOption: "start") == nil)
    }

    @Test("an unfinished match has no winner, and no one is to throw")
    func finished() throws {
        var game = try DartsTable("Ann", "Bob", start: 2, legs: 5)
        try game.play(all: "2", "0")
        game.table.isFinished = true
        #expect(lines(game.standings) == ["Ann 1 1", "Bob 0 2"])
        #expect(game.standings.winners == [])
        #expect(game.turn == 0)
        #expect(game.refusal(ofOption: "start") == RuleViolation.finished.description)
        #expect(throws: RuleViolation.finished) { _ = try game.reset() }
    }

    @Test("three players can split the legs without a majority, and a note says who wins")
    func three() throws {
        var game = try DartsTable("Ann", "Bob", "Cem", start: 2, legs: 3)
        try game.play(all: "2", "2", "2")
        #expect(game.title == "Leg 4, first to 2 legs, 2 double out")
    }

    /// The rules by which a game is checked.
    private func rules(
        _ id: StaticString,
        _ game: DartsTable
    ) throws(RuleViolation)
        -> any GameRules
    {
        guard let sheet = SheetLibrary.builtIn[Symbol(known: id)] else {
            throw RuleViolation("no such game")
        }
        return sheet.rules
    }
}
