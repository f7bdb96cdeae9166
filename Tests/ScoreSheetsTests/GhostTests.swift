import ScoreSheets
import SessionCRDT
import Testing

@Suite("Ghost, letter by letter")
struct GhostTests {
    @Test(
        "after d, o, n, u the fifth letter loses either way",
        arguments: "abcdefghijklmnopqrstuvwxyz"
    )
    func published(letter: Character) throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        try ghost.play("donu")
        #expect(ghost.shown == ["DONU"])
        #expect(ghost.mover == "Ann")
        #expect(!ghost.standings.isFinished)
        let notes = try ghost.play(String(letter))
        let reason =
            letter == "t"
            ? "Ann completed DONUT"
            : "no word begins with DONU\(letter.uppercased()), which Ann made"
        #expect(notes == [reason])
        let standings = ghost.standings
        #expect(standings.isFinished)
        #expect(standings.turn == nil)
        #expect(standings.told == [reason])
        #expect(standings.winners == [player(2)])
        #expect(lines(standings) == ["Ann 0 2", "Bob 1 1"])
        #expect(standings.flags == [])
        #expect(
            refusal { () throws(RuleViolation) in _ = try ghost.move("e") }
                == "Bob has won the game; undo a letter, or begin another with: scorectl session new --again"
        )
    }

    @Test("with a minimum of three, the player who enters the fifth letter of knock loses")
    func knock() throws {
        var ghost = try GhostTable(["Ann", "Bob"], words: ["knock", "know"])
        ghost.set("minimum", .integer(3))
        try ghost.play("knoc")
        #expect(ghost.mover == "Ann")
        #expect(try ghost.play("k") == ["Ann completed KNOCK"])
        #expect(ghost.standings.winners == [player(2)])
    }

    @Test(
        "a word counts as completed from the minimum length on",
        arguments: [(3, "cat", true), (4, "cat", false), (4, "cats", true), (5, "cats", false)]
    )
    func minimum(minimum: Int64, letters: String, isLost: Bool) throws {
        var ghost = try GhostTable(["Ann", "Bob"], words: ["cat", "cats", "catsuit"])
        ghost.set("minimum", .integer(minimum))
        try ghost.play(letters)
        #expect(ghost.standings.isFinished == isLost)
    }

    @Test("letters are taken without case and accent, and anything else is refused")
    func typed() throws {
        var ghost = try GhostTable(["Ann", "Bob"], words: ["één", "eenden"])
        try ghost.play("É")
        #expect(ghost.shown == ["E"])
        #expect(try ghost.move("E\u{301}").writes.map(\.value) == [.text("ee open")])
        for wrong in ["", "ee", "1", "-", "é e", "ß", "ĳ", "й", " e", "e\n", "👻"] {
            #expect(
                refusal { () throws(RuleViolation) in _ = try ghost.move(wrong) }?
                    .hasPrefix("a turn is one letter from a to z, not ") == true,
                "\(wrong)"
            )
        }
        #expect(
            refusal { () throws(RuleViolation) in _ = try ghost.move("e", "e") }
                == "a turn is one letter from a to z, not “e e”"
        )
        #expect(
            refusal { () throws(RuleViolation) in
                _ = try ghost.move("e", details: ["darts": "2"])
            } == "a letter takes no option, not “darts” either"
        )
    }

    @Test("a letter is recorded with the beginning, the verdict, and who judged by which list")
    func recorded() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        let first = try ghost.move("d")
        #expect(first.player == player(1))
        #expect(
            first.writes == [Score(ghost.table.cell(1, "letter", 1), .text("d open"))]
        )
        let names = first.options.sorted { $0.key < $1.key }
        #expect(names.map(\.key.description) == ["circle", "terms", "words"])
        #expect(
            names.map(\.value) == [
                .text("\(player(1)) \(player(2))"), .text("4 simple"), .text("english f1"),
            ]
        )
        try ghost.play("d")
        let second = try ghost.move("x")
        #expect(
            second.writes == [Score(ghost.table.cell(2, "letter", 2), .text("dx impossible"))]
        )
        #expect(second.options.isEmpty)
    }

    @Test("only the player to move moves, and two are needed")
    func turns() throws {
        var ghost = try GhostTable(["Ann", "Bob", "Cid"])
        #expect(
            refusal { () throws(RuleViolation) in _ = try ghost.move("d", by: 2) }
                == "letter 1 is Ann's"
        )
        #expect(refusal { () throws(RuleViolation) in _ = try ghost.move("d", by: 9) } != nil)
        try ghost.play("don")
        #expect(ghost.mover == "Ann")
        #expect(try ghost.move("u", by: 1).player == player(1))
        let alone = try GhostTable(["Ann"])
        #expect(
            refusal { () throws(RuleViolation) in _ = try alone.move("d") }
                == "the game takes 2 to 20 players, not 1"
        )
        #expect(alone.standings.turn == nil)
        ghost.table.isFinished = true
        #expect(
            refusal { () throws(RuleViolation) in _ = try ghost.move("u") }
                == "\(RuleViolation.finished)"
        )
        #expect(ghost.standings.isFinished)
        #expect(ghost.standings.outcomes == [])
    }

    @Test("in the simple game of three who loses a round is out, and only the last one in wins")
    func three() throws {
        var ghost = try GhostTable(["Ann", "Bob", "Cid"])
        #expect(lines(ghost.standings) == ["Ann 1 -", "Bob 1 -", "Cid 1 -"])
        #expect(try ghost.play("donut") == ["Bob completed DONUT: out"])
        #expect(lines(ghost.standings) == ["Ann 1 1", "Bob 0 3", "Cid 1 1"])
        #expect(ghost.standings.winners == [] && ghost.standings.outcomes == [])
        #expect(ghost.mover == "Cid" && ghost.shown == ["no letter yet"])
        try ghost.play("dx")
        #expect(lines(ghost.standings) == ["Ann 0 2", "Bob 0 3", "Cid 1 1"])
        #expect(ghost.standings.outcomes.count == 1)
        #expect(
            ghost.standings.outcomes.first?.players.map(\.isWin) == [false, false, true]
        )
    }

    @Test(
        "a beginning must begin a word of the minimum length",
        arguments: [
            (["cat", "dark"], 4, "c", true), (["cat", "dark"], 3, "ca", false),
            (["cat", "catsuit"], 4, "cat", false), (["cat", "canine"], 4, "cat", true),
            (["cat", "canine"], 4, "ca", false), (["cat", "catsuit"], 8, "c", true),
        ]
    )
    func shortWords(words: [String], minimum: Int64, letters: String, isLost: Bool) throws {
        var ghost = try GhostTable(["Ann", "Bob"], words: words)
        ghost.set("minimum", .integer(minimum))
        try ghost.play(letters)
        #expect(ghost.standings.isFinished == isLost)
    }

    @Test("at the table five lost rounds put a player out, and the last one in wins")
    func wholeTable() throws {
        var ghost = try GhostTable(["Ann", "Bob", "Cid"])
        ghost.set("variant", .text("table"))
        // The player to move breaks the fragment at once; the next player goes on.
        for round in 1...12 {
            #expect(ghost.mover == ["Ann", "Bob", "Cid"][(round - 1) % 3])
            try ghost.play("x")
        }
        #expect(lines(ghost.standings) == ["Ann 1 1", "Bob 1 1", "Cid 1 1"])
        #expect(
            try ghost.play("x") == [
                "no word of 4 letters or more begins with X, which Ann made: GHOST, and out"
            ]
        )
        #expect(lines(ghost.standings) == ["Ann 0 3", "Bob 1 1", "Cid 1 1"])
        try ghost.play("donat")
        #expect(ghost.mover == "Cid")
        #expect(ghost.shown == ["DONAT"])
        #expect(!ghost.standings.isFinished)
        #expect(try ghost.play("e") == ["Cid completed DONATE: GHOST, and out"])
        let standings = ghost.standings
        #expect(lines(standings) == ["Ann 0 3", "Bob 1 1", "Cid 0 2"])
        #expect(standings.winners == [player(2)])
        #expect(standings.isFinished)
        #expect(standings.totalLabel == "Lives")
        #expect(standings.flags == [])
        #expect(ghost.panels.contains(.table(letters)))
        let outcome = try #require(standings.outcomes.first)
        #expect(standings.outcomes.count == 1)
        #expect(outcome.at == Stamp(bits: 19))
        #expect(outcome.players.map(\.isWinner) == [false, true, false])
        #expect(
            outcome.players.map { $0.tally.sorted { $0.key < $1.key }.map(\.value) } == [
                [0, 5, 5, 5], [0, 4, 7, 4], [1, 4, 7, 5],
            ]
        )
    }

    private let letters = Panel.Grid(
        title: "Letters",
        columns: [],
        rows: [
            Panel.GridRow("Ann", ["GHOST"]), Panel.GridRow("Bob", ["GHOS"]),
            Panel.GridRow("Cid", ["GHOST"]),
        ]
    )

    @Test("the next round begins on the left of the loser, and the rounds are told")
    func rounds() throws {
        var ghost = try GhostTable(["Ann", "Bob", "Cid"])
        ghost.set("variant", .text("table"))
        try ghost.play("donut")
        #expect(ghost.mover == "Cid")
        try ghost.play("cx")
        #expect(ghost.mover == "Bob")
        try ghost.play("d")
        let reason = "no word of 4 letters or more begins with CX, which Ann made"
        #expect(
            ghost.panels == [
                .text(title: "Round 3", lines: ["D"]),
                .table(
                    Panel.Grid(
                        title: "Letters",
                        columns: [],
                        rows: [
                            Panel.GridRow("Ann", ["G"]), Panel.GridRow("Bob", ["G"]),
                            Panel.GridRow("Cid", [""]),
                        ]
                    )
                ),
                .table(
                    Panel.Grid(
                        title: "Rounds",
                        columns: [],
                        rows: [
                            Panel.GridRow("1", ["Bob completed DONUT"]),
                            Panel.GridRow("2", [reason]),
                        ]
                    )
                ),
            ]
        )
        #expect(ghost.standings.told == [reason + ": G"])
    }

    @Test("statistics count games, wins, lost rounds and why they were lost")
    func statistics() throws {
        var outcomes: [PlayerOutcome] = []
        for word in ["donut", "dx", "donate"] {
            var ghost = try GhostTable(["Ann", "Bob"])
            try ghost.play(word)
            outcomes += ghost.standings.outcomes.flatMap(\.players).filter { $0.name == "Ann" }
        }
        let rules = try builtIn("ghost").rules
        #expect(
            rules.statistics(of: outcomes).map { "\($0.label) \($0.text ?? "")" } == [
                "Games 3", "Wins 2", "Rounds lost 1", "Words completed 1",
                "Impossible beginnings 0", "Letters entered 7",
            ]
        )
    }
}
