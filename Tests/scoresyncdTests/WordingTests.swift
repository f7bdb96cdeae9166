import LaptopKit
import SessionCRDT
import SessionStore
import SyncProtocol
import SyncTestKit
import Testing

/// Messages for people, with real daemons.
struct WordingTests {
    private func laptop(playing game: String) throws -> Laptop {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", game, "--player", "Ann", "--player", "Bob")
        return laptop
    }

    @Test("A gain of Smash Up is named by its turn everywhere")
    func turns() throws {
        let laptop = try laptop(playing: "smash-up")
        let played = try laptop.read(PlayReply.self, "play", "Ann", "+3")
        #expect(played.cells.map(\.label) == ["Points in turn 1"])
        #expect(try laptop.run("undo").hasPrefix("Ann: Points in turn 1 = – (was 3)"))
        let history = try laptop.run("history")
        #expect(history.contains("Points in turn 1") && !history.contains("points."), "\(history)")
        let entries = try laptop.read(HistoryReply.self, "history").items
        #expect(Set(entries.map(\.label)) == ["Points in turn 1"])
        try laptop.run("session", "new", "rounds", "--player", "Ann")
        try laptop.run("score", "Ann", "3")
        #expect(try laptop.run("history").contains("round.1"))
    }

    @Test(
        "A typing error is reported as such",
        arguments: [
            (["score", "0x10"], 4, "there is no player “0x10”"),
            (["score", "Zoe", "5"], 4, "there is no player “Zoe”"),
            (
                ["score", "round=5"], 2,
                "Whose score? Name the player (scorectl score Ann 12), or say"
            ),
            (["score", "Ann", "round.-1=5"], 5, "rounds count from 1 to"),
            (["clear", "Ann", "round.-1"], 5, "rounds count from 1 to"),
        ]
    )
    func slips(words: [String], status: Int32, text: String) throws {
        let laptop = try laptop(playing: "rounds")
        let outcome = try laptop.begin(words).outcome()
        #expect(outcome.status == status && outcome.errors.contains(text), "\(outcome)")
    }

    @Test("A laptop does not link with itself")
    func itself() throws {
        let laptop = try laptop(playing: "points")
        let port = try laptop.read(StatusReply.self, "status").daemon.port
        let refused = try laptop.attempt("peer", "add", "127.0.0.1:\(port)")
        #expect(
            refused.status == 5 && refused.errors.contains("an address of this laptop"),
            "\(refused)"
        )
        #expect(try laptop.read(PeerListReply.self, "peer", "list").items.isEmpty)
        try laptop.run("peer", "add", "127.0.0.1:\(port == 47_616 ? 47_617 : 47_616)")
    }

    @Test("A user game that has become unreadable can be removed")
    func unreadable() throws {
        let laptop = try Laptop("ann-laptop")
        do {
            var generator = SeededGenerator(seed: 5)
            let store = try SessionStore(directory: laptop.home, using: &generator)
            try store.save(StoredSheet(id: Symbol(known: "tarok"), text: "{"))
        }
        try laptop.start("--no-discovery")
        #expect(try laptop.run("status").contains("your game tarok cannot be read"))
        #expect(try laptop.run("games", "remove", "tarok", "--yes") == "Removed “tarok”.\n")
        #expect(try laptop.attempt("games", "remove", "tarok").status == 4)
        try laptop.stop()
        try laptop.start("--no-discovery")
        #expect(try !laptop.run("status").contains("tarok"))
    }

    @Test("Dates are in the local time zone")
    func dates() throws {
        let laptop = try laptop(playing: "points")
        try laptop.run("score", "Ann", "5")
        try laptop.run("session", "finish")
        let program = try Programs.path(of: "scorectl")
        let days = try ["AAA-14", "AAA12"].map { zone in
            try Running(
                [program, "--home", laptop.home, "results"],
                adding: ["TZ=\(zone)"],
                .captured
            )
            .outcome().output.split(separator: "\n")[1].prefix(10)
        }
        #expect(days[0] > days[1], "\(days)")
    }
}
