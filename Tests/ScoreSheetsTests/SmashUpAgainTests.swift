import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Smash Up: consecutive games, and games without play")
struct SmashUpAgainTests {
    /// Ann has won with factions that everybody saw.
    private func won() throws -> SmashUpEvening {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        try evening.play(
            lines: "only pretty",
            "deal",
            "reveal",
            "Ann +15 Bob +3",
            "madness Bob=2",
            "end"
        )
        return evening
    }

    private func reset(_ evening: inout SmashUpEvening) throws -> String {
        let reset = try evening.sheet.rules.reset(of: evening.table.book)
        for score in reset.writes { evening.write(score) }
        return reset.question
    }

    @Test("a reset after the end keeps the win, and the next game has no factions yet")
    func resetAfterTheEnd() throws {
        var evening = try won()
        let outcomes = evening.standings.outcomes
        #expect(outcomes.map { $0.players.map(\.isWinner) } == [[true, false]])
        let before = evening.table
        #expect(
            try reset(&evening)
                == "Begin another game with the same players and no factions dealt? The chosen "
                + "sets stay, and the game that Ann won stays in the results."
        )
        let standings = evening.standings
        #expect(standings.outcomes == outcomes)
        #expect(lines(standings) == ["Ann 0 -", "Bob 0 -"])
        #expect(standings.flags.isEmpty && standings.turn == player(1))
        #expect(evening.board == ["Game 2, turn 1: Ann", "Ann: 0", "Bob: 0"])
        try evening.play(lines: "use core", "deal", "reveal", "Bob +15", "end")
        #expect(evening.standings.outcomes.count == 2)
        #expect(evening.standings.winners == [player(2)])
        // The commit that an undo takes back.
        evening.table = before
        #expect(evening.standings.winners == [player(1)])
        #expect(evening.board.joined().contains(" + "))
    }

    @Test("a reset in mid-game clears that game, and the games before it stay")
    func resetInTheSecondGame() throws {
        var evening = try won()
        let outcomes = evening.standings.outcomes
        try evening.play(lines: "replay", "Bob +9", "end", "Ann +2", "madness Ann=4")
        #expect(
            try reset(&evening)
                == "Take back the deal, all points and all turns of game 2 (6 values)? "
                + "The chosen sets stay."
        )
        #expect(evening.standings.outcomes == outcomes)
        #expect(evening.board == ["Game 2, turn 1: Ann", "Ann: 0", "Bob: 0"])
        #expect(throws: RuleViolation.nothingEntered) {
            try evening.sheet.rules.reset(of: evening.table.book)
        }
        try evening.play(lines: "deal", "Bob +15", "end")
        #expect(evening.standings.outcomes.map(\.number) == [1, 2])
        #expect(evening.standings.flags.isEmpty)
    }

    @Test("entries of another laptop for turns after the end do not count in the next game")
    func late() throws {
        var evening = try won()
        let (late, same) = (UInt32(3000), UInt32(2000))
        evening.write(Score(evening.table.cell(2, "points", late), .integer(7)))
        evening.write(Score(evening.table.cell(2, "points", same), .integer(5)))
        evening.write(Score(evening.table.cell(1, "turn", 3), .text("end")))
        evening.write(Score(evening.table.cell(1, "madness", 2), .integer(8)))
        #expect(evening.standings.flags.count == 4)
        _ = try reset(&evening)
        #expect(lines(evening.standings) == ["Ann 0 -", "Bob 0 -"])
        // Entries in the turn of the mark are past, and still flagged.
        #expect(evening.standings.flags.map(\.reason.description.first) == ["t"])
    }

    @Test("concurrent resets start one game")
    func resetTwice() throws {
        var ann = try won()
        let base = ann.table
        var bob = try ann.copy(actor: 2)
        _ = try reset(&ann)
        _ = try reset(&bob)
        ann.merge(bob, since: base)
        #expect(ann.board.first == "Game 2, turn 1: Ann")
        #expect(ann.standings.outcomes.count == 1 && ann.standings.flags.isEmpty)
    }

    @Test("a replay never wipes a game in progress")
    func replayTooEarly() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        let words = "the game is not over; to clear it: scorectl reset"
        #expect(evening.refusal("replay") == words)
        try evening.play(lines: "Ann +14 Bob +14", "end")
        for number in [nil, 1, 2] as [UInt64?] {
            #expect(evening.refusal("replay", by: number) == words)
        }
        #expect(evening.refusal(2, "turn", 2, .text("replay")) == words)
        try evening.play(lines: "Ann +1", "end")
        #expect(evening.refusal(1, "turn", 3, .text("replay")) == nil)
        for number in [nil, 1, 2] as [UInt64?] {
            #expect(evening.refusal("replay", by: number) == nil)
        }
    }

    @Test("turns count from 1 in each game, and are still entered by their own number")
    func turns() throws {
        var evening = try won()
        #expect(evening.board.first == "Over")
        try evening.play("replay")
        #expect(try evening.play("end") == ["turn 2: Bob"])
        #expect(try evening.play("end") == ["turn 3: Ann"])
        #expect(evening.board.first == "Game 2, turn 3: Ann")
        #expect(evening.standings.turn == player(1))
        let mark = "end at 15 with \(player(1)) \(player(2))"
        #expect(evening.refusal(1, "turn", 5, .text(mark)) == nil)
        #expect(
            evening.refusal(1, "turn", 4, .text("end"))?.hasPrefix("turn 4 is past") == true
        )
        evening.write(Score(evening.table.cell(2, "points", 7000), .integer(7)))
        #expect(
            evening.standings.flags.map(\.reason.message)
                == ["turn 5 has not begun: this is turn 3"]
        )
    }

    @Test("gains are called by the turn of their game, deals and leavers by name")
    func words() throws {
        var evening = try won()
        try evening.play("replay")
        func words() -> GameWords { evening.sheet.rules.words(in: evening.table.book) }
        let cells =
            [("points", 1002), ("points", 2000), ("points", 4999), ("madness", 2)]
            as [(StaticString, UInt32)]
        #expect(
            cells.map { words().cell(evening.table.cell(1, $0.0, $0.1)) } == [
                "Points in turn 1 of game 1", "Points in turn 2 of game 1",
                "Points in turn 2 of game 2", "Madness of game 2",
            ]
        )
        let (ann, bob) = (player(1), player(2))
        let text = Value.text("\(ann):ninjas+grimms-fairy-tales \(bob):robots+aliens")
        let other = Score(evening.table.cell(1, "deal"), text)
        // A deal that was not shown stays hidden, also one that lost or was taken back.
        #expect(words().value(other)?.shown == "hidden")
        let reveal = Score(evening.table.cell(1, "reveal"), text)
        #expect(
            words().value(reveal)?.shown
                == "Ann: Ninjas + Grimms' Fairy Tales; Bob: Robots + Aliens"
        )
        #expect(words().isOfTable(other))
        let end = Score(evening.table.cell(1, "turn", 3), .text("end without \(bob)"))
        #expect(words().value(end)?.shown == "end without Bob" && !words().isOfTable(end))
        #expect(words().value(Score(end.cell, .text("end"))) == nil)
        #expect(words().isOfTable(Score(end.cell, .text("replay"))))
        for value in [Value.null, .text("aliens"), .text("\(player(9)):ninjas+robots")] {
            #expect(words().value(Score(other.cell, value)) == nil)
        }
        // Before it is shown nobody reads the deal of the table in passing.
        _ = try reset(&evening)
        try evening.play("deal")
        let deal = try #require(evening.table.cells[other.cell]?.winner.value)
        #expect(words().value(Score(other.cell, deal))?.shown == "hidden")
        try evening.play("reveal")
        #expect(words().value(Score(other.cell, deal))?.shown.hasPrefix("Ann: ") == true)
    }

    @Test("a move of the whole table has no player, and the end of a turn belongs to its player")
    func credited() throws {
        var evening = try won()
        for (text, mover) in [("replay", nil), ("end", player(1)), ("end", player(2))]
            as [(String, PlayerID?)]
        {
            let move = Move([text], by: text == "replay" ? player(2) : nil)
            let played = try evening.sheet.rules.play(
                move,
                in: evening.table.book,
                with: &evening.aids
            )
            #expect(played.player == mover)
            for score in played.writes { evening.write(score) }
        }
    }

    @Test("a single player cannot score, end a turn or deal")
    func alone() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        evening.table.remove(2)
        let words = "the game takes 2 to 4 players, not 1"
        for move in ["Ann +15", "+1", "end", "deal", "base 4 2 1 Ann=3"] {
            #expect(evening.refusal(move) == words, "\(move)")
        }
        #expect(evening.refusal(1, "points", 1000, .integer(15)) == words)
        #expect(evening.refusal(1, "turn", 1, .text("end")) == words)
        #expect(evening.refusal("use pretty") == nil)
    }

    @Test("a game of one player has no winner and no result")
    func noResult() throws {
        var evening = try SmashUpEvening(["Ann"])
        evening.write(Score(evening.table.cell(1, "points", 1000), .integer(15)))
        var finished = evening
        finished.table.isFinished = true
        evening.write(Score(evening.table.cell(1, "turn", 1), .text("end")))
        for evening in [evening, finished] {
            let standings = evening.standings
            #expect(standings.outcomes.isEmpty && standings.winners.isEmpty)
            #expect(standings.isFinished)
            #expect(standings.flags.map(\.subject) == [.game])
            #expect(
                standings.flags.map(\.reason.message)
                    == ["the game has no result: it takes 2 to 4 players, and fewer played"]
            )
        }
        // Somebody who had left is no opponent; the game after that is one.
        var other = try SmashUpEvening(["Ann", "Bob"])
        try other.play("Bob +3")
        other.table.remove(2)
        other.write(Score(other.table.cell(1, "points", 1000), .integer(15)))
        other.write(
            Score(other.table.cell(1, "turn", 1), .text("end without \(player(2))"))
        )
        #expect(other.standings.outcomes.isEmpty)
        other.table.restore(2)
        #expect(other.standings.outcomes.isEmpty)
        try other.play(lines: "replay", "Bob +15", "end")
        #expect(other.standings.outcomes.map { $0.players.map(\.isWinner) } == [[false, true]])
        #expect(
            other.standings.flags.map(\.reason.description)
                == ["game 1 has no result: it takes 2 to 4 players, and fewer played"]
        )
    }

    @Test("a result stays when a losing player without points leaves")
    func loserLeft() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        try evening.play(lines: "Ann +9", "end", "end", "Ann +6", "end")
        let outcomes = evening.standings.outcomes
        evening.table.remove(2)
        #expect(evening.standings.outcomes == outcomes)
        #expect(evening.standings.winners == [player(1)])
        #expect(evening.standings.flags.isEmpty)
    }
}
