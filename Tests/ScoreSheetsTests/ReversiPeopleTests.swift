import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Changes of players during a game of Reversi")
struct ReversiPeopleTests {
    private let sides = Symbol(known: "sides")

    @Test("the first move records who is black and white, and no other move does")
    func recorded() throws {
        var board = try ReversiMatch()
        try board.play("d3")
        #expect(board.table.options == [sides: .text("\(player(1)) \(player(2))")])
        #expect(try board.played(["c3"]).options == [:])
        #expect(board.flags == [])
    }

    @Test("after the start, other seats and more players change nothing")
    func crowd() throws {
        var board = try ReversiMatch()
        try board.play("d3")
        board.table.players.insert(Player(id: player(3), name: "Cid"), at: 0)
        board.table.players.reverse()
        #expect(board.flags == [])
        #expect(lines(board.standings) == ["Bob 1 2", "Ann 4 1", "Cid 0 -"])
        #expect(board.standings.turn == player(2))
        try board.rules.check(
            Score(board.table.cell(2, "move", 2), .text("c3")),
            in: board.table.book
        )
        #expect(
            board.refusal("c3", by: 3)
                == "Cid is not playing this game: the players are Ann and Bob"
        )
        try board.play("c3")
        #expect(board.transcript == "d3c3")
    }

    @Test("a computer that could only watch is rejected until the moves are undone")
    func computer() throws {
        var board = try ReversiMatch()
        try board.rules.checkComputer(in: board.table.book)
        try board.play("d3")
        board.table.remove(2)
        let refused = #expect(throws: RuleViolation.self) {
            try board.rules.checkComputer(in: board.table.book)
        }
        #expect(refused?.message.contains("Ann and Bob play") == true)
        board.table.write(1, "move", 1, to: .null)
        try board.rules.checkComputer(in: board.table.book)
        #expect(throws: RuleViolation.noComputers(game: "Ghost")) {
            try builtIn("ghost").rules.checkComputer(in: board.table.book)
        }
    }

    @Test("seats changed on a disconnected device invalidate no move when it is back")
    func merged() throws {
        var here = try ReversiMatch()
        try here.play("d3c3")
        // The other device knew no move, seated Bob first, and added Cid.
        var there = try ReversiMatch()
        there.table.players = [there.table.players[1], there.table.players[0]]
        there.table.players.append(Player(id: player(3), name: "Cid"))
        var merged = here
        merged.table.players = there.table.players
        #expect(merged.transcript == "d3c3")
        #expect(merged.flags == [])
        #expect(merged.standings.turn == player(1))
    }

    @Test("of two concurrent first moves one counts, the other is reported")
    func both() throws {
        var here = try ReversiMatch()
        try here.play("d3")
        // Bob, who was first there, began too, and his register of the sides won.
        here.table.players.reverse()
        here.table.options[sides] = .text("\(player(2)) \(player(1))")
        here.table.write(2, "move", 1, to: .text("c4"))
        #expect(here.transcript == "c4")
        #expect(here.flags == ["Ann, move.1: move 1 was Bob's"])
        // Taken back there, what was recorded with it binds nobody.
        here.table.write(2, "move", 1, to: .null)
        here.table.players.reverse()
        #expect(here.transcript == "d3")
        #expect(here.flags == [])
    }

    @Test("the moves of a removed player stay, and the game waits for that player")
    func removed() throws {
        var board = try ReversiMatch()
        try board.play("d3c3")
        board.table.remove(2)
        #expect(board.transcript == "d3c3")
        #expect(board.flags == [])
        #expect(board.standings.turn == nil && board.legal == [])
        #expect(
            board.standings.told == [
                "Bob was removed: restore the player to go on, or finish the session"
            ]
        )
        #expect(board.refusal("c4") == "Bob was removed; restore the player first")
    }

    @Test("after a reset the current seats apply")
    func reset() throws {
        var board = try ReversiMatch()
        try board.play("d3c3")
        for score in try board.rules.reset(of: board.table.book).writes { board.write(score) }
        board.table.players.reverse()
        #expect(board.standings.turn == player(2))
        try board.play("d3")
        #expect(board.table.options[sides] == .text("\(player(2)) \(player(1))"))
        #expect(board.flags == [])
    }

    @Test("the players are not set by hand, and a meaningless value is flagged and ignored")
    func byHand() throws {
        var board = try ReversiMatch()
        #expect(
            refusal { () throws(RuleViolation) in
                try board.rules.check(option: sides, in: board.table.book)
            } == "sides is recorded by the first move; choose who is black before it, with "
                + "player order"
        )
        for text in ["", "x", "\(player(1))", "\(player(1)) \(player(1))"] {
            board.table.options[sides] = .text(text)
            #expect(
                board.flags == [
                    "option sides: this does not say who plays black and white; the game writes "
                        + "it by itself"
                ]
            )
        }
        try board.play("d3")
        #expect(board.flags == [])
    }

    @Test("no change of players invalidates a move", arguments: Seeds.below(40))
    func law(seed: UInt64) throws {
        var board = try ReversiMatch()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Int.random(in: 1...60, using: &generator) {
            guard let square = board.legal.randomElement(using: &generator) else { break }
            try board.play(square)
        }
        let law = PlayerChangeLaw(board.rules, rows: "move")
        #expect(law.counted(board.table).count == board.transcript.utf8.count / 2)
        law.expect(board.table, seed: seed)
    }
}
