import LaptopKit
import SyncProtocol
import Testing

/// The people and the options that a device remembers.
@Suite(.timeLimit(.minutes(10)))
struct PeopleTests {
    @Test("A finished session keeps its players, seats and teams; names can still be corrected")
    func finished() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann", "--player", "Bob")
        try laptop.run("score", "Bob", "4")
        try laptop.run("session", "finish")
        let before = try laptop.run("results")
        for words in [
            ["add", "Cem"], ["remove", "Bob"], ["restore", "Bob"], ["order", "Bob"], ["shuffle"],
            ["team", "Red", "Ann", "Bob"],
        ] {
            let refused = try laptop.begin(["player"] + words).outcome()
            #expect(refused.status == 5 && refused.errors.contains("reopen it"), "\(refused)")
        }
        #expect(try laptop.run("results") == before)
        try laptop.run("player", "rename", "Bob", "Robert")
        #expect(try laptop.run("results").contains("Robert 4★"))
    }

    @Test("Too many players are rejected, with the option that allows more")
    func crowd() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        let seven = ["Ann", "Bob", "Cem", "Dan", "Eve", "Fay", "Gus"]
        let all = seven.flatMap { ["--player", $0] }
        let refused = try laptop.begin(["session", "new", "wingspan"] + all).outcome()
        #expect(refused.status == 5, "\(refused)")
        let reason = "the game takes 1 to 5 players, not 7. With asia=yes it is for 1 to 7 players."
        #expect(refused.errors.contains(reason), "\(refused)")
        #expect(try laptop.sessions.isEmpty)
        try laptop.run(["session", "new", "wingspan", "--option", "asia=on"] + all)
        try laptop.run("session", "new", "7-wonders-duel", "--player", "Ann", "--player", "Bob")
        let third = try laptop.attempt("player", "add", "Cem")
        #expect(third.status == 5 && third.errors.contains("player remove NAME"), "\(third)")
        try laptop.run("player", "remove", "Bob")
        try laptop.run("player", "add", "Cem")
        #expect(try laptop.attempt("player", "restore", "Bob").status == 5)
        try laptop.run("people", "select", "Ann", "Bob", "Cem")
        let selected = try laptop.attempt("session", "new", "reversi")
        #expect(selected.status == 5 && selected.errors.contains("scorectl people"), "\(selected)")
    }

    @Test("People are remembered over restarts, and the selected ones play the next game")
    func people() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        try laptop.run("people", "add", "Dan", "Ann")
        try laptop.run("session", "new", "points", "--player", "Cem", "--player", "ann")
        try laptop.run("player", "add", "Bob")
        #expect(try laptop.people == ["Ann –", "Bob –", "Cem –", "Dan –"])
        try laptop.run("people", "select", "da", "Cem")
        try laptop.run("people", "select", "Cem", "Bob")
        #expect(try laptop.people == ["Dan 1", "Cem 2", "Bob 3", "Ann –"])
        try laptop.stop()
        try laptop.start("--no-discovery")
        #expect(try laptop.people == ["Dan 1", "Cem 2", "Bob 3", "Ann –"])
        let begun = try laptop.attempt("session", "new", "points")
        #expect(begun.errors.contains("With the selected people: Dan, Cem, Bob"), "\(begun)")
        let players = try laptop.read(PlayersReply.self, "player", "list").items
        #expect(players.map(\.name) == ["Dan", "Cem", "Bob"])
        let shuffled = try laptop.read(PeopleReply.self, "people", "shuffle").items
        #expect(Set(shuffled.prefix(3).map(\.name)) == ["Dan", "Cem", "Bob"])
        #expect(shuffled.map(\.seat) == [1, 2, 3, nil])
        try laptop.run("people", "unselect", "Cem")
        try laptop.run("people", "remove", "Dan")
        try laptop.run("people", "unselect", "--all")
        #expect(try laptop.people == ["Ann –", "Bob –", "Cem –"])
        #expect(try laptop.attempt("people", "shuffle").status == 5)
        #expect(try laptop.attempt("people", "select", "Zoe").status == 4)
        #expect(try laptop.attempt("people", "add", "12").status == 5)
        try laptop.run("session", "new", "points", "--title", "Nobody")
        #expect(try laptop.read(PlayersReply.self, "player", "list").items.isEmpty)
    }

    @Test("The options of a game are as they were last time on this laptop, until --fresh")
    func options() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        let first = try laptop.attempt("session", "new", "points", "--option", "target=50")
        #expect(first.status == 0 && first.errors.isEmpty, "\(first)")
        try laptop.stop()
        try laptop.start("--no-discovery")
        let low = try laptop.attempt("session", "new", "points", "--option", "wins=lowest")
        #expect(low.errors.contains("As last time: target=50 ("), "\(low)")
        let both = try laptop.attempt("session", "new", "points")
        #expect(both.errors.contains("As last time: target=50, wins=lowest ("), "\(both)")
        // Other games have their own.
        #expect(try laptop.attempt("session", "new", "rounds").errors.isEmpty)
        let none = try laptop.attempt("session", "new", "points", "--option", "target=default")
        #expect(none.errors.contains("As last time: wins=lowest ("), "\(none)")
        // An option set later counts as chosen, a default does not.
        try laptop.run("session", "option", "wins=default", "target=70")
        let later = try laptop.attempt("session", "new", "points")
        #expect(later.errors.contains("As last time: target=70 ("), "\(later)")
        #expect(try laptop.attempt("session", "new", "points", "--fresh").errors.isEmpty)
        #expect(try laptop.attempt("session", "new", "points").errors.isEmpty)
    }

    @Test("Shuffling seats all players of a session, and of the next game, at random")
    func chance() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        let names = ["Ann", "Bob", "Cem", "Dee", "Eve", "Finn"]
        try laptop.run(["session", "new", "points"] + names.flatMap { ["--player", $0] })
        var orders: Set<[String]> = []
        // That chance makes the same order of six three times has one chance in half a million.
        for _ in 1...3 {
            let seated = try laptop.read(PlayersReply.self, "player", "shuffle").items
            orders.insert(seated.map(\.name))
            try laptop.run("session", "new", "--again", "--shuffle", "--yes")
            let again = try laptop.read(PlayersReply.self, "player", "list").items
            orders.insert(again.map(\.name))
        }
        #expect(orders.count > 1)
        for order in orders { #expect(order.sorted() == names) }
    }

    @Test("Teams are shown, and two players of one name are distinguished by their ids")
    func teamsAndDoubles() throws {
        let table = try Companions("Ann", "Bob")
        for laptop in table.laptops { try laptop.run("daemon", "offline") }
        for laptop in table.laptops { try laptop.run("player", "add", "Cem") }
        for laptop in table.laptops { try laptop.run("daemon", "online") }
        try table.settle()
        let players = try table[0].read(PlayersReply.self, "player", "list").items
        #expect(players.map(\.name) == ["Ann", "Bob", "Cem", "Cem"])
        let listed = try table[0].run("player", "list")
        for player in players.suffix(2) { #expect(listed.contains(player.id.prefix(8))) }
        #expect(!listed.contains(players[0].id.prefix(8)))
        #expect(!listed.contains("Team"))
        try table[1].run("player", "team", "Red", "Bob", String(players[2].id.prefix(8)))
        try table.settle()
        let teams = try table[0].read(ShowDocument.self, "show").players.map(\.team)
        #expect(teams == [nil, "Red", "Red", nil])
        try table[0].run("player", "team", "--none", "Bob")
        let left = try table[0].read(PlayersReply.self, "player", "list").items.map(\.team)
        #expect(left == [nil, nil, "Red", nil])
    }
}

extension Laptop {
    /// The people with their seats.
    fileprivate var people: [String] {
        get throws {
            try read(PeopleReply.self, "people").items.map { person in
                "\(person.name) \(person.seat.map { "\($0)" } ?? "–")"
            }
        }
    }
}
