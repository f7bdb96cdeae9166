import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

/// Partners, latecomers and players who are out, on laptops that hold one session.
@Suite("Partners and latecomers", .timeLimit(.minutes(10)))
struct PartnerTests {
    /// The totals of the players in seat order.
    private func totals(_ laptop: Laptop) throws -> [Points] {
        try laptop.read(ShowDocument.self, "show").players.map(\.total)
    }

    @Test("Two partners enter their own bids and tricks on two laptops")
    func bids() throws {
        let table = try Companions("Ann", "Cem", game: "spades")
        try table[0].run("player", "add", "Bob", "Dan", "--team", "Blues")
        try table[0].run("player", "team", "Reds", "Ann", "Cem")
        try table.settle()
        try table[0].run("score", "bid.1=3", "tricks.1=2")
        try table[1].run("score", "bid.1=2", "tricks.1=4")
        try table.settle()
        for laptop in [table[0], table[1]] {
            let show = try laptop.read(ShowDocument.self, "show")
            #expect(show.teams.map(\.total) == [51])
            #expect(show.teams.first?.together == true)
            #expect(show.flags.isEmpty)
        }
        // A round that a partner has entered whole is complete, whatever is added to it.
        try table[1].run("score", "bid.2=4", "tricks.2=10")
        try table.settle()
        let told = try table[0].attempt("score", "bid.2=1")
        #expect(told.errors.contains("Reds together") && !told.errors.contains("counts once"))
    }

    @Test("A pair throws at one score by turns, and what a partner threw is not thrown again")
    func throwing() throws {
        let table = try Companions("Ann", "Cem", game: "molkky")
        try table[0].run("player", "team", "Reds", "Ann", "Cem")
        try table[0].run("player", "add", "Bob")
        try table.settle()
        try table[0].run("score", "12")
        try table.settle()
        let refused = try table[1].attempt("score", "throw.1=12")
        #expect(refused.status == 5 && refused.errors.contains("Ann"), "\(refused)")
        try table[1].run("score", "12")
        try table.settle()
        #expect(try totals(table[0]) == [24, 24, 0])
    }

    @Test("Doubles: four people, two sides, and each says who has won the point")
    func doubles() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        let teams = ["--team", "Reds=Ann,Cem", "--team", "Blues=Bob,Dan"]
        try laptop.run(["session", "new", "tennis"] + teams)
        try laptop.run("play", "Cem")
        try laptop.run("play", "reds")
        try laptop.run("play", "Dan")
        let show = try laptop.read(ShowDocument.self, "show")
        #expect(show.players.map(\.team) == ["Reds", "Blues", "Reds", "Blues"])
        let columns = show.panels.compactMap { panel in
            if case .table(let table) = panel { table.rows.map(\.cells.last) } else { nil }
        }
        #expect(columns.first == ["30", "15"], "\(show.panels)")
        #expect(try laptop.attempt("player", "add", "Eve").status == 5)
        try laptop.run("player", "add", "Eve", "--team", "blues")
    }

    @Test("Somebody joins late with the mean, and nobody waits for the rounds before")
    func late() throws {
        let table = try Companions("Ann", "Bob")
        try table[0].run("session", "option", "target=50")
        try table[0].run("score", "20", "35")
        try table[1].run("score", "10")
        try table.settle()
        try table[1].run("player", "add", "Dee", "--start", "mean")
        try table.settle()
        let players = try table[0].read(PlayersReply.self, "player", "list").items
        #expect(players.last?.since == 2 && players.last?.start == 33)
        #expect(try totals(table[0]) == [55, 10, 33])
        try table[1].run("score", "5")
        try table.settle()
        #expect(try table[0].read(ShowDocument.self, "show").finished)
        try table[0].run("player", "start", "Dee", "7", "--round", "3")
        try table.settle()
        #expect(try totals(table[1]) == [55, 15, 7])
    }

    @Test("Somebody who is out enters nothing more, and the last one in has won")
    func out() throws {
        let table = try Companions("Ann", "Bob", game: "molkky")
        try table[0].run("score", "12", "0", "0")
        try table[1].run("score", "1", "2", "3")
        try table.settle()
        try table[0].run("score", "0")
        #expect(try table[0].attempt("score", "5").status == 5)
        try table.settle()
        let show = try table[1].read(ShowDocument.self, "show")
        #expect(show.finished && show.players.map(\.rank) == [2, 1])
    }
}
