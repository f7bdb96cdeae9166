import ScoreSheets
import SessionCRDT
import Testing

@Suite("Players who join after the end, and unfinished games")
struct AfterTheEndTests {
    @Test("an unfinished match of darts has no leader and no winner")
    func dartsBrokenOff() throws {
        var game = try DartsTable("Ann", "Bob", start: 2, legs: 3)
        try game.play("2")
        #expect(game.standings.leaders == [player(1)])
        game.table.isFinished = true
        #expect(game.standings.isFinished)
        #expect(game.standings.winners == [] && game.standings.leaders == [])
        game.table.isFinished = false
        try game.play(all: "0", "2")
        game.table.isFinished = true
        #expect(game.standings.winners == [player(1)])
    }

    @Test("an unfinished game of Reversi has no winner")
    func reversiBrokenOff() throws {
        let rules = try builtIn("reversi").rules
        var table = Table("Ann", "Bob")
        var aids = MoveContext(random: SystemRandomNumberGenerator())
        let played = try rules.play(Move(["d3"]), in: table.book, with: &aids)
        for score in played.writes { table.write(score.cell, to: score.value) }
        table.options.merge(played.options) { $1 }
        #expect(rules.standings(of: table.book).leaders == [player(1)])
        table.isFinished = true
        #expect(rules.standings(of: table.book).winners == [])
    }

    @Test("a player who joins after a match of darts has no rank in it")
    func darts() throws {
        var game = try DartsTable("Ann", "Bob", start: 2)
        try game.play("2")
        game.table.players.append(Player(id: player(3), name: "Cid"))
        #expect(lines(game.standings) == ["Ann 1 1", "Bob 0 2", "Cid 0 -"])
        #expect(game.left.count == 2)
        // A winner who comes back has still won.
        game.table.remove(1)
        #expect(game.standings.winners == [])
        game.table.restore(1)
        #expect(game.standings.winners == [player(1)])
    }

    @Test("a player who joins after the target was reached does not reopen the game")
    func target() throws {
        let rules = try builtIn("rounds").rules
        var table = Table("Ann", "Bob")
        table.options[Symbol(known: "target")] = .integer(50)
        table.rounds(1, 30, 30)
        table.rounds(2, 20, 10)
        var law = KeptGameLaw(table, rules)
        #expect(law.standings.isFinished)
        func seat(_ added: UInt64?) -> Table {
            var other = table
            let stamp = added.map { Stamp(bits: $0) }
            other.players.append(Player(id: player(3), name: "Cid", added: stamp))
            return other
        }
        #expect(rules.standings(of: seat(100).book).isFinished)
        #expect(lines(rules.standings(of: seat(100).book)) == ["Ann 60 1", "Bob 30 2", "Cid 0 -"])
        // A player who was there before the round was complete must still enter it.
        #expect(!rules.standings(of: seat(2).book).isFinished)
        #expect(!rules.standings(of: seat(nil).book).isFinished)
        // A round that is entered later than somebody came was not complete before.
        law = KeptGameLaw(seat(5), rules)
        #expect(law.standings.isFinished)
        for _ in 0..<6 { table.write(2, "round", 2, to: .integer(10)) }
        let cell = table.cell(2, "round", 2)
        law.write([cell: try #require(table.cells[cell])], "entered again")
        #expect(!law.standings.isFinished)
    }
}
