import ScoreSheets
import SessionCRDT
import Testing

/// The facts are those of the Laws of Contract Bridge, Laws 72–81.
@Suite("Rubber bridge: deals, games, vulnerability and premiums")
struct BridgeTests {
    @Test(
        "a typed deal has one stored form",
        arguments: [
            ("We 4S +1", "4S+1"), ("We 4s=", "4S="), ("We 4S 11", "4S+1"), ("We 4♠ 10", "4S="),
            ("We 3NT X -2", "3NTX-2"), ("We 3n xx −2", "3NTXX-2"),
            ("We 3 notrump = doubled", "3NTX="),
            ("We 6 hearts redoubled 13", "6HXX+1"), ("We 7C 0", "7C-13"), ("We 1DX+6", "1DX+6"),
            ("We 4H = honours 100", "4H= H100"), ("We 4HH150=", "4H= H150"),
            ("We 2D -1 D100", "2D-1 D100"), ("We 2NT = defenders honors 150", "2NT= D150"),
            ("4S =", "4S="),
        ]
    )
    func forms(typed: String, stored: String) throws {
        var rubber = try BridgeTable("We", "They")
        try rubber.play(typed, by: 1)
        let cell = try #require(Array(rubber.standings.players[0].cells).first)
        #expect(cell.bookCell.value == .text(stored))
        try rubber.correct(1, 1, to: .text(stored))
    }

    @Test(
        "what cannot be a deal is rejected with the reason",
        arguments: [
            ("We", "“We” is not the result of a deal"),
            ("We 8S =", "“We 8S =” is not the result of a deal"),
            ("We 4S", "how did 4S end?"), ("We 4S +4", "4S cannot end like that"),
            ("We 4S -11", "4S cannot end like that"), ("We 4S 14", "4S cannot end like that"),
            ("We 4S = X XX", "is not the result of a deal"), ("We 4S = 10", "is not the result"),
            ("We 4S = H90", "honours are 100"), ("We 3NT = H100", "honours are 100"),
            ("We 4S = honours", "is not the result of a deal"),
            ("We 4S = now", "is not the result"),
            ("Us 4S =", "“Us” does not play this rubber; We and They do"),
            ("4S =", "whose contract is it?"),
        ]
    )
    func rejected(typed: String, reason: String) throws {
        let rubber = try BridgeTable("We", "They")
        let refusal = rubber.refusal(of: typed)
        #expect(refusal?.contains(reason) == true, "\(refusal ?? "accepted")")
    }

    @Test("published: a rubber of slideserve.com/anoush/we-jh, which its losers win on points")
    func published() throws {
        var rubber = try BridgeTable("J&H", "M&A")
        #expect(
            try rubber.play("J&H 2H 10")
                == ["J&H 2H+2: 60 below the line, 60 above", "J&H 60 towards the game"]
        )
        #expect(try rubber.play("M&A 4S X 8").first == "M&A 4SX-2: 300 for J&H")
        #expect(
            try rubber.play("M&A 3NT 10")
                == ["M&A 3NT+1: 100 below the line, 30 above", "M&A vulnerable"]
        )
        try rubber.play("M&A 3S =")
        #expect(try rubber.play("M&A 2D 6").first == "M&A 2D-2: 200 for J&H")
        #expect(
            try rubber.play("J&H 6H X 13").first
                == "J&H 6HX+1: 360 below the line, 650 above"
        )
        #expect(rubber.sides == ["J&H 1 yes 0 420 1210", "M&A 1 yes 0 190 30"])
        try rubber.play("M&A 1NT 8")
        #expect(try rubber.play("M&A 3H =").last == "M&A won the rubber 2–1: 500")
        #expect(rubber.totals == [1630, 880])
        #expect(rubber.standings.isFinished && rubber.standings.winners == [player(1)])
        #expect(rubber.refusal(of: "We 1C =")?.contains("M&A has won the rubber") == true)
    }

    @Test("a game is 100 below the line, and ends the part-scores of both sides (Law 73)")
    func games() throws {
        var rubber = try BridgeTable("We", "They")
        try rubber.play(all: "We 2S =", "They 3C =", "We 1NT +2")
        #expect(rubber.sides == ["We 1 yes 0 100 60", "They 0 - 0 60 0"])
        try rubber.play(all: "They 2H =", "We 5D =")
        #expect(rubber.totals == [960, 120])
        #expect(rubber.standings.notes.map(\.description) == ["We won the rubber 2–0: 700"])
    }

    @Test("insult, overtricks and slams by double and vulnerability (Law 81)")
    func premiums() throws {
        var rubber = try BridgeTable("We", "They")
        #expect(try rubber.play("We 1C XX +1").first == "We 1CXX+1: 80 below the line, 300 above")
        #expect(try rubber.play("We 7NT =").first == "We 7NT=: 220 below the line, 1000 above")
        #expect(try rubber.play("We 1C X +2").first == "We 1CX+2: 40 below the line, 450 above")
        #expect(try rubber.play("We 6S XX =").first == "We 6SXX=: 720 below the line, 850 above")
    }

    @Test("honours are scored by the side that holds them, whoever plays the contract")
    func honours() throws {
        var rubber = try BridgeTable("We", "They")
        try rubber.play(all: "We 4S -1 H100", "They 2H = D150", "They 1NT -1 D150")
        #expect(rubber.totals == [450, 110])
    }

    @Test("a rubber that ends unfinished has 300 for the only game, 100 for the only part-score")
    func unfinished() throws {
        var rubber = try BridgeTable("We", "They")
        try rubber.play(all: "We 4S =", "They 1H =")
        rubber.table.isFinished = true
        #expect(rubber.totals == [420, 130])
        #expect(rubber.standings.winners == [player(1)])
        #expect(
            rubber.standings.notes.map(\.description) == [
                "unfinished rubber: We 300 for the only game",
                "unfinished rubber: They 100 for a part-score",
            ]
        )
        #expect(rubber.standings.outcomes.map { $0.players.map(\.total) } == [[420, 130]])
        rubber.table.isFinished = false
        try rubber.play(all: "We 1C =", "They 4H =", "We 2C =", "They 2D =")
        rubber.table.isFinished = true
        // A game each, and a part-score each.
        #expect(rubber.totals == [180, 190])
    }

    @Test("a corrected deal changes who is vulnerable in the deals after it")
    func corrected() throws {
        var rubber = try BridgeTable("We", "They")
        try rubber.play(all: "We 4S =", "We 3NT X -2")
        #expect(rubber.totals == [120, 500])
        try rubber.correct(1, 1, to: .text("4S-1"))
        #expect(rubber.totals == [0, 350])
        // It was the other side's contract: the later entry counts.
        try rubber.correct(2, 1, to: .text("4S="))
        #expect(rubber.totals == [0, 420])
        #expect(rubber.flags == ["We, deal.1: a later entry says that deal 1 was They's"])
        #expect(throws: RuleViolation.self) { try rubber.correct(1, 4, to: .text("4S=")) }
        #expect(throws: RuleViolation.self) { try rubber.correct(1, 2, to: .text("4S 10")) }
    }

    @Test("the first deal records the sides; others watch, and one player plays no rubber")
    func people() throws {
        var rubber = try BridgeTable("We", "They", "Cid")
        #expect(rubber.refusal(of: "Cid 4S =")?.contains("Cid is not playing this game") == true)
        try rubber.play("We 4S =")
        rubber.table.players.reverse()
        #expect(rubber.sides == ["We 1 yes 0 120 0", "They 0 - 0 0 0"])
        let single = try BridgeTable("Ann")
        #expect(single.refusal(of: "Ann 4S =") != nil)
        #expect(single.panels == [])
    }

    @Test("statistics count rubbers, games, contracts and slams")
    func statistics() throws {
        var rubber = try BridgeTable("We", "They")
        try rubber.play(all: "We 6S =", "We 2C -1", "They 1H =", "We 4H =")
        let outcome = try #require(rubber.standings.outcomes.first)
        let told = outcome.players.map { one in
            rubber.rules.statistics(of: [one]).map { "\($0.id) \($0.text ?? "-")" }
        }
        #expect(
            told == [
                [
                    "rubbers 1", "wins 1", "games-won 2", "declared 3", "made-share 66.67 %",
                    "slams 1",
                ],
                [
                    "rubbers 1", "wins 0", "games-won 0", "declared 1", "made-share 100.00 %",
                    "slams 0",
                ],
            ]
        )
    }
}
