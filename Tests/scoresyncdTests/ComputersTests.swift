import LaptopKit
import SessionCRDT
import SessionStore
import SyncProtocol
import SyncTestKit
import Testing

/// The laptop that moves for a computer player, with real daemons.
@Suite(.timeLimit(.minutes(10)))
struct ComputersTests {
    /// Ann's laptop, which moves for Robo, and Bob's, whose player begins, in a game of Reversi.
    private func table() throws -> (ann: Laptop, bob: Laptop) {
        let (ann, bob) = (try Laptop("ann-laptop"), try Laptop("bob-laptop"))
        for laptop in [ann, bob] { try laptop.start("--no-discovery") }
        try ann.run("session", "new", "reversi", "--title", "Friday", "--player", "Bob")
        try ann.run("player", "add", "--computer", "Robo", "--depth", "2")
        let code = try #require(try ann.read(InviteReply.self, "session", "invite").code)
        let port = try ann.read(StatusReply.self, "status").daemon.port
        try bob.run("join", code, "--peer", "127.0.0.1:\(port)")
        try bob.run("player", "me", "Bob")
        try bob.run("wait", "--for", "synced", "--timeout", "10")
        return (ann, bob)
    }

    private func show(_ laptop: Laptop) throws -> ShowDocument {
        try laptop.read(ShowDocument.self, "show")
    }

    private func awaitCurrent(_ title: String, on laptop: Laptop) throws {
        try eventually(within: .seconds(15), "\(title) is current on \(laptop.name)") {
            try laptop.current?.title == title
        }
    }

    @Test("A computer moves in a next game that another laptop started, and continues in it")
    func movesInNext() throws {
        let (ann, bob) = try table()
        try bob.run("session", "new", "--again", "--yes")
        // Nobody looks at Ann's laptop until Robo has moved.
        try bob.run("wait", "--for", "peers=1", "--timeout", "10")
        try bob.run("wait", "--for", "synced", "--timeout", "10")
        try bob.run("play", "d3")
        try bob.run("wait", "--for", "turn", "--timeout", "20")
        let robo = try show(bob).players.first { $0.name == "Robo" }
        #expect(robo?.cells.map(\.by) == ["ann-laptop"])
        let listed = try ann.read(PlayersReply.self, "player", "list").items[1].computer
        #expect(listed == ComputerSummary(device: "ann-laptop", here: true, depth: 2))
        // Also when the game before is no longer there to tell whose Robo is.
        try ann.run("session", "leave", "Friday", "--yes")
        try bob.run("undo")
        try bob.run("play", "f5")
        try bob.run("wait", "--for", "turn", "--timeout", "20")
    }

    @Test("A computer moves in a next game that others began and went on from while it was off")
    func movesInLateNext() throws {
        let (ann, bob) = try table()
        try ann.stop()
        try bob.run("session", "new", "--again", "--yes")
        try bob.run("session", "new", "--again", "--yes")
        try bob.run("play", "d3")
        try bob.stop()
        try bob.start("--no-discovery")
        // Ann's laptop has not written in this game yet, and is known all the same.
        #expect(try bob.run("show").contains("Robo is a computer; ann-laptop moves for it"))
        let robo = try bob.read(PlayersReply.self, "player", "list").items[1].computer
        #expect(robo == ComputerSummary(device: "ann-laptop", here: false, depth: 2))
        try ann.start("--no-discovery")
        try bob.call(ann, in: "Friday")
        try awaitCurrent("Friday 3", on: ann)
        try bob.run("wait", "--for", "turn", "--timeout", "20")
    }

    @Test("No player moves for a computer on any laptop, and no player can be one")
    func byHand() throws {
        let (ann, bob) = try table()
        try ann.run("daemon", "offline")
        try bob.run("play", "d3")
        let moved = try bob.attempt("play", "--player", "Robo", "c3")
        #expect(moved.status == 5, "\(moved)")
        #expect(moved.errors.contains("Robo is a computer; only ann-laptop moves for it"))
        let here = try ann.attempt("play", "--player", "Robo", "c3")
        #expect(here.status == 5, "\(here)")
        #expect(here.errors.contains("Robo is a computer; this laptop moves for it automatically"))
        for laptop in [ann, bob] {
            let refused = try laptop.attempt("player", "me", "Robo")
            #expect(refused.status == 5 && refused.errors.contains("name a person"), "\(refused)")
        }
    }

    @Test("A list of moves that reaches a computer's turn is rejected whole, on every laptop")
    func transcript() throws {
        let (ann, bob) = try table()
        for laptop in [ann, bob] {
            for words in [["f5", "f6"], ["f5f6e6"], ["f5", "f6", "--player", "Bob"]] {
                let refused = try laptop.begin(["play"] + words).outcome()
                #expect(refused.status == 5, "\(refused)")
                let told = "and f6 would be its move: nothing was played"
                #expect(refused.errors.contains(told), "\(refused)")
            }
            #expect(try show(laptop).players.allSatisfy(\.cells.isEmpty))
        }
        try ann.run("daemon", "offline")
        try bob.run("play", "f5")
        let entered = try bob.attempt("score", "Robo", "move.2=f6")
        #expect(entered.status == 5 && entered.errors.contains("Robo is a computer"), "\(entered)")
    }

    @Test("The answer to a move has the computer's, from this laptop and from a linked one")
    func answered() throws {
        let (ann, bob) = try table()
        let here = try ann.read(PlayReply.self, "play", "f5")
        #expect(here.answers.map(\.player) == ["Robo"] && here.turn == "Bob")
        #expect(here.totals.map(\.total) == [3, 3])
        #expect(here.board?.last == here.answers.first?.value.description)
        #expect(here.cells.map(\.value) == [.text("f5")])
        try bob.run("wait", "--for", "turn", "--timeout", "20")
        let legal = try #require(try show(bob).panels.first.flatMap(\.legal)?.first)
        let there = try bob.read(PlayReply.self, "play", legal)
        #expect(there.answers.map(\.round) == [4] && there.turn == "Bob")
        // One that is away is not waited for.
        try ann.run("daemon", "offline")
        try eventually(within: .seconds(10), "the link is gone") {
            try bob.read(PeerListReply.self, "peer", "list").items.allSatisfy { !$0.online }
        }
        let next = try #require(there.board?.legal.first)
        let alone = try bob.read(PlayReply.self, "play", next)
        #expect(alone.answers.isEmpty && alone.turn == "Robo" && alone.board?.last == next)
    }

    @Test("Replacing a computer is rejected once moves are made")
    func replaced() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "reversi", "--player", "Ann", "--player", "Bob")
        try laptop.run("play", "d3")
        try laptop.run("player", "remove", "Bob")
        let refused = try laptop.attempt("player", "add", "--computer", "Robo")
        #expect(refused.status == 5, "\(refused)")
        #expect(refused.errors.contains("the sides are fixed once moves are made"), "\(refused)")
        try laptop.run("reset", "--yes")
        try laptop.run("player", "add", "--computer", "Robo", "--depth", "1")
        try laptop.run("play", "d3")
        try laptop.run("wait", "--for", "turn", "--player", "Ann", "--timeout", "10")
    }

    @Test(
        "Nothing that others write about a computer of this laptop makes it move",
        arguments: [false, true]
    )
    func forged(inOwnName: Bool) throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "reversi", "--player", "Ann", "--player", "Bob")
        try laptop.run("play", "d3")
        let session = try #require(try laptop.current.flatMap { SessionID($0.id) })
        let bob = try #require(PlayerID(try show(laptop).players[1].id))
        try laptop.stop()
        do {
            var generator = SeededGenerator(seed: 3)
            let store = try SessionStore(directory: laptop.home, using: &generator)
            let entry = Entry(
                dot: Dot(actor: ActorID(high: 5, low: 5), sequence: 1),
                stamp: Stamp(milliseconds: 1_700_000_000_000),
                author: inOwnName ? store.device : DeviceID(high: 6, low: 6),
                value: .text("\(store.device) 1")
            )
            let batch = Batch(
                removed: [],
                inserted: [KeyedEntry(key: .player(bob, Field.computer), entry: entry)],
                advanced: [entry.dot],
                journal: []
            )
            try store.commit([(session, batch)], at: 1)
        }
        try laptop.start("--no-discovery")
        let listed = try laptop.read(PlayersReply.self, "player", "list").items[1].computer
        #expect(listed == ComputerSummary(device: "ann-laptop", here: false, depth: 1))
        let waited = try laptop.attempt(
            "wait",
            "--for",
            "turn",
            "--player",
            "Ann",
            "--timeout",
            "1"
        )
        #expect(waited.status != 0, "\(waited)")
        // So that it stops no game, whoever is at this laptop can move for it.
        try laptop.run("play", "--player", "Bob", "c3")
    }
}

extension ShownPanel {
    /// The legal moves on a board.
    fileprivate var legal: [String]? {
        guard case .board(let board) = self else { return nil }
        return board.legal
    }
}
