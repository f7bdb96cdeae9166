import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

@Suite("Plays of BG Stats as results", .timeLimit(.minutes(10)))
struct PlayImportTests {
    private let ann: Laptop
    private let scratch: ScratchDirectory

    init() throws {
        ann = try Laptop("ann-laptop")
        try ann.start("--no-discovery")
        scratch = try ScratchDirectory()
    }

    private struct Report: Decodable, Equatable {
        let added: Int
        let known: Int
        let others: Int
    }

    /// Imports plays of Ann and Bob: the id, the game, the time and both scores.
    private func add(
        _ plays: (id: Int, game: Int, at: String, scores: [Int])...,
        options: String...
    ) throws -> Report {
        let items = plays.map { play in
            let scores = play.scores.enumerated().map { index, score in
                let isBest = score == play.scores.max()
                return "{\"playerRefId\":\(index),\"score\":\"\(score)\",\"winner\":\(isBest)}"
            }.joined(separator: ",")
            return """
                {"uuid":"00000000-0000-0000-0000-00000000000\(play.id)","gameRefId":\(play.game),
                 "playDate":"\(play.at)","durationMin":30,"playerScores":[\(scores)]}
                """
        }
        let text = """
            {"games":[{"id":1,"name":"Azul (de)","bggId":230802},{"id":2,"name":"Brass"}],
             "players":[{"id":0,"name":"ann"},{"id":1,"name":"Bob"}],
             "plays":[\(items.joined(separator: ","))]}
            """
        let file = scratch.path + "/BGStatsExport.json"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return try ann.read(Report.self, ["import", file] + options)
    }

    private var results: [ResultSummary] {
        get throws { try ann.read(ResultsReply.self, "results").items }
    }

    @Test("They count with the sheet of the same number, or under their own name, and only once")
    func added() throws {
        let azul = (id: 1, game: 1, at: "2024-03-09 21:00:00", scores: [61, 49])
        let brass = (id: 2, game: 2, at: "2024-03-10 21:00:00", scores: [100, 120])
        #expect(try add(azul, options: "--dry-run") == Report(added: 1, known: 0, others: 0))
        #expect(try results == [])
        #expect(try add(azul) == Report(added: 1, known: 0, others: 0))
        #expect(try add(azul, brass) == Report(added: 1, known: 1, others: 0))
        let results = try results
        #expect(results.map(\.game) == ["Brass", "azul"])
        #expect(results.map(\.name) == ["Brass", "Azul"])
        #expect(results[1].at?.description == "2024-03-09T21:00:00.000Z")
        #expect(results[1].players.map(\.total) == [61, 49] && results[1].minutes == 30)
        let statistics = try ann.read(StatsReply.self, "stats", "azul").items
        #expect(statistics.first?.people.first?.statistics.last?.label == "Average time")
        #expect(statistics.first?.people.first?.statistics.last?.value == "30 min")
        let leaders = try ann.read(LeadersReply.self, "leaders", "azul").items
        #expect(leaders.first?.leaders.first?.name == "ann")
        // They are there after a restart, and a game of these people counts with them.
        ann.kill()
        try ann.start("--no-discovery")
        try ann.run("session", "new", "azul", "--player", "Ann,Bob")
        for (name, score) in [("Ann", 7), ("Bob", 5)] {
            try ann.run("score", name, "points.1=\(score)")
        }
        try ann.run("session", "finish", "--yes")
        let won = try ann.read(LeadersReply.self, "leaders", "azul").items.first?.leaders.first
        #expect(won?.name == "Ann" && won?.wins == 2)
    }

    @Test("A game that this laptop handed over does not come back as another one")
    func own() throws {
        try ann.run("session", "new", "azul", "--player", "Ann,Bob")
        try ann.run("score", "Ann", "points.1=7")
        try ann.run("score", "Bob", "points.1=5")
        try ann.run("session", "finish", "--yes")
        let at = try #require(try results.first?.at).description
        let time = String(at.prefix(19)).replacing("T", with: " ")
        let known = Report(added: 0, known: 1, others: 0)
        #expect(try add((id: 1, game: 1, at: time, scores: [7, 5])) == known)
        #expect(try add((id: 2, game: 1, at: time, scores: [7, 6])).added == 1)
        #expect(try add((id: 3, game: 1, at: "2020-01-01 00:00:00", scores: [7, 5])).added == 1)
        // Two equal plays of one evening are two, whichever import brings them.
        #expect(try add((id: 4, game: 1, at: "2020-01-01 01:00:00", scores: [7, 5])).added == 1)
    }

    @Test("Another file is refused as before")
    func foreign() throws {
        let file = scratch.path + "/other.json"
        try "{\"games\":[]}\n".write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try ann.attempt("import", file)
        #expect(outcome.status == 1 && outcome.errors.contains("not a ScoreSync export"))
    }
}
