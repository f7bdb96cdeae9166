import LaptopKit
import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

@testable import SessionStore

/// The stored results of finished games.
@Suite(.timeLimit(.minutes(10)))
struct ResultTests {
    @Test("Results outlive their session, count once when it comes back, and can be reset")
    func results() throws {
        let table = try Companions("Ann", "Bob", game: "points")
        try table[0].run("score", "3")
        try table[1].run("score", "4")
        try table.settle()
        #expect(try table[0].results.isEmpty)
        #expect(try table[0].run("results").contains("No finished games yet"))
        try table[0].run("session", "finish")
        try table.settle()
        #expect(try table[0].results == ["Friday: Ann 3, Bob 4*"])
        let code = try table[1].read(InviteReply.self, "session", "invite").code
        let port = try table[1].read(StatusReply.self, "status").daemon.port
        try table[0].run("session", "leave", "--yes")
        #expect(try table[0].sessions.isEmpty)
        #expect(try table[0].results == ["Friday: Ann 3, Bob 4*"])
        table[0].kill()
        try table[0].start("--no-discovery")
        #expect(try table[0].results == ["Friday: Ann 3, Bob 4*"])
        try table[0].run("join", try #require(code), "--peer", "127.0.0.1:\(port)")
        try table.settle()
        #expect(try table[0].results == ["Friday: Ann 3, Bob 4*"])
        let leaders = try table[0].read(LeadersReply.self, "leaders", "points").items
        #expect(leaders.map(\.leaders).first?.map(\.name) == ["Bob"])
        let refused = try table[0].attempt("stats", "reset", "points")
        #expect(refused.status == 2, "\(refused)")
        #expect(refused.errors.contains("Restart leaders and statistics of Points"))
        try table[0].run("stats", "reset", "points", "--yes")
        let after = try table[0].read(StatsReply.self, "stats", "points").items
        #expect(after.map(\.people) == [[]])
        #expect(after.first?.since != nil)
        #expect(try table[0].attempt("stats", "reset", "points", "--yes").status == 5)
        // The other laptop counts as before, and here new games count.
        #expect(try table[1].read(StatsReply.self, "stats").items.map(\.people.count) == [2])
        try table[0].run("session", "new", "points", "--player", "Bob", "--player", "Cem")
        try table[0].run("score", "Cem", "1")
        try table[0].run("session", "finish")
        let cem = try table[0].read(StatsReply.self, "stats", "--player", "cem").items
        #expect(cem.flatMap(\.people).map(\.name) == ["Cem"])
        #expect(try table[0].attempt("stats", "--player", "Zoe").status == 4)
        #expect(try table[0].attempt("leaders", "chess").status == 4)
        #expect(try table[0].results.count == 2)
    }

    @Test("Teams have their totals and members in the sheet and in results, also once it is left")
    func teams() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        let players = ["Ann", "Bob", "Cem", "Dee"].flatMap { ["--player", $0] }
        try laptop.run(["session", "new", "points", "--title", "Tichu"] + players)
        try laptop.run("player", "team", "Reds", "Ann", "Cem")
        try laptop.run("player", "team", "Blues", "Bob")
        for (name, points) in [("Ann", 7), ("Bob", 9), ("Cem", 4), ("Dee", 9)] {
            try laptop.run("score", name, "\(points)")
        }
        try laptop.run("session", "finish")
        let document = try laptop.read(ShowDocument.self, "show")
        let ids = document.players.map(\.id)
        let teams = [
            ShownTeam(name: "Reds", total: 11, rank: 1, winner: true, players: [ids[0], ids[2]]),
            ShownTeam(name: "Blues", total: 9, rank: 2, winner: false, players: [ids[1]]),
        ]
        #expect(document.teams == teams)
        #expect(try laptop.run("show").contains("11★  Ann 7, Cem 4"))
        let line = "Reds 11★ (Ann 7, Cem 4), Blues 9 (Bob 9), Dee 9"
        #expect(try laptop.run("results").contains(line))
        try laptop.run("session", "leave", "--yes")
        #expect(try laptop.run("results").contains(line))
        let results = try laptop.read(ResultsReply.self, "results").items
        #expect(results.map(\.teams) == [teams])
    }

    @Test("A reset that cannot be written forgets nothing")
    func refusedReset() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann", "--player", "Bob")
        try laptop.run("score", "Ann", "3")
        try laptop.run("score", "Bob", "2")
        try laptop.run("session", "finish")
        try laptop.stop()
        try laptop.refuseToRemember()
        try laptop.start("--no-discovery")
        let refused = try laptop.attempt("stats", "reset", "points", "--yes")
        #expect(refused.status == 1, "\(refused)")
        let after = try laptop.read(StatsReply.self, "stats", "points").items
        #expect(after.map(\.people.count) == [2] && after.first?.since == nil)
        #expect(try laptop.attempt("session", "leave", "--yes").status == 1)
        #expect(try laptop.sessions.count == 1)
    }
}

extension Laptop {
    /// Makes its disk refuse what is remembered beside sessions, while its daemon is off.
    fileprivate func refuseToRemember() throws {
        var generator = SeededGenerator(seed: 4)
        let store = try SessionStore(directory: home, using: &generator)
        try store.connection.run(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON setting
            WHEN NEW.name = 'memory' BEGIN SELECT RAISE(ABORT, 'refused'); END
            """
        )
    }

    /// The results, one per line.
    var results: [String] {
        get throws {
            try read(ResultsReply.self, "results").items.map { result in
                let players = result.players.map { player in
                    "\(player.name) \(player.total)\(player.winner ? "*" : "")"
                }
                return "\(result.title): \(players.joined(separator: ", "))"
            }
        }
    }
}
