import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Smash Up, with players who come, leave, come back and change seats")
struct SmashUpPeopleTests {
    /// Ann and Bob after four turns, 8 to 10.
    private func evening() throws -> SmashUpEvening {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        try evening.play(lines: "+3", "end", "+4", "end", "+5", "end", "+6", "end")
        return evening
    }

    @Test("a late player does not change earlier turns")
    func added() throws {
        for place in 0...2 {
            var evening = try evening()
            evening.table.players.insert(Player(id: player(3), name: "Cid"), at: place)
            let standings = evening.standings
            #expect(standings.flags.isEmpty)
            #expect(standings.players.map(\.total).reduce(0, +) == 18)
            // Bob moved last: the next one is on his left now.
            #expect(standings.turn == player(place == 2 ? 3 : place == 1 ? 1 : 3))
        }
    }

    @Test("a restored player was skipped, and moves again from now on")
    func restored() throws {
        var evening = try SmashUpEvening(["Ann", "Bob", "Cid"])
        try evening.play(lines: "+1", "end")
        evening.table.remove(2)
        try evening.play(lines: "+2", "end", "+3", "end")
        evening.table.restore(2)
        #expect(evening.standings.flags.isEmpty)
        #expect(lines(evening.standings) == ["Ann 4 1", "Bob 0 3", "Cid 2 2"])
        #expect(evening.standings.turn == player(2))
    }

    @Test("new seats apply from the next turn on")
    func reseated() throws {
        var evening = try evening()
        evening.table.players.reverse()
        #expect(evening.standings.flags.isEmpty)
        #expect(lines(evening.standings) == ["Bob 10 1", "Ann 8 2"])
        #expect(evening.standings.turn == player(1))
    }

    @Test("no one wins in hindsight because a player left or came back")
    func hindsight() throws {
        var evening = try SmashUpEvening(["Ann", "Bob", "Cid", "Dan"])
        try evening.play(lines: "Ann +16 Bob +16", "end", "Cid +1", "end")
        evening.table.remove(1)
        #expect(!evening.standings.isFinished && evening.standings.flags.isEmpty)
        // Now Bob leads alone, when the turn ends.
        var other = evening
        #expect(try other.play("end").first?.hasPrefix("Bob ends the game") == true)
        #expect(other.standings.winners == [player(2)])
        other.table.restore(1)
        #expect(other.standings.winners == [player(2)])
        #expect(other.standings.flags.isEmpty)
        // Of two who left nobody wins, and nobody did when they come back.
        evening.table.remove(2)
        try evening.play(lines: "+1", "end")
        evening.table.restore(1)
        #expect(!evening.standings.isFinished && evening.standings.flags.isEmpty)
        #expect(try evening.play("end").first?.hasPrefix("Ann ends the game") == true)
    }

    @Test("a win stays with a player who left after it")
    func winnerLeft() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        try evening.play(lines: "+15", "Bob +3", "end")
        evening.table.remove(1)
        let standings = evening.standings
        #expect(standings.isFinished && standings.winners.isEmpty)
        #expect(standings.outcomes.map { $0.players.map(\.isWinner) } == [[true, false]])
        #expect(lines(standings) == ["Bob 3 2", "Ann 15 -"])
        #expect(standings.told.first?.hasPrefix("again: replay") == true)
    }

    @Test("of marks for one turn in the cells of two players the later one counts")
    func twoMarks() throws {
        for (first, last) in [(UInt64(1), UInt64(2)), (2, 1)] {
            var evening = try SmashUpEvening(["Ann", "Bob", "Cid"])
            evening.write(Score(evening.table.cell(first, "turn", 1), .text("end")))
            evening.write(Score(evening.table.cell(last, "turn", 1), .text("end")))
            let name = last == 1 ? "Ann" : "Bob"
            for _ in 0..<2 {
                let flags = evening.standings.flags
                #expect(flags.map(\.reason.message) == ["it is \(name)'s turn"])
                #expect(flags.map(\.subject) == [.cell(evening.table.cell(first, "turn", 1))])
                evening.table.players.reverse()
            }
            #expect(evening.standings.turn == player(last + 1))
        }
    }

    @Test("a mark has one text")
    func marks() throws {
        let (ann, bob) = (player(1), player(2))
        func isMark(_ text: String) throws -> Bool {
            var evening = try SmashUpEvening(["Ann", "Bob"])
            evening.write(Score(evening.table.cell(1, "turn", 1), .text(text)))
            return evening.standings.turn == bob && evening.standings.flags.isEmpty
        }
        let absent = ["end", "end without \(bob)", "end without \(bob) \(ann)"]
        for good in absent + ["end at 15 with \(ann) \(bob)", "end at 1 with \(bob)"] {
            #expect(try isMark(good), "\(good)")
        }
        let ends = [
            "end at 15", "end at 15 with", "end at 0 with \(ann)", "end at +5 with \(ann)",
            "end at 15 with x", "end at 15 by \(ann)", "end at 15 with \(ann) x",
        ]
        let others = ["end ", "end without", "end \(ann)", "end without x", "replay \(ann)", ""]
        for bad in ends + others { #expect(try !isMark(bad), "\(bad)") }
    }
}
