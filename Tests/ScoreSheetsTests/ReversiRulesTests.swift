import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("The rules of Reversi")
struct ReversiRulesTests {
    /// A game in which Ann, black, must pass after move 8.
    private static let passing = "c4c3e6b4a4a5b2a3"

    @Test("the first seat is black and moves first, and nobody leads before the first move")
    func start() throws {
        let match = try ReversiMatch()
        let standings = match.standings
        #expect(standings.turn == player(1))
        #expect(lines(standings) == ["Ann 2 -", "Bob 2 -"])
        #expect(!standings.isFinished && standings.flags.isEmpty && standings.notes.isEmpty)
        #expect(standings.outcomes.isEmpty)
        #expect(
            match.panels == [
                .board(
                    Panel.Board(
                        squares: [
                            "........", "........", "........", "...ox...", "...xo...",
                            "........", "........", "........",
                        ],
                        pieces: [
                            Panel.Piece(mark: "x", name: "black", player: "Ann"),
                            Panel.Piece(mark: "o", name: "white", player: "Bob"),
                        ],
                        legal: ["d3", "c4", "f5", "e6"],
                        last: nil
                    )
                )
            ]
        )
    }

    @Test("a move is written into its player's cell of the turn, in lower case")
    func move() throws {
        var board = try ReversiMatch()
        let played = try board.play("D3")
        #expect(
            played
                == Played(
                    by: player(1),
                    writes: [Score(board.table.cell(1, "move", 1), .text("d3"))],
                    options: [Symbol(known: "sides"): .text("\(player(1)) \(player(2))")]
                )
        )
        let standings = board.standings
        #expect(lines(standings) == ["Ann 4 1", "Bob 1 2"])
        #expect(standings.turn == player(2))
        #expect(board.squares[2...4] == ["...x....", "...xx...", "...xo..."])
        #expect(board.legal == ["c3", "e3", "c5"])
        #expect(board.transcript == "d3")
        for case .board(let panel) in board.panels { #expect(panel.last == "d3") }
    }

    @Test("several words and one long word are the same, in one commit")
    func several() throws {
        let board = try ReversiMatch()
        let one = try board.played(["F5d6c3"])
        #expect(one == (try board.played(["f5", "D6", "c3"])))
        #expect(one == (try board.played([" f5 d6\tc3\n"])))
        #expect(one.writes.map(\.value) == [.text("f5"), .text("d6"), .text("c3")])
        #expect(one.writes.map(\.cell.player) == [player(1), player(2), player(1)])
        #expect(one.writes.map(\.cell.round) == [1, 2, 3])
    }

    @Test("an illegal move is rejected with a message")
    func refused() throws {
        var board = try ReversiMatch()
        #expect(board.refusal("d4") == "d4 is taken")
        #expect(board.refusal("a1") == "a1 turns no disc")
        #expect(board.refusal("e9") == "e9 is not a square; squares are a1 to h8")
        #expect(board.refusal("d") == "d is not a square; squares are a1 to h8")
        #expect(board.refusal("d3c") == "c is not a square; squares are a1 to h8")
        #expect(board.refusal("é5") == "“é5” is not a square; squares are a1 to h8")
        #expect(board.refusal() == "no square given; for example: scorectl play d3")
        #expect(board.refusal("d3 x") == "x is not a square; squares are a1 to h8")
        #expect(board.refusal(" ") == "no square given; for example: scorectl play d3")
        #expect(board.refusal("") == "no square given; for example: scorectl play d3")
        #expect(board.refusal("pass")?.hasPrefix("passing is automatic") == true)
        #expect(board.refusal("d3", by: 2) == "move 1 is Ann's")
        try board.play("d3", by: 1)
        #expect(board.refusal("c3", by: 1) == "move 2 is Bob's")
        #expect(board.refusal("c3", by: 9) != nil)
        #expect(board.refusal("c3", "c4", "c4") == "move 4: c4 is taken")
        #expect(board.refusal("c3c4", "h8") == "move 4: h8 turns no disc")
        var aids = MoveContext(random: SeededGenerator(seed: 1))
        let move = Move(["c3"], details: ["darts": "2"])
        let refused = refusal { () throws(RuleViolation) in
            _ = try board.rules.play(move, in: board.table.book, with: &aids)
        }
        #expect(refused == "a move takes no option, not “darts” either")
        board.table.isFinished = true
        #expect(board.refusal("c3") == RuleViolation.finished.description)
    }

    @Test("moves after the end are rejected, and so is a transcript that continues after it")
    func over() throws {
        var board = try ReversiMatch()
        let whole = "e6f4e3f6g5d6e7f5c5"
        #expect(board.refusal(whole + "a1") == "move 10: the game is over")
        let played = try board.play(whole)
        #expect(played.notes.count == 1)
        let over =
            "Ann has won the game; undo a move, or begin another with: scorectl session new --again"
        #expect(board.refusal("a1") == over)
        board.table.write(2, "move", 10, to: .text("a1"))
        #expect(board.flags == ["Bob, move.10: Ann has won the game"])
    }

    @Test("a side without a move passes, which is reported but not stored")
    func passed() throws {
        var board = try ReversiMatch()
        let played = try board.play(Self.passing)
        #expect(played.told == ["Ann must pass"])
        #expect(board.standings.turn == player(2))
        #expect(board.standings.told == ["Ann must pass: Bob moves again"])
        #expect(board.standings.told == ["Ann must pass: Bob moves again"])
        let move = try #require(board.legal.first)
        #expect(board.refusal(move, by: 1) == "move 9 is Bob's")
        let next = try board.play(move, by: 2)
        #expect(next.writes.map(\.cell) == [board.table.cell(2, "move", 9)])
        let whole = try ReversiMatch().played([Self.passing, move])
        #expect(whole.told.contains("Ann had to pass after move 8"))
    }

    @Test("a game needs two players; others only watch")
    func players() throws {
        let rules = try builtIn("reversi").rules
        var board = try ReversiMatch()
        board.table = Table("Ann")
        #expect(board.refusal("d3") == "the game takes 2 players, not 1")
        #expect(board.panels.isEmpty && board.standings.flags.isEmpty)
        board.table.write(1, "move", 1, to: .text("d3"))
        #expect(board.flags == ["Ann, move.1: the game takes 2 players, not 1"])

        board.table = Table("Ann", "Bob", "Cid")
        #expect(board.refusal("d3") == "the game takes 2 players, not 3")
        #expect(board.flags == ["the game takes 2 players, not 3"])
        board.table.write(1, "move", 1, to: .text("d3"))
        board.table.write(3, "move", 2, to: .text("c3"))
        #expect(lines(board.standings) == ["Ann 4 1", "Bob 1 2", "Cid 0 -"])
        #expect(board.standings.turn == player(2))
        #expect(
            board.flags == [
                "the game takes 2 players, not 3",
                "Cid, move.2: Cid is not playing this game: the players are the first two",
            ]
        )
        board.table.remove(3)
        #expect(board.flags == ["Cid, move.2: Cid was removed; restore the player first"])
        #expect(
            board.refusal("c3", by: 3)
                == "Cid is not playing this game: the players are the first two"
        )
        #expect(board.refusal("c3") == nil)
        #expect(throws: RuleViolation.self) {
            try rules.check(
                Score(board.table.cell(3, "move", 2), .text("c3")),
                in: board.table.book
            )
        }
    }

    @Test("an entry that cannot count is flagged with its reason, and never traps")
    func flagged() throws {
        var board = try ReversiMatch()
        board.table.write(1, "move", 1, to: .text("D3"))
        board.table.write(2, "move", 1, to: .text("d3"))
        board.table.write(1, "move", 2, to: .text("c5"))
        board.table.write(2, "move", 2, to: .text("a1"))
        board.table.write(1, "move", 3, to: .text("c5"))
        board.table.write(2, "foo", 3, to: .text("c5"))
        board.table.write(2, "move", to: .text("c5"))
        board.table.write(2, "move", 70, to: .text("c5"))
        board.table.options[Symbol(known: "wins")] = .text("x")
        #expect(
            board.flags == [
                "option wins: there is no option “wins”",
                "Ann, move.2: move 2 is Bob's",
                "Ann, move.3: move 2, which is Bob's, comes first and nothing counts there",
                "Bob, foo.3: there is no row “foo”",
                "Bob, move: name the round, as in move.3",
                "Bob, move.1: move 1 was Ann's",
                "Bob, move.2: a1 turns no disc",
                "Bob, move.70: move 2, which is Bob's, comes first and nothing counts there",
            ]
        )
        #expect(board.transcript == "d3")
        board.table.write(2, "move", 2, to: .integer(77))
        #expect(board.flags.contains("Bob, move.2: 77 is not a square; squares are a1 to h8"))
        board.table.write(2, "move", 2, to: .boolean(true))
        #expect(board.flags.contains("Bob, move.2: move takes a text, not yes"))
        let marked = board.standings.players.flatMap(\.cells).filter { $0.points != nil }
        #expect(marked.map(\.bookCell.cell) == [board.table.cell(1, "move", 1)])
    }

    @Test("two moves for one turn: the last writer's counts, and the next may differ by it")
    func conflict() throws {
        var board = try ReversiMatch()
        try board.play("f5")
        board.table.conflict(2, "move", 2, to: .text("d6"), .text("f6"))
        #expect(board.transcript == "f5f6")
        #expect(board.standings.players[1].cells.map(\.bookCell.live.count) == [2])
    }

    @Test("an earlier move can be corrected or cleared, and later ones are judged again")
    func corrected() throws {
        var board = try ReversiMatch()
        try board.play("f5d6c3d3")
        let rules = board.rules
        let second = board.table.cell(2, "move", 2)
        try rules.check(Score(second, .text("f6")), in: board.table.book)
        try rules.check(Score(second, .null), in: board.table.book)
        let refused = #expect(throws: RuleViolation.self) {
            try rules.check(Score(second, .text("c3")), in: board.table.book)
        }
        #expect(refused?.message == "c3 turns no disc")
        let others: [(UInt64, UInt32, String)] = [
            (1, 2, "move 2 is Bob's"),
            (2, 6, "move 5, which is Ann's, comes first and nothing counts there"),
        ]
        for (player, turn, reason) in others {
            let score = Score(board.table.cell(player, "move", turn), .text("f6"))
            let refused = refusal { () throws(RuleViolation) in
                try rules.check(score, in: board.table.book)
            }
            #expect(refused == reason)
        }
        board.table.write(2, "move", 2, to: .null)
        #expect(board.transcript == "f5")
        #expect(
            board.flags == [
                "Ann, move.3: move 2, which is Bob's, comes first and nothing counts there",
                "Bob, move.4: move 2, which is Bob's, comes first and nothing counts there",
            ]
        )
        board.table.write(2, "move", 2, to: .text("f6"))
        #expect(board.flags.first == "Ann, move.3: c3 turns no disc")
        try board.play("d3")
        #expect(board.transcript.hasPrefix("f5f6d3"))
    }

    @Test("a reset undoes every move, and the same players start again")
    func reset() throws {
        var board = try ReversiMatch()
        #expect(throws: RuleViolation.self) { try board.rules.reset(of: board.table.book) }
        try board.play("e6f4e3f6g5d6e7f5c5")
        let reset = try board.rules.reset(of: board.table.book)
        #expect(reset.writes.count == 9)
        for score in reset.writes { board.write(score) }
        #expect(board.panels == (try ReversiMatch().panels))
        #expect(!board.standings.isFinished)
    }

    @Test("an unfinished game has no result")
    func finished() throws {
        var board = try ReversiMatch()
        board.table.isFinished = true
        #expect(board.standings.outcomes.isEmpty)
        board.table.isFinished = false
        try board.play("d3")
        board.table.isFinished = true
        #expect(board.standings.winners == [])
        #expect(board.standings.turn == nil && board.legal.isEmpty)
        #expect(board.standings.outcomes.isEmpty)
        #expect(board.rules.suggestion(in: board.table.book, depth: 1) == nil)
    }
}
