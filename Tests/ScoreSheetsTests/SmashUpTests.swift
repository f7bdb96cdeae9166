import ScoreSheets
import SessionCRDT
import Testing

@Suite("Smash Up: points, turns, bases and Madness")
struct SmashUpTests {
    @Test("gains are named by turn and Madness by game, in flags too")
    func words() throws {
        let sheet = try builtIn("smash-up")
        var table = Table("Ann")
        let cells = [("points", 2385), ("points", 7), ("madness", 2)] as [(StaticString, UInt32)]
        let words = cells.map { cell in
            sheet.rules.words(in: table.book).cell(table.cell(1, cell.0, cell.1))
        }
        #expect(words == ["Points in turn 2", "Points in turn 1", "Madness of game 2"])
        #expect(sheet.rules.words(in: table.book).cell(table.cell(1, "turn", 3)) == nil)
        let rounds = try builtIn("rounds").rules.words(in: table.book)
        #expect(rounds.cell(table.cell(1, "round", 3)) == nil)
        table.write(1, "points", 2385, to: .integer(3))
        let flags = sheet.rules.standings(of: table.book).flags
        #expect(
            flags.map {
                $0.words(in: table.book, by: sheet.rules.words(in: table.book)).prefix(22)
            }
                == ["Ann, Points in turn 2:"]
        )
    }

    @Test("published: 15 with 5 Madness, 14 with 3 and 13 with none are 13 each, and the last wins")
    func publishedMadness() throws {
        var evening = try SmashUpEvening(["Ann", "Bob", "Cid"])
        try evening.play(lines: "Ann +15 Bob +14 Cid +13")
        #expect(lines(evening.standings) == ["Ann 15 1", "Bob 14 2", "Cid 13 3"])
        let notes = try evening.play("end")
        #expect(
            notes == [
                "Ann ends the game; Madness counts now, if there is any: "
                    + "madness NAME=5"
            ]
        )
        #expect(evening.standings.isFinished)
        try evening.play("madness Ann=5 Bob=3 Cid=0")
        let standings = evening.standings
        #expect(lines(standings) == ["Ann 13 3", "Bob 13 2", "Cid 13 1"])
        #expect(standings.winners == [player(3)])
        #expect(
            standings.players.map(\.tieBreak) == [
                "tied at 13, Madness 5", "tied at 13, Madness 3", "tied at 13, Madness 0",
            ]
        )
        #expect(standings.told.first == "Cid has won with 13")
        #expect(evening.board == ["Over", "Ann: 15, 5 (-2)", "Bob: 14, 3 (-1)", "Cid: 13, 0"])
        #expect(standings.outcomes.map { $0.players.map(\.total) } == [[13, 13, 13]])
        #expect(standings.outcomes.map { $0.players.map(\.isWinner) } == [[false, false, true]])
        #expect(standings.flags.isEmpty)
    }

    @Test("finishing the session counts the same at that moment, and equals share the win")
    func finishedByHand() throws {
        var evening = try SmashUpEvening(["Ann", "Bob", "Cid"])
        try evening.play(lines: "Ann +9 Bob +8 Cid +5", "madness Ann=3 Bob=1")
        #expect(lines(evening.standings) == ["Ann 9 1", "Bob 8 2", "Cid 5 3"])
        evening.table.isFinished = true
        #expect(lines(evening.standings) == ["Ann 8 2", "Bob 8 1", "Cid 5 3"])
        evening.table.isFinished = false
        try evening.play("madness Bob=3")
        evening.table.isFinished = true
        #expect(lines(evening.standings) == ["Ann 8 1", "Bob 7 2", "Cid 5 3"])
        evening.table.isFinished = false
        try evening.play("Bob +1")
        evening.table.isFinished = true
        #expect(evening.standings.winners == [player(1), player(2)])
        #expect(evening.standings[player(1)]?.tieBreak == "tied at 8, shared")
        #expect(evening.refusal("Ann +1") == "\(RuleViolation.finished)")
    }

    @Test("fifteen points win at the end of a turn and not before; more than fifteen too")
    func winning() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        try evening.play(lines: "Ann +14", "end", "Ann +2")
        #expect(!evening.standings.isFinished)
        #expect(evening.standings.turn == player(2))
        try evening.play("Ann -2")
        try evening.play("end")
        #expect(!evening.standings.isFinished)
        try evening.play(lines: "Ann +3", "end")
        #expect(evening.standings.winners == [player(1)])
        #expect(evening.standings.turn == nil)
        for move in ["Bob +1", "end", "base 4 2 1 Ann=1"] {
            #expect(evening.refusal(move)?.hasPrefix("the game is over") == true, "\(move)")
        }
    }

    @Test("players tied for most at fifteen or above play on")
    func tiedAtTheTop() throws {
        var evening = try SmashUpEvening(["Ann", "Bob", "Cid"])
        try evening.play("Ann +16 Bob +16 Cid +15")
        #expect(try evening.play("end") == ["Ann and Bob are tied at 16: play on"])
        #expect(!evening.standings.isFinished)
        #expect(
            evening.standings.told
                == ["Ann and Bob were tied when the last turn ended: play on"]
        )
        try evening.play(lines: "Bob +1", "end")
        #expect(evening.standings.winners == [player(2)])
    }

    @Test("another target is an option")
    func target() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        evening.table.options[Symbol(known: "target")] = .integer(3)
        try evening.play(lines: "Ann +3", "end")
        #expect(evening.standings.isFinished)
    }

    @Test(
        "a base pays by power; tied players all take the better place and the next is skipped",
        arguments: [
            ("Ann=10 Bob=10 Cid=5", [4, 4, 1, 0]),
            ("Ann=10 Bob=8 Cid=8 Dan=7", [4, 2, 2, 0]),
            ("Ann=1 Bob=2 Cid=3 Dan=4", [0, 1, 2, 4]),
            ("Ann=6 Bob=6 Cid=6 Dan=6", [4, 4, 4, 4]),
            ("Dan=5+4 Ann=0", [0, 0, 0, 4]),
        ]
    )
    func bases(powers: String, points: [Points]) throws {
        var evening = try SmashUpEvening(["Ann", "Bob", "Cid", "Dan"])
        try evening.play("base 4 2 1 \(powers)")
        #expect(evening.standings.players.map(\.total) == points)
    }

    @Test("a base is one command, and its reply lists the points")
    func baseWords() throws {
        var evening = try SmashUpEvening(["Ann", "Bob", "Cid"])
        #expect(try evening.play("base 3 -1 0 a=9 b=3 c=1") == ["the base pays Ann +3, Bob -1"])
        #expect(evening.table.cells.count == 2)
    }

    @Test("points are typed in several ways")
    func ways() throws {
        var evening = try SmashUpEvening(["Ann Marie", "Bob", "End"])
        try evening.play(lines: "Ann Marie +3", "bob -1", "Bob=\u{2212}1", "End +5", "+2")
        #expect(lines(evening.standings) == ["Ann Marie 5 1", "Bob -2 3", "End 5 1"])
        try evening.play("+1+1", by: 2)
        #expect(evening.standings[player(2)]?.total == 0)
        #expect(evening.standings.flags.isEmpty)
    }

    @Test(
        "invalid moves are rejected with a message",
        arguments: [
            ("", "“” is not a move"), ("dance", "is not a move"), ("deal now", "is not a move"),
            ("Ann 3", "write +3 or -3"), ("Zoe +1", "there is no player “Zoe”"),
            ("An +1", "could be any of: Ann, Anna"), ("Ann +0", "would change nothing"),
            ("Ann +1 Ann +2", "Ann named twice"), ("Ann +1000", "points takes a whole number"),
            ("base 4 2 Ann=3", "three numbers"), ("base 4 2 1", "three numbers"),
            ("base 4 2 1 Ann", "write NAME=NUMBER"), ("base 4 2 1 Ann=-3", "from 0 to 999"),
            ("base 4 2 1 =3", "write NAME=NUMBER"), ("base a b c Ann=3", "not a whole number"),
            ("base 4 2 1 Ann=0", "no player gets points"), ("base 4 2 1 Ann=1 ann=2", "twice"),
            ("madness Ann=100", "madness takes a whole number"), ("madness Ann=x", "“x”"),
            ("reveal", "scorectl play deal"), ("use", "no set or faction given"),
            ("use foo", "no set"),
            ("Bob +1", "Bob was removed"),
        ]
    )
    func refused(move: String, words: String) throws {
        var evening = try SmashUpEvening(["Ann", "Anna", "Bob"])
        evening.table.remove(3)
        let refusal = try #require(evening.refusal(move))
        #expect(refusal.contains(words), "\(refusal)")
    }

    @Test("turns follow the seats, and only the player to move ends one")
    func turns() throws {
        var evening = try SmashUpEvening(["Ann", "Bob", "Cid"])
        #expect(evening.standings.turn == player(1))
        #expect(evening.refusal("end", by: 2) == "it is Ann's turn")
        #expect(try evening.play("end", by: 1) == ["turn 2: Bob"])
        try evening.play(lines: "end", "end")
        #expect(evening.standings.turn == player(1))
        #expect(evening.board.first == "Turn 4: Ann")
        evening.table.remove(2)
        // Bob's turns were played; from now on he is passed over.
        #expect(evening.standings.flags.isEmpty)
        try evening.play("end")
        #expect(evening.standings.turn == player(3))
        let move = Move(["end"], details: ["darts": "3"])
        let refused = refusal { () throws(RuleViolation) in
            _ = try evening.sheet.rules.play(move, in: evening.table.book, with: &evening.aids)
        }
        #expect(refused == "a turn takes no option, not “darts” either")
    }

    @Test("raw scores are checked by the turn; corrections of existing ones are not")
    func raw() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        #expect(evening.refusal(1, "points", 1, .integer(12)) == nil)
        #expect(evening.refusal(1, "points", 1, .text("4+8")) == nil)
        #expect(
            evening.refusal(1, "points", 2000, .integer(1))
                == "turn 2 has not begun: this is turn 1"
        )
        let mark = "end at 15 with \(player(1)) \(player(2))"
        #expect(evening.refusal(1, "turn", 1, .text(mark)) == nil)
        #expect(
            evening.refusal(1, "turn", 1, .text("end"))
                == "only a move ends a turn; end it with: scorectl play end"
        )
        #expect(evening.refusal(2, "turn", 1, .text("end")) == "it is Ann's turn")
        #expect(evening.refusal(1, "turn", 2, .text("end"))?.contains("not begun") == true)
        #expect(evening.refusal(1, "turn", 1, .integer(4))?.contains("end or replay") == true)
        #expect(evening.refusal(1, "madness", 1, .integer(4)) == nil)
        #expect(evening.refusal(1, "madness", 2, .integer(4))?.contains("game 2") == true)
        #expect(evening.refusal(1, "deal", nil, .text("aliens"))?.contains("not a deal") == true)
        #expect(evening.refusal(1, "reveal", nil, .text("yes"))?.contains("deal") == true)
        #expect(evening.refusal(1, "birds", nil, .null)?.contains("no row") == true)
        evening.write(Score(evening.table.cell(1, "points", 1), .text("4+8")))
        #expect(lines(evening.standings) == ["Ann 12 1", "Bob 0 2"])
        try evening.play("end")
        #expect(evening.refusal(1, "points", 2, .integer(12))?.contains("turn 1 is past") == true)
        #expect(evening.refusal(1, "points", 1, .integer(11)) == nil)
        #expect(evening.refusal(1, "points", 1, .null) == nil)
        #expect(evening.refusal(1, "turn", 1, .null) == nil)
    }

    @Test("a correction is checked to the end: it can revoke a win")
    func corrected() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        evening.write(Score(evening.table.cell(1, "points", 1), .integer(15)))
        try evening.play("end")
        #expect(evening.standings.isFinished)
        evening.write(Score(evening.table.cell(1, "points", 1), .integer(5)))
        #expect(!evening.standings.isFinished)
        try evening.play(lines: "Bob +4", "end")
        evening.write(Score(evening.table.cell(1, "points", 1), .integer(15)))
        // Now Ann has won in turn 1 again, and what followed does not count.
        #expect(lines(evening.standings) == ["Ann 15 1", "Bob 0 2"])
        #expect(evening.standings.flags.count == 2)
    }

    @Test("a replay starts another game with the same factions and keeps earlier wins")
    func replay() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        try evening.play(lines: "deal", "reveal", "Ann +15", "madness Bob=2", "end")
        let factions = evening.board.map { $0.split(separator: ", ").last }
        let before = evening.table
        try evening.play("replay")
        var standings = evening.standings
        #expect(lines(standings) == ["Ann 0 -", "Bob 0 -"])
        #expect(!standings.isFinished && standings.turn == player(1))
        #expect(
            evening.board.map { $0.split(separator: ", ").last }.dropFirst()
                == factions.dropFirst()
        )
        #expect(evening.board.first == "Game 2, turn 1: Ann")
        #expect(evening.refusal("reveal") == "the deal is shown already")
        try evening.play(lines: "Bob +2", "end")
        #expect(evening.board.first == "Game 2, turn 2: Bob")
        try evening.play(lines: "Bob +18", "madness Ann=4", "end")
        standings = evening.standings
        #expect(standings.outcomes.map { $0.players.map(\.total) } == [[15, -1], [-2, 20]])
        #expect(standings.outcomes.map(\.number) == [1, 2])
        #expect(standings.winners == [player(2)])
        #expect(standings.flags.isEmpty)
        evening.table = before
        #expect(evening.standings.winners == [player(1)])
    }

    @Test("a reset undoes everything but the chosen sets, and undo restores it")
    func reset() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        #expect(throws: RuleViolation.nothingEntered) {
            try evening.sheet.rules.reset(of: evening.table.book)
        }
        try evening.play(lines: "only pretty", "deal", "reveal", "Ann +3", "end", "madness Ann=1")
        let (before, panels) = (evening.standings, evening.panels)
        let book = evening.table.book
        let reset = try evening.sheet.rules.reset(of: book)
        #expect(reset.question.contains("(5 values)"))
        for score in reset.writes { evening.write(score) }
        #expect(lines(evening.standings) == ["Ann 0 -", "Bob 0 -"])
        #expect(
            evening.panels.last
                == .text(
                    title: "Sets: 4 factions to deal from",
                    lines: ["Pretty Pretty (4)"] + Array(notUsed(evening))
                )
        )
        let undo = reset.writes.map { score in
            Score(
                score.cell,
                book.cells(of: score.cell.player)
                    .first { $0.cell == score.cell }?.value ?? .null
            )
        }
        for score in undo {
            #expect(throws: Never.self) {
                try evening.sheet.rules.check(score, in: evening.table.book)
            }
        }
        for score in undo { evening.write(score) }
        #expect(lines(evening.standings) == lines(before))
        #expect(evening.panels == panels)
    }

    private func notUsed(_ evening: SmashUpEvening) -> [String] {
        guard case .text(_, let lines) = evening.panels.last else { return [] }
        return lines.filter { $0.hasPrefix("not used: ") }
    }

    @Test("there is a last turn, and a session that reaches it can still be finished")
    func lastTurn() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        for turn in 1...UInt32(999) {
            let mover: UInt64 = turn % 2 == 1 ? 1 : 2
            evening.write(Score(evening.table.cell(mover, "turn", turn), .text("end")))
        }
        #expect(evening.standings.turn == nil)
        let words = "all turns of this session are used; begin another session"
        for move in ["end", "replay", "Ann +1"] { #expect(evening.refusal(move) == words) }
        #expect(evening.refusal(1, "points", 1_000_000, .integer(1)) == words)
        #expect(evening.refusal(1, "turn", 1000, .text("end")) == words)
        #expect(evening.standings.flags.isEmpty)
    }
}
