import LaptopKit
import SyncProtocol
import Testing

/// An evening of Smash Up, as people type it, with real daemons.
@Suite(.timeLimit(.minutes(10)))
struct SmashUpPlayTests {
    private func table(_ game: String = "smash-up") throws -> Laptop {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", game, "--player", "Ann", "--player", "Bob")
        return laptop
    }

    private func winners(_ laptop: Laptop) throws -> [[String]] {
        try laptop.read(ResultsReply.self, "results").items.map { result in
            result.players.filter(\.winner).map(\.name)
        }
    }

    @Test("A reset after the end keeps the game in the results and begins the next one")
    func reset() throws {
        let laptop = try table()
        for words in [["deal"], ["reveal"], ["Ann", "+15"], ["end"]] {
            try laptop.run(["play"] + words)
        }
        #expect(try winners(laptop) == [["Ann"]])
        let asked = try laptop.attempt("reset")
        #expect(asked.status == 2 && asked.errors.contains("stays in the results"), "\(asked)")
        #expect(!asked.errors.contains("goes out"), "\(asked)")
        try laptop.run("reset", "--yes")
        #expect(try winners(laptop) == [["Ann"]])
        #expect(try laptop.run("leaders").contains("Ann"))
        #expect(try laptop.run("show").contains("Game 2, turn 1: Ann"))
        let undone = try laptop.read(WrittenReply.self, "undo")
        #expect(undone.player.isEmpty && undone.cells.allSatisfy { $0.player == nil })
        #expect(try winners(laptop) == [["Ann"]])
        try laptop.run("reset", "--yes")
        for words in [["deal"], ["Bob", "+20"]] { try laptop.run(["play"] + words) }
        try laptop.run("reset", "--yes")
        #expect(try winners(laptop) == [["Ann"]])
    }

    @Test("A deal is in no output before it is revealed")
    func hiddenDeal() throws {
        let laptop = try table()
        let dealt = try laptop.read(PlayReply.self, "play", "deal")
        #expect(dealt.cells.map(\.value) == [.text("hidden")])
        let words = [
            ["show", "--json"], ["history", "--json"], ["undo", "--json"], ["show", "--json"],
            ["history", "--json"], ["play", "deal", "--json"], ["history", "--json"],
        ]
        for words in words {
            let told = try laptop.run(words)
            #expect(!told.contains("+"), "\(words): \(told)")
        }
        try laptop.run("play", "reveal")
        #expect(try laptop.run("show", "--json").contains("+"))
    }

    @Test("A reset of a finished game warns that the result is lost too, and how to keep it")
    func loss() throws {
        let laptop = try table("reversi")
        try laptop.run("play", "f5d6")
        let early = try laptop.attempt("reset")
        #expect(early.status == 2 && !early.errors.contains("results"), "\(early)")
        try laptop.run("play", "c5f4e7f6g5e6e3")
        #expect(try winners(laptop) == [["Ann"]])
        let asked = try laptop.attempt("reset")
        let words =
            "Ann has won this game, which will be removed from the results. "
            + "To keep it, start the next game instead."
        #expect(asked.status == 2 && asked.errors.contains(words), "\(asked)")
        try laptop.run("reset", "--yes")
        #expect(try winners(laptop).isEmpty)
    }

    @Test("A replay is no player's move, when it is made and when it is undone")
    func replay() throws {
        let laptop = try table()
        try laptop.run("player", "me", "Bob")
        try laptop.run("play", "Ann", "+15")
        try laptop.run("play", "end", "--player", "Ann")
        #expect(try laptop.run("play", "replay").hasPrefix("replay – Ann to move\n"))
        #expect(try laptop.run("undo").hasPrefix("Turn 2 = – (was replay)"))
        #expect(try laptop.run("undo").hasPrefix("Ann: Turn 1 = – (was end, 15 to win)"))
    }

    @Test("A deal is described by the names of players and factions once it is revealed")
    func deal() throws {
        let laptop = try table()
        try laptop.run("play", "deal")
        #expect(try laptop.run("history").contains("hidden"))
        #expect(try laptop.run("undo").hasPrefix("Deal = – (was hidden)"))
        try laptop.run("play", "deal")
        try laptop.run("play", "reveal")
        let values = try laptop.read(HistoryReply.self, "history").items.compactMap(\.text)
        #expect(
            values.first?.hasPrefix("Ann: ") == true && values.first == values.dropFirst().first
        )
        #expect(try laptop.run("undo").contains("Reveal = – (was Ann: "))
    }

    @Test("A single player cannot play, and there is no result")
    func alone() throws {
        let laptop = try table()
        try laptop.run("player", "remove", "Bob")
        for words in [["Ann", "+15"], ["end"], ["deal"]] {
            let refused = try laptop.begin(["play"] + words).outcome()
            #expect(refused.status == 5 && refused.errors.contains("2 to 4 players"), "\(refused)")
        }
        #expect(try winners(laptop).isEmpty)
    }
}
