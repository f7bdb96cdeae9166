import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Changes of players during a match of darts")
struct DartsPeopleTests {
    private let order = Symbol(known: "order")
    private let mode = "start=501 out=double in=straight legs=1 sets=1"

    @Test("only the first visit records the throwing order")
    func recorded() throws {
        var game = try DartsTable("Ann", "Bob")
        try game.play("60")
        let text = "\(mode);1 \(player(1)) \(player(2))"
        #expect(game.table.options[order] == .text(text))
        try game.play("60")
        #expect(game.table.options[order] == .text(text))
        #expect(game.flags == [])
    }

    @Test("a new player throws at once, at their seat, from the start of the leg")
    func newcomer() throws {
        var game = try DartsTable("Ann")
        try game.play(all: "60", "60")
        game.table.players.append(Player(id: player(2), name: "Bob"))
        #expect(game.turn == 2)
        #expect(game.flags == [])
        try game.play(all: "100", "45")
        #expect(game.left == ["336", "401"])
        #expect(
            game.table.options[order]
                == .text("\(mode);1 \(player(1));3 \(player(1)) \(player(2))")
        )
        #expect(game.turn == 2)
    }

    @Test("a removed player is skipped, and continues when restored")
    func removed() throws {
        var game = try DartsTable("Ann", "Bob", "Cid")
        try game.play(all: "60", "45", "26", "60")
        game.table.remove(2)
        #expect(game.turn == 3)
        try game.play(all: "26", "60", "26")
        #expect(game.flags == [])
        #expect(game.left == ["321", "456", "423"])
        #expect(game.standings.players.map(\.player.name) == ["Ann", "Cid", "Bob"])
        #expect(game.column("Left").count == 3)
        game.table.restore(2)
        #expect(game.flags == [])
        #expect(game.left == ["321", "456", "423"])
        #expect(game.turn == 1)
        try game.play(all: "5", "5")
        #expect(game.flags == [])
        #expect(game.left == ["316", "451", "423"])
        #expect(game.turn == 3)
    }

    @Test("a player who left before the leg in progress is not on its scoreboard")
    func gone() throws {
        var game = try DartsTable("Ann", "Bob", "Cid", start: 2, legs: 5)
        try game.play(all: "0", "0", "0", "2")
        game.table.remove(3)
        #expect(game.left == ["2", "2"])
        #expect(game.standings.players.count == 3)
        try game.play("0")
        #expect(game.turn == 1)
        #expect(game.flags == [])
    }

    @Test("another order of seats applies from the next leg on")
    func seats() throws {
        var game = try DartsTable("Ann", "Bob", "Cid", start: 60, legs: 5)
        try game.play("0")
        game.table.players.reverse()
        #expect(game.turn == 2)
        try game.play(all: "0", "0", "60")
        #expect(game.standings.outcomes.count == 1)
        #expect(game.flags == [])
        // The second leg begins with the second seat, which is Bob's again, then Ann.
        #expect(game.turn == 2)
        try game.play("0")
        #expect(game.turn == 1)
        #expect(game.flags == [])
    }

    @Test("a restored player keeps the recorded position, regardless of seats")
    func restored() throws {
        var game = try DartsTable("Ann", "Bob", "Cem")
        try game.play(all: "60", "61")
        game.table.remove(2)
        try game.play("62", by: 3)
        game.table.restore(2)
        #expect(game.turn == 1)
        // Cem Ann Bob: each has thrown once, and Cem threw last.
        game.table.players = [2, 0, 1].map { game.table.players[$0] }
        #expect(game.turn == 1)
        try game.play(all: "60", "61", "62")
        #expect(game.flags == [])
        #expect(game.left == ["377", "381", "379"])
    }

    @Test("the next player in a leg does not depend on the seats", arguments: Seeds.below(40))
    func reseated(seed: UInt64) throws {
        var game = try DartsTable("Ann", "Bob", "Cem", "Dan")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<4 { try game.play("1") }
        for _ in 0..<30 {
            if Bool.random(using: &generator) { try game.play("1") }
            let number = UInt64.random(in: 1...4, using: &generator)
            if Bool.random(using: &generator) {
                game.table.restore(number)
            } else if game.table.players.count(where: \.isPresent) > 1 {
                game.table.remove(number)
            }
            let turn = game.turn
            var other = game
            other.table.players.shuffle(using: &generator)
            #expect(other.turn == turn, "seed \(seed)")
        }
    }

    @Test("a cleared past turn still belongs to its player")
    func past() throws {
        var game = try DartsTable("Ann", "Bob")
        try game.play(all: "60", "45", "60")
        game.table.players.append(Player(id: player(3), name: "Cid"))
        try game.play(all: "45", "26")
        #expect(game.flags == [])
        try game.correct(1, 3, to: .null)
        #expect(game.turn == 1)
        try game.play("100")
        #expect(game.flags == [])
        #expect(game.left == ["341", "411", "475"])
    }

    @Test("visits without a recorded order follow the order of the seats")
    func unrecorded() throws {
        var game = try DartsTable("Ann", "Bob")
        try game.correct(1, 1, to: .text("60"))
        try game.correct(2, 2, to: .text("45"))
        #expect(game.left == ["441", "456"])
        #expect(game.table.options[order] == nil)
        try game.play("60")
        #expect(game.table.options[order] == .text("\(mode);1 \(player(1)) \(player(2))"))
        #expect(game.left == ["381", "456"])
    }

    @Test("after a change of players, only play records the order")
    func byHand() throws {
        var game = try DartsTable("Ann")
        try game.play("60")
        game.table.players.append(Player(id: player(2), name: "Bob"))
        #expect(
            refusal { () throws(RuleViolation) in try game.correct(2, 2, to: .text("60")) }
                == "the players changed; enter visit 2 with play, which records who throws now"
        )
    }

    @Test(
        "an invalid recorded order is flagged and ignored",
        arguments: ["", "1", "2 a", "1 a", "x", ";", "1 00000000000000000000000000000001;1 "]
    )
    func wrongOrder(text: String) throws {
        var game = try DartsTable("Ann")
        game.set("order", .text(text))
        #expect(
            game.flags == [
                "option order: this is not a throwing order; the game writes it by itself"
            ]
        )
        try game.play("60")
        #expect(game.flags == [])
        #expect(game.left == ["441"])
    }

    @Test("no change of players invalidates a visit", arguments: Seeds.below(40))
    func law(seed: UInt64) throws {
        var game = try DartsTable("Ann", "Bob", "Cid", start: 101, legs: 9)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
            try game.play(["60", "26", "41", "0", "101/2"].randomElement(using: &generator) ?? "0")
            if Int.random(in: 0..<8, using: &generator) == 0 {
                game.table.players.shuffle(using: &generator)
            }
        }
        PlayerChangeLaw(try builtIn("darts").rules, rows: "visit").expect(game.table, seed: seed)
    }

    @Test("the order cannot be set by hand, neither before the first visit nor after it")
    func orderByHand() throws {
        var game = try DartsTable("Ann", "Bob")
        let words = "order is recorded by the first visit; change the seats with player order"
        #expect(game.refusal(ofOption: "order") == words)
        try game.play("60")
        #expect(game.refusal(ofOption: "order") == words)
    }

    @Test("more players than an order can hold are rejected")
    func tooMany() throws {
        var game = try DartsTable()
        game.table.players = (1...101).map { Player(id: player($0), name: "P\($0)") }
        #expect(
            refusal { () throws(RuleViolation) in try game.play("60") }
                == "the game takes 1 to 100 players, not 101"
        )
        game.table.players.removeLast()
        #expect(throws: Never.self) { try game.play("60") }
        #expect(game.flags == [])
    }

    @Test("a computer at the table never moves by itself")
    func suggestion() throws {
        let rules = try builtIn("darts").rules
        #expect(rules.suggestion(in: Table("Ann").book, depth: 3) == nil)
    }
}
