import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Complete games of Reversi, by their transcripts")
struct ReversiTranscriptTests {
    /// A game that was played, and how it ended.
    struct Recorded: Sendable, CustomTestStringConvertible {
        let name: String
        let transcript: String
        let black: Points
        let white: Points

        var testDescription: String { name }
    }

    /// Games with the discs that were published.
    static let games: [Recorded] = [
        Recorded(
            name: "the shortest game, Maruo 1975",
            transcript: "e6f4e3f6g5d6e7f5c5",
            black: 13,
            white: 0
        ),
        Recorded(
            name: "Nagano – Schotte, world championship 2016",
            transcript: "f5f6e6f4g5e7e3f3c5d3g4g3g6c3d7c6c4d6b5b3b4h4c7d8h5h3f8f7h2a6a5h7"
                + "f2c8b6a4b7e2g2f1b8a8a7h1h6g7g1d2c1c2d1e1h8g8e8b1a1b2a3a2",
            black: 50,
            white: 14
        ),
        Recorded(
            name: "Vecchi – Nicolas, world championship 2017",
            transcript: "f5d6c5f6c4f4e6d7e7c6f7d8c8e8g5b8e3f8b6b5a6a4a5a7c7b4g6h6h7b3d3c3"
                + "c2c1h5d2e2f1b1d1b2a3e1h4h3g4g3f3g1f2b7h2h1g7",
            black: 13,
            white: 45
        ),
        Recorded(
            name: "Aunchulee – Fukuchi, world championship 2018",
            transcript: "d3c5f6f5e6e3c3f3c4b4b3d6c7c2d2c6a4d7g5f4d1g4f7e7g6h5e8c8d8f8e2f2"
                + "b6a6b5a5a7a3a2f1e1h6g1b2g3b7h4b1a8b8g7h8h7g8a1h2c1h3g2h1",
            black: 30,
            white: 34
        ),
        Recorded(
            name: "Hassan – Verstuyft, Ghent 2017, over after 16 discs",
            transcript: "d3e3f4g3f3c5h3f2c4c3e2e1b3h4h5a3",
            black: 3,
            white: 17
        ),
        Recorded(
            name: "Chitra – Fu, US Open 2019, a draw",
            transcript: "f5d6c3d3c4f4f6g5e6d7e3g6c7c5c6b6g3b5b4f2a5a6h5c2e8f3e2a3a4b3g4e7"
                + "d2f7d8d1h6c8f8e1b8h4b7h7g7b2a1a2b1c1f1h8g8a8a7g2h2h3g1h1",
            black: 32,
            white: 32
        ),
        Recorded(
            name: "a draw with empty squares, 2018",
            transcript: "e6f4c3c4d3d6c5c6d7b5b6f7a6a5b4a7f3c8e8c7f6e7g8g6f8f5g4e3d2h3g5g3"
                + "h4h5h7d8b8a4b3d1c1b1c2e1e2a3b7f2f1g1b2a2g2h6h2g7",
            black: 30,
            white: 30
        ),
        Recorded(
            name: "perfect play as solved in 2023, a draw",
            transcript: "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2"
                + "g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6",
            black: 32,
            white: 32
        ),
    ]

    @Test("a recorded game ends as it was recorded", arguments: games)
    func recorded(game: Recorded) throws {
        var board = try ReversiMatch()
        try board.play(game.transcript)
        let standings = board.standings
        #expect(standings.isFinished && standings.turn == nil && standings.flags.isEmpty)
        #expect(standings.players.map(\.total) == [game.black, game.white])
        #expect(standings.totalLabel == "Discs")
        #expect(board.transcript == game.transcript)
        #expect(board.legal.isEmpty)
        let isDraw = game.black == game.white
        let winners = isDraw ? [player(1), player(2)] : [player(game.black > game.white ? 1 : 2)]
        #expect(standings.winners == winners)
        #expect(standings.players.map(\.rank).contains(2) != isDraw)
        try compare(board, game.transcript)
    }

    @Test(
        "move by move it is the same game, and passes are reported as they occur",
        arguments: games
    )
    func oneByOne(game: Recorded) throws {
        var whole = try ReversiMatch()
        try whole.play(game.transcript)
        var board = try ReversiMatch()
        var plain = ReversiArray()
        for start in stride(from: 0, to: game.transcript.utf8.count, by: 2) {
            let word = String(game.transcript.dropFirst(start).prefix(2))
            let square = try #require(ReversiSquare(word))
            let mover = plain.mover
            #expect(board.standings.turn == player(mover == "x" ? 1 : 2))
            let played = try board.play(word.uppercased())
            let isPassed = plain.play(square.index)
            #expect(played.by(mover))
            let note = mover == "x" ? "Bob must pass" : "Ann must pass"
            #expect(played.told.contains(note) == isPassed)
            #expect(board.squares == plain.rows)
        }
        #expect(lines(board.standings) == lines(whole.standings))
        #expect(board.panels == whole.panels)
    }

    @Test("a record may have numbers, line breaks and the passes that were due", arguments: games)
    func annotated(game: Recorded) throws {
        var board = try ReversiMatch()
        var record = ""
        let passes = ["pass", "PA", "--"]
        for start in stride(from: 0, to: game.transcript.utf8.count, by: 2) {
            let word = String(game.transcript.dropFirst(start).prefix(2))
            let number = start / 2 + 1
            let isLast = start + 2 == game.transcript.utf8.count
            record += "\(number).\(number % 2 == 0 ? " " : "")\(word)"
            let isPassed = try board.play(word).told.contains { $0.hasSuffix("must pass") }
            if isPassed, !isLast { record += " \(passes[start % 3])" }
            record += number % 10 == 0 ? "\n" : " "
        }
        var whole = try ReversiMatch()
        try whole.play(record)
        #expect(whole.transcript == game.transcript)
        #expect(lines(whole.standings) == lines(board.standings))
    }

    @Test("a pass that is not due is refused")
    func undue() throws {
        let board = try ReversiMatch()
        #expect(board.refusal("f5 pass d6") == "Bob has a move, so a pass is not due")
        #expect(board.refusal("pass f5") == "Ann has a move, so a pass is not due")
    }

    @Test("a draw and a win with empty squares are counted in discs and as in tournaments")
    func tournament() throws {
        var win = try ReversiMatch()
        try win.play("e6f4e3f6g5d6e7f5c5")
        #expect(
            win.standings.told == [
                "the game is over: Ann 13, Bob 0; tournament result: Ann 64, Bob 0"
            ]
        )
        #expect(
            win.standings.outcomes.map { $0.players.map(\.tally) } == [
                [
                    [Symbol(known: "black"): 1, Symbol(known: "tournament"): 64],
                    [Symbol(known: "white"): 1, Symbol(known: "tournament"): 0],
                ]
            ]
        )
        var draw = try ReversiMatch()
        try draw.play(Self.games[6].transcript)
        #expect(
            draw.standings.told == [
                "the game is over: Ann 30, Bob 30; tournament result: Ann 32, Bob 32"
            ]
        )
        #expect(draw.standings.players.map(\.rank) == [1, 1])
        let drawn = draw.standings.outcomes.flatMap(\.players)
        #expect(drawn.map(\.isWinner) == [true, true])
        #expect(drawn.allSatisfy { $0.tally[Symbol(known: "drawn")] == 1 })
        let texts = draw.rules.statistics(of: drawn).suffix(3).map(\.text)
        #expect(texts == ["2", "0 of 1", "0 of 1"])
    }

    @Test("a long transcript is wrapped for narrow terminals")
    func lines60() throws {
        var board = try ReversiMatch()
        try board.play(Self.games[1].transcript)
        for case .text("Transcript", let lines) in board.panels {
            #expect(lines.map(\.count) == [60, 60])
        }
    }

    /// Compares the board after a whole game with the plain one.
    private func compare(_ board: ReversiMatch, _ transcript: String) throws {
        var plain = ReversiArray()
        for start in stride(from: 0, to: transcript.utf8.count, by: 2) {
            let square = try #require(ReversiSquare(String(transcript.dropFirst(start).prefix(2))))
            #expect(plain.moves.contains(square.index))
            _ = plain.play(square.index)
        }
        #expect(plain.isOver)
        #expect(board.squares == plain.rows)
    }
}

extension Played {
    /// Whether it is one move of the side of this mark.
    func by(_ mark: Character) -> Bool {
        let mover = ScoreSheetsTests.player(mark == "x" ? 1 : 2)
        return player == mover && writes.map(\.cell.player) == [mover]
    }
}
