import LaptopKit
import SyncProtocol
import Testing

/// The word of the table on who has won.
@Suite("Who has won, where the table says so", .timeLimit(.minutes(10)))
struct VerdictTests {
    private func laptop(_ game: String, _ players: String...) throws -> Laptop {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        let names = players.flatMap { ["--player", $0] }
        try laptop.run(["session", "new", game, "--title", "Friday"] + names)
        return laptop
    }

    private func ranks(_ laptop: Laptop) throws -> [Int?] {
        try laptop.read(ShowDocument.self, "show").players.map(\.rank)
    }

    /// The wins and games of each person, by name.
    private func leaders(_ laptop: Laptop) throws -> [String] {
        try laptop.read(LeadersReply.self, "leaders", "--all").items.flatMap(\.leaders)
            .map { "\($0.name) \($0.wins) of \($0.played)" }.sorted()
    }

    @Test("A tie that was settled has one winner, on every laptop, until the game is reopened")
    func tie() throws {
        let table = try Companions("Ann", "Bob", game: "points")
        for laptop in [table[0], table[1]] { try laptop.run("score", "7") }
        try table.settle()
        try table[1].run("session", "finish", "--winner", "bob")
        try table.settle()
        for laptop in [table[0], table[1]] {
            #expect(try laptop.results == ["Friday: Ann 7, Bob 7*"])
            #expect(try ranks(laptop) == [2, 1])
        }
        try table[0].run("session", "reopen")
        try table[0].run("session", "finish")
        try table.settle()
        #expect(try table[1].results == ["Friday: Ann 7*, Bob 7*"])
        #expect(try ranks(table[1]) == [1, 1])
    }

    @Test("The others keep their order behind whoever won, and a team wins together")
    func others() throws {
        let laptop = try laptop("points", "Ann", "Bob", "Cem", "Dee")
        for (name, points) in [("Ann", "9"), ("Bob", "3"), ("Cem", "5"), ("Dee", "9")] {
            try laptop.run("score", name, points)
        }
        try laptop.run("session", "finish", "--winner", "Bob")
        #expect(try ranks(laptop) == [2, 1, 4, 2])
        try laptop.run("session", "reopen")
        try laptop.run("player", "team", "Reds", "Bob", "Cem")
        try laptop.run("session", "finish", "--winner", "reds")
        let show = try laptop.read(ShowDocument.self, "show")
        #expect(show.winners.count == 2 && show.session.verdict == "winners")
        #expect(show.players.map(\.rank) == [3, 1, 1, 3])
        #expect(show.teams.map(\.winner) == [true])
    }

    @Test("With a winner the partner has won, too, where a team is one scorer")
    func partners() throws {
        let laptop = try laptop("spades", "Ann", "Bob", "Cem", "Dee")
        try laptop.run("player", "team", "North", "Ann", "Cem")
        try laptop.run("player", "team", "South", "Bob", "Dee")
        try laptop.run("session", "finish", "--winner", "Cem")
        let show = try laptop.read(ShowDocument.self, "show")
        #expect(show.winners == [show.players[0].id, show.players[2].id])
    }

    @Test("A game that was given up is a result, which its rules alone would not give")
    func givenUp() throws {
        let laptop = try laptop("reversi", "Ann", "Bob")
        try laptop.run("play", "d3")
        try laptop.run("session", "finish")
        #expect(try laptop.results.isEmpty)
        try laptop.run("session", "finish", "--winner", "Bob")
        #expect(try laptop.results == ["Friday: Ann 4, Bob 1*"])
        #expect(try leaders(laptop) == ["Ann 0 of 1", "Bob 1 of 1"])
    }

    @Test("A match of legs that was given up is won, and its legs stay as they were played")
    func match() throws {
        let laptop = try laptop("darts", "Ann", "Bob")
        try laptop.run("session", "option", "start=101", "legs=3")
        for visit in ["60", "1", "41"] { try laptop.run("play", visit) }
        try laptop.run("session", "finish", "--winner", "Bob")
        let result = try #require(try laptop.read(ResultsReply.self, "results").items.first)
        #expect(result.players.map(\.winner) == [false, true] && result.parts.count == 1)
        #expect(result.parts.first?.players.map(\.winner) == [true, false])
    }

    @Test(
        "All win or lose together without any points, and a game for nobody does not count",
        arguments: [
            ("--all-won", ["Friday: Ann 0*, Bob 0*"], ["Ann 1 of 1", "Bob 1 of 1"]),
            ("--all-lost", ["Friday: Ann 0, Bob 0"], ["Ann 0 of 1", "Bob 0 of 1"]),
            ("--no-winner", ["Friday: Ann 0, Bob 0"], []),
        ]
    )
    func together(flag: String, results: [String], leaders: [String]) throws {
        let laptop = try laptop("points", "Ann", "Bob")
        try laptop.run("session", "finish", flag)
        func check() throws {
            #expect(try laptop.results == results)
            #expect(try self.leaders(laptop) == leaders)
            let verdict = try laptop.read(ResultsReply.self, "results").items.first?.verdict
            #expect(verdict == String(flag.dropFirst(2)))
        }
        try check()
        // Also once the session is left, and after a restart.
        try laptop.run("session", "leave", "--yes")
        laptop.kill()
        try laptop.start("--no-discovery")
        try check()
    }

    @Test("What contradicts itself is refused")
    func contradictions() throws {
        let laptop = try laptop("points", "Ann", "Bob")
        let usage = try laptop.attempt("session", "finish", "--all-won", "--no-winner").status
        #expect(usage == 2)
        #expect(
            try laptop.attempt("session", "finish", "--winner", "Ann", "--all-lost").status == 2
        )
        #expect(try laptop.attempt("session", "finish", "--winner", "Zoe").status == 4)
        #expect(try laptop.read(ShowDocument.self, "show").session.status == "open")
    }

    @Test("A result knows when its game began")
    func began() throws {
        let laptop = try laptop("points", "Ann", "Bob")
        for score in [("Ann", "1"), ("Bob", "2")] { try laptop.run("score", score.0, score.1) }
        try laptop.run("session", "finish")
        let result = try #require(try laptop.read(ResultsReply.self, "results").items.first)
        let (began, at) = (try #require(result.began), try #require(result.at))
        #expect(began.milliseconds < at.milliseconds)
    }
}
