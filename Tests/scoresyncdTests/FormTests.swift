import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

/// Errors for commands that are nearly right.
@Suite(.timeLimit(.minutes(10)))
struct FormTests {
    private func laptop(_ game: String, _ words: String...) throws -> Laptop {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run(["session", "new", game, "--player", "Ann", "--player", "Bob"] + words)
        return laptop
    }

    private func refusal(_ laptop: Laptop, _ words: [String]) throws -> String {
        let outcome = try laptop.begin(words).outcome()
        #expect(outcome.status != 0, "\(outcome)")
        return outcome.errors
    }

    @Test("A score of nearly the right form is rejected with the right form")
    func scores() throws {
        let laptop = try laptop("wingspan")
        for (words, form) in [
            (["Ann", "birds", "3"], "Ann birds=3"),
            (["Ann", "Bob", "eggs=3"], "Ann eggs=3"),
        ] {
            let text = try refusal(laptop, ["score"] + words)
            let advice = "the form ROW=VALUE of one player's score; for example: scorectl score "
            #expect(text.contains(advice + form + "\n"), "\(words)")
        }
    }

    @Test("A row of the other variant of a board is rejected with its name in this one")
    func otherRow() throws {
        let laptop = try laptop("wingspan", "--option", "goals=blue")
        let text = try refusal(laptop, ["score", "Ann", "goal1=1"])
        #expect(text.contains("goal1 needs the option goals=green; here it is goal.1"))
    }

    @Test("Two players of one name can be named as the error suggests")
    func twoOfOneName() throws {
        let laptop = try laptop("points")
        try laptop.run("player", "remove", "Bob")
        try laptop.run("player", "rename", "Ann", "Bob")
        let players = try laptop.read(PlayersReply.self, "player", "list").items
        let gone = try #require(players.first { $0.removed })
        try laptop.run("player", "restore", "Bob (\(gone.id.prefix(8)))")
        #expect(try refusal(laptop, ["score", "Bob", "5"]).contains("(\(gone.id.prefix(8)))"))
        try laptop.run("score", "bob (\(gone.id.prefix(8)))", "5")
        let totals = try laptop.read(ShowDocument.self, "show").players.map(\.total)
        #expect(totals.sorted() == [0, 5])
    }

    @Test("Two sessions of one title can be named as the error suggests")
    func twoOfOneTitle() throws {
        let laptop = try laptop("points")
        let old = try #require(try laptop.current)
        try laptop.run("session", "new", "points", "--title", old.title, "--player", "Cem")
        let refused = try refusal(laptop, ["session", "use", old.title])
        let name = "\(old.title) (\(old.id.prefix(8)))"
        #expect(refused.contains(name), "\(refused)")
        try laptop.run("session", "use", name)
        #expect(try laptop.current?.id == old.id)
    }

    @Test(
        "A name that nobody sees is refused",
        arguments: ["\u{200B}", "\u{FEFF}\u{2060}", "\u{AD}"]
    )
    func invisible(name: String) throws {
        let laptop = try laptop("points")
        #expect(try refusal(laptop, ["player", "add", name]).contains("invisible"))
        try laptop.run("player", "add", "نور\u{200F}")
    }

    @Test("A present player cannot be restored, and a team keeps its spelling")
    func people() throws {
        let laptop = try laptop("rounds")
        #expect(
            try refusal(laptop, ["player", "restore", "Bob"]).contains("Bob is already playing")
        )
        try laptop.run("player", "team", "Reds", "Ann")
        try laptop.run("player", "team", "reds", "Bob")
        let players = try laptop.read(PlayersReply.self, "player", "list").items
        #expect(players.map(\.team) == ["Reds", "Reds"])
    }

    @Test(
        "A game in which teams mean nothing refuses them",
        arguments: ["smash-up", "reversi", "ghost"]
    )
    func noTeams(game: String) throws {
        let laptop = try laptop(game)
        let refused = try refusal(laptop, ["player", "team", "Reds", "Ann"])
        #expect(refused.contains("teams have no meaning"))
        try laptop.run("player", "team", "--none", "Ann")
    }

    @Test("A colour that is not among the most frequent is not dropped, and nothing is written")
    func drop() throws {
        let laptop = try laptop("container")
        // The card that decides between equally frequent ones is not entered yet.
        let early = try refusal(laptop, ["score", "Ann", "white=3", "black=1", "drop=black"])
        #expect(early.contains("drop takes one of the most frequent, white, not black"), "\(early)")
        let words = ["card=white", "white=2", "tan=2", "black=1", "drop=black"]
        let text = try refusal(laptop, ["score", "Ann"] + words)
        #expect(text.contains("drop takes one of the most frequent, white, tan, not black"))
        #expect(try laptop.read(ShowDocument.self, "show").players[0].cells.isEmpty)
        try laptop.run(["score", "Ann"] + words.dropLast())
        try laptop.run("score", "Ann", "drop=tan")
        // By what stands there once all of the command does.
        try laptop.run("score", "Ann", "black=5", "drop=black")
    }
}
