import LaptopKit
import SyncProtocol
import Testing

/// Notes in the reply to a score about the game, and about entries without effect.
@Suite(.timeLimit(.minutes(10)))
struct AnswerTests {
    private func laptop(_ words: String..., players: [String]) throws -> Laptop {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run(["session", "new"] + words + players.flatMap { ["--player", $0] })
        return laptop
    }

    private func notes(_ laptop: Laptop, _ words: String...) throws -> [String] {
        try laptop.read(WrittenReply.self, words).notes
    }

    @Test("The score that ends a game reports who has won, and later ones that it was over")
    func over() throws {
        let laptop = try laptop(
            "rounds",
            "--option",
            "target=100",
            players: ["Ann", "Bob", "Cem"]
        )
        #expect(try notes(laptop, "score", "Ann", "100") == [])
        #expect(try notes(laptop, "score", "Bob", "40") == [])
        #expect(try notes(laptop, "score", "Cem", "100") == ["Ann, Cem have won"])
        #expect(
            try notes(laptop, "score", "Ann", "round.1=99")
                == ["Cem has won; this changes a game that is over"]
        )
        #expect(
            try notes(laptop, "score", "Cem", "round.1=9") == ["the game is not over any more"]
        )
        #expect(try notes(laptop, "undo") == ["Cem has won"])
    }

    @Test("A row that wins the game is reported at once")
    func row() throws {
        let laptop = try laptop("7-wonders-duel", players: ["Ann", "Bob"])
        try laptop.run("player", "me", "Bob")
        #expect(try notes(laptop, "score", "symb=yes") == ["Bob has won"])
    }

    @Test("An entry that cannot count any more is reported until it is corrected")
    func vain() throws {
        let laptop = try laptop("container", players: ["Ann", "Bob", "Cem"])
        try laptop.run("score", "Ann", "card=white", "white=2", "black=2", "dropped=black")
        let first = try notes(laptop, "score", "Ann", "white=3")
        #expect(first == ["1 entry of this laptop cannot count (see the score sheet)"])
        let later = try notes(laptop, "score", "Bob", "cash=3")
        #expect(later == ["1 entry of this laptop cannot count (see the score sheet)"])
        #expect(try notes(laptop, "score", "Ann", "dropped=white") == [])
    }

    @Test("A row in place of a player is rejected with an example")
    func rowForPlayer() throws {
        let laptop = try laptop("wingspan", players: ["Ann", "Bob"])
        let slip = try laptop.attempt("score", "birds", "7")
        #expect(slip.status == 2)
        #expect(slip.errors.contains("one player's score; for example: scorectl score birds=7"))
        let unknown = try laptop.attempt("score", "Zed", "7")
        #expect(unknown.errors.contains("no player “Zed”\nAvailable: Ann, Bob\n"), "\(unknown)")
        // A name that was understood is not suggested.
        let second = try laptop.attempt("player", "remove", "Ann", "Bobby", "--yes")
        #expect(second.errors.contains("no player “Bobby”\nDid you mean: Bob?\n"), "\(second)")
    }

    @Test("The beginning of an id is no name, except of six digits and more")
    func ids() throws {
        let laptop = try laptop("rounds", players: ["Yo", "Zo"])
        for digit in "0123456789abcdef" {
            #expect(try laptop.attempt("score", "\(digit)", "round.1=5").status != 0)
            #expect(try laptop.attempt("session", "show", "\(digit)").status == 4)
        }
        let show = try laptop.read(ShowDocument.self, "show")
        try laptop.run("score", String(show.players[1].id.prefix(6)), "7")
        let zo = try laptop.read(ShowDocument.self, "show").players[1]
        #expect(zo.cells.map(\.value) == [.integer(7)])
        try laptop.run("session", "show", String(show.session.id.prefix(6)))
    }

    @Test("A mistyped name is answered with the nearest, and not with everything")
    func nearest() throws {
        let laptop = try laptop("rounds", players: ["Ann", "Bob"])
        let game = try laptop.attempt("session", "new", "contaner")
        #expect(game.status == 4)
        #expect(game.errors.hasSuffix("\nDid you mean: container?\n"), "\(game)")
        let other = try laptop.attempt("session", "new", "chess")
        #expect(other.errors.contains(" more\n"), "\(other)")
    }

    @Test("Restarting statistics also restarts leaders and keeps the results")
    func reset() throws {
        let laptop = try laptop("points", players: ["Ann", "Bob"])
        try laptop.run("score", "Ann", "5")
        try laptop.run("session", "finish")
        let question = try laptop.attempt("stats", "reset", "points").errors
        #expect(question.contains("Restart leaders and statistics of Points"), "\(question)")
        #expect(question.contains("1 finished game will no longer count"), "\(question)")
        try laptop.run("stats", "reset", "points", "--yes")
        #expect(try !laptop.run("leaders").contains("Ann"))
        #expect(try laptop.run("results").contains("Ann 5★"))
    }
}
