import ScoreSheets
import SessionCRDT
import Testing

@Suite("Games of bowling")
struct BowlingGameTests {
    @Test("players bowl frames by turns, and see the known part of the score")
    func turns() throws {
        var game = try BowlingTable("Ann", "Bob")
        #expect(game.notes == ["Ann to bowl, frame 1"])
        #expect(try game.play("X") == ["Ann: X in frame 1", "Bob to bowl, frame 1"])
        #expect(
            try game.play("7 2")
                == ["Bob: 72 in frame 1, 9 after frame 1", "Ann to bowl, frame 2"]
        )
        try game.play("7/")
        try game.play("9/")
        #expect(
            try game.play("9-")
                == ["Ann: 9- in frame 3, 48 after frame 3", "Bob to bowl, frame 3"]
        )
        #expect(
            game.shown == [
                "  Ann|X|7/|9-||||||||258", "|20|39|48||||||||",
                "> Bob|72|9/|||||||||269", "|9||||||||||",
            ]
        )
        #expect(lines(game.standings) == ["Ann 48 1", "Bob 19 2"])
        #expect(game.turn == 2)
    }

    @Test("the game ends when all players have ten frames, and shows who won")
    func end() throws {
        var game = try BowlingTable("Ann", "Bob")
        for frame in ["X", "7/", "9-", "X", "-8", "8/", "-6", "X", "X", "X81"] {
            try game.play(frame)
            try game.play("9-")
        }
        #expect(game.standings.isFinished)
        #expect(game.standings.winners == [player(1)])
        #expect(game.notes == ["final scores: Ann 167, Bob 90"])
        #expect(game.turn == 0)
        let over =
            "the game is over; undo a frame, or begin another with: scorectl session new --again"
        #expect(game.refusal(of: "X") == over)
        let cells = try #require(game.standings[player(1)]).cells
        // A cell has the pins of its frame, without the bonus.
        #expect(cells.map(\.points) == [10, 10, 9, 10, 8, 10, 6, 10, 10, 19])
        // A player who is added now has no part in it.
        game.table.players.append(Player(id: player(3), name: "Cid"))
        #expect(game.standings.isFinished)
        #expect(game.refusal(of: "X", by: 3) == over)
        #expect(game.standings.outcomes[0].players.map(\.name) == ["Ann", "Bob"])
    }

    @Test("statistics: games, average, high game, strikes, spares, open frames")
    func statistics() throws {
        var game = try BowlingTable("Ann")
        try game.playFrames("X 7/ 9- X -8 8/ -6 X X X81")
        let outcomes = game.standings.outcomes
        let mine = outcomes.flatMap(\.players)
        #expect(mine.map(\.isWin) == [false])
        let all = game.rules.statistics(of: mine).map { "\($0.label): \($0.text ?? "-")" }
        #expect(
            all == [
                "Games: 1", "Wins: 0", "Average: 167.00", "High game: 167", "Strikes: 5",
                "Spares: 2", "Open frames: 3",
            ]
        )
        #expect(game.rules.statistics(of: []).compactMap(\.text).count == 5)
    }

    @Test("frames of others, of unknown players, and after ten are rejected with a message")
    func refused() throws {
        var game = try BowlingTable("Ann", "Bob")
        try game.play("X")
        #expect(
            game.refusal(of: "X", by: 1)
                == "Bob bowls next, frame 1; enter what Ann bowled out of turn with: "
                + "scorectl score Ann frame.2=…"
        )
        #expect(game.refusal(of: "75") == "7 and 5 are more than the ten pins; a spare is 7/")
        #expect(game.refusal(of: "X X") == "frame 1 ends with X; play one frame at a time")
        try game.correct(1, 2, to: .text("7/"))
        #expect(game.turn == 2)
        for (frame, text, words) in [
            (5, "X", "frame 3 comes first, and nothing of Ann counts there"),
            (11, "X", "a game has frames 1 to 10, not 11"),
            (3, "73", "a frame is written in one way: 7/, not “73”"),
        ] as [(UInt32, String, String)] {
            let refused = #expect(throws: RuleViolation.self) {
                var copy = game
                try copy.correct(1, frame, to: .text(text))
            }
            #expect(refused?.message == words)
        }
        let nobody = try BowlingTable()
        #expect(nobody.refusal(of: "X") == "there is no player to bowl; add one first")
        game.table.remove(1)
        #expect(game.refusal(of: "X", by: 1) == "Ann was removed; restore the player first")
    }

    @Test("a correction is counted, and later frames wait for a cleared one")
    func corrected() throws {
        var game = try BowlingTable("Ann")
        try game.playFrames("9- X 7/ 5-")
        #expect(game.standings.players[0].total == 49)
        try game.correct(1, 3, to: .text("X"))
        #expect(game.standings.players[0].total == 54)
        try game.correct(1, 2, to: .null)
        #expect(game.standings.players[0].total == 9)
        #expect(
            game.flags == [
                "Ann, frame.3: frame 2 comes first, and nothing of Ann counts there",
                "Ann, frame.4: frame 2 comes first, and nothing of Ann counts there",
            ]
        )
        #expect(game.notes == ["Ann to bowl, frame 2"])
        try game.play("--")
        #expect(game.standings.players[0].total == 29)
        #expect(game.flags == [])
    }

    @Test("a late player bowls until all have the same number of frames")
    func late() throws {
        var game = try BowlingTable("Ann", "Bob")
        try game.playFrames("X X X X")
        game.table.players.append(Player(id: player(3), name: "Cid"))
        #expect(game.turn == 3)
        try game.playFrames("9- 9-")
        #expect(game.turn == 1)
        #expect(lines(game.standings) == ["Ann 30 1", "Bob 30 1", "Cid 18 3"])
    }

    @Test("a removed player blocks no one, keeps the frames, and continues when restored")
    func removed() throws {
        var game = try BowlingTable("Ann", "Bob")
        try game.playFrames("X 9-")
        game.table.remove(2)
        #expect(game.turn == 1)
        #expect(lines(game.standings) == ["Ann 10 1", "Bob 9 -"])
        try game.playFrames("X X X X X X X X XXX")
        #expect(game.standings.isFinished)
        #expect(game.standings.outcomes[0].players.map(\.name) == ["Ann"])
        game.table.restore(2)
        #expect(!game.standings.isFinished)
        #expect(game.turn == 2)
        // A winner who leaves after the end has still won.
        var over = try BowlingTable("Ann", "Bob")
        for _ in 0..<9 { try over.playFrames("X 9-") }
        try over.playFrames("XXX 9-")
        over.table.remove(1)
        #expect(over.standings.isFinished)
        #expect(lines(over.standings) == ["Bob 90 2", "Ann 300 -"])
        #expect(over.standings.winners == [])
    }

    @Test("a reset undoes all frames, and an unfinished game has no winner")
    func reset() throws {
        var game = try BowlingTable("Ann", "Bob")
        try game.playFrames("X 9-")
        #expect(try game.rules.reset(of: game.table.book).writes.count == 2)
        game.table.isFinished = true
        #expect(game.standings.winners == [])
        #expect(game.standings.outcomes == [])
        #expect(
            game.refusal(of: "X")
                == "the session is finished; reopen it with: scorectl session reopen"
        )
    }
}
