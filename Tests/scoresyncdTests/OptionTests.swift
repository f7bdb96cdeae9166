import FoundationEssentials
import LaptopKit
import SyncProtocol
import Testing

/// The options of a session that is played already.
struct OptionTests {
    @Test("Options chosen during a game are remembered for the next one too")
    func remembered() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points")
        try laptop.run("session", "option", "target=40")
        let next = try laptop.attempt("session", "new", "points")
        #expect(next.errors.contains("As last time: target=40 ("), "\(next)")
        try laptop.run("session", "option", "target=default")
        #expect(try laptop.attempt("session", "new", "points").errors.isEmpty)
    }

    @Test("Records of moves are no options to see or to set, here or in a new session")
    func recorded() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "darts", "--player", "Ann", "--player", "Bob")
        try laptop.run("play", "60")
        let options = try laptop.read(SessionOptionReply.self, "session", "option").options
        #expect(options.map(\.name) == ["start", "out", "in", "legs", "sets", "all-legs"])
        #expect(try laptop.read(SessionReply.self, "session", "show").session.options == [:])
        for words in [["session", "option"], ["session", "new", "darts", "--option"]] {
            let refused = try laptop.begin(words + ["order=1"]).outcome()
            #expect(refused.status == 5, "\(refused)")
            #expect(refused.errors.contains("the game sets order itself"), "\(refused)")
        }
        let twice = try laptop.attempt("session", "option", "legs=3", "leg=5")
        #expect(twice.status == 2 && twice.errors.contains("more than once"), "\(twice)")
    }

    @Test("Statistics know a user game before it was played and after its session is left")
    func ownGame() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        let path = "\(laptop.home)/game.json"
        let sheet = """
            {"id": "tarok", "name": "Our Tarok", "summary": "Rounds.",
             "rows": [{"id": "round", "label": "Round", "kind": "rounds"}]}
            """
        try Data(sheet.utf8).write(to: URL(filePath: path))
        try laptop.run("games", "add", path)
        #expect(
            try laptop.read(LeadersReply.self, "leaders", "tarok").items.map(\.name) == [
                "Our Tarok"
            ]
        )
        try laptop.run("session", "new", "tarok", "--player", "Ann", "--player", "Bob")
        try laptop.run("score", "Ann", "7")
        try laptop.run("session", "finish")
        try laptop.run("session", "leave", "--yes")
        let results = try laptop.read(ResultsReply.self, "results", "our").items
        #expect(results.map(\.name) == ["Our Tarok"])
    }
}
