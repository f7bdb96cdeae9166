import ControlSocket
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

/// Games that are played move by move, with real daemons.
struct PlayTests {
    /// The shortest way to lose every disc: nine moves, of which black makes five.
    private static let wipeOut = "f5d6c5f4e7f6g5e6e3"

    private func table(_ players: String...) throws -> Laptop {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run(["session", "new", "reversi"] + players.flatMap { ["--player", $0] })
        return laptop
    }

    private func show(_ laptop: Laptop) throws -> ShowDocument {
        try laptop.read(ShowDocument.self, "show")
    }

    private func moves(_ laptop: Laptop) throws -> Int {
        try show(laptop).players.flatMap(\.cells).count { $0.value != .null }
    }

    private func board(_ laptop: Laptop) throws -> ShownBoard {
        for case .board(let board) in try show(laptop).panels { return board }
        throw Failure("no board is shown")
    }

    @Test("A move is written if the rules allow it, and rejected with a message if not")
    func rules() throws {
        let laptop = try table("Ann", "Bob")
        let played = try laptop.run("play", "d3")
        #expect(played.hasPrefix("Ann: d3 – Bob to move\n\n"), "\(played)")
        for words in [
            ["play", "a1"], ["play", "c3", "--player", "Ann"], ["play", "c3", "--darts", "2"],
        ] {
            let refused = try laptop.begin(words).outcome()
            #expect(refused.status == 5 && refused.output.isEmpty, "\(refused)")
        }
        #expect(try moves(laptop) == 1)
        let reply = try laptop.read(PlayReply.self, "play", "c3")
        #expect(reply.player == "Bob" && reply.turn == "Ann" && !reply.finished)
        #expect(reply.cells.map(\.value) == [.text("c3")] && reply.cells.first?.player == "Bob")
        #expect(reply.totals.map(\.total) == [3, 3] && reply.totalLabel == "Discs")
        #expect(try board(laptop).last == "c3")
    }

    @Test("A game of rows rejects moves and computer players")
    func rows() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        for words in [
            ["play", "5"], ["player", "add", "--computer", "Robo"],
            ["wait", "--for", "turn", "--player", "Ann"],
        ] {
            let refused = try laptop.begin(words).outcome()
            #expect(refused.status == 5, "\(refused)")
        }
        #expect(try show(laptop).panels == [])
    }

    @Test("Several moves are one commit, which undo reverts whole, a winning one too")
    func undo() throws {
        let laptop = try table("Ann", "Bob")
        let won = try laptop.read(PlayReply.self, "play", PlayTests.wipeOut)
        #expect(won.finished && won.winners == ["Ann"] && won.turn == nil)
        #expect(try laptop.attempt("play", "a1").status == 5)
        #expect(try laptop.attempt("wait", "--for", "turn", "--player", "Ann").status == 5)
        let undone = try laptop.read(WrittenReply.self, "undo")
        #expect(undone.cells.count == 9 && undone.cells.count { $0.player == "Bob" } == 4)
        #expect(undone.notes == ["Ann is to move"])
        #expect(try moves(laptop) == 0)
        try laptop.run("play", PlayTests.wipeOut)
        #expect(try show(laptop).finished)
    }

    @Test("A question is about one session, regardless of the current one when it is answered")
    func questionOfSession() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start()
        for title in ["Friday", "Monday"] {
            try laptop.run("session", "new", "rounds", "--title", title)
            try laptop.run("player", "add", "Ann")
        }
        try laptop.run("session", "use", "Friday")
        let client = try ControlClient(path: laptop.home + "/control.sock", client: "test")
        let asked = try client.call(.leave, .init())
        let question = try #require(asked.question)
        try laptop.run("session", "use", "Monday")
        let left = try client.call(.leave, .init(token: question.token))
        #expect(left.question == nil)
        let rest = try laptop.read(SessionListReply.self, "session", "list").items
        #expect(rest.map(\.title) == ["Monday"])
        // The confirmed change is gone, so nothing replaces it.
        #expect(throws: ControlError.self) {
            try client.call(.leave, .init(token: question.token))
        }
        // A wait of more than a year is for ever, and ends nothing.
        let wait = WaitParameters(condition: .peers(9), timeoutMilliseconds: .max)
        #expect(throws: ControlError.self) { try client.call(.wait, wait, timeoutMilliseconds: 50) }
        try laptop.run("show")
    }

    @Test("A reset asks, does only what it asked for, and is undone at once")
    func reset() throws {
        let laptop = try table("Ann", "Bob")
        #expect(try laptop.attempt("reset", "--yes").status == 5)
        try laptop.run("play", "f5d6")
        let client = try ControlClient(
            path: laptop.home + "/control.sock",
            client: "test"
        )
        let asked = try client.call(.reset, .init())
        let question = try #require(asked.question)
        #expect(asked.cells == 2)
        try laptop.run("play", "c5")
        let anew = try client.call(.reset, .init(token: question.token))
        #expect(anew.cells == 3 && anew.question != nil && anew.question?.token != question.token)
        #expect(try moves(laptop) == 3)
        try laptop.run("reset", "--yes")
        #expect(try moves(laptop) == 0)
        try laptop.run("undo")
        #expect(try moves(laptop) == 3)
        // An undone command is skipped: the move before the reset is next.
        try laptop.run("undo")
        #expect(try moves(laptop) == 2)
    }

    @Test("A move that does not count any more is reported once, with its player and cell")
    func flagged() throws {
        let laptop = try table("Ann", "Bob")
        try laptop.run("play", "f5d6")
        try laptop.run("clear", "Ann", "move.1")
        let shown = try laptop.run("show")
        #expect(shown.contains("! Bob move.2: move 1, which is Ann's, comes first"))
        #expect(!shown.contains("does not count"), "\(shown)")
    }

    @Test("A laptop with a chosen player moves for no other by mistake")
    func me() throws {
        let laptop = try table("Ann", "Bob")
        try laptop.run("player", "me", "Bob")
        let refused = try laptop.attempt("play", "d3")
        #expect(refused.status == 5 && refused.errors.contains("you are Bob"), "\(refused)")
        // Nobody could play there, so that another name is no help.
        let nowhere = try laptop.attempt("play", "z9")
        #expect(nowhere.status == 5 && !nowhere.errors.contains("you are Bob"), "\(nowhere)")
        #expect(nowhere.errors.contains("z9 is not a square"), "\(nowhere)")
        try laptop.run("play", "d3", "--player", "Ann")
        try laptop.run("wait", "--for", "turn", "--timeout", "10")
        try laptop.run("play", "c3")
    }

    @Test("A word that is no move is rejected as such, in any player's turn")
    func unknownWord() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "darts", "--player", "Ann", "--player", "Bob")
        try laptop.run("player", "me", "Bob")
        let unknown = try laptop.attempt("play", "x")
        #expect(unknown.status == 5 && !unknown.errors.contains("turn 1"), "\(unknown)")
        let refused = try laptop.attempt("play", "60")
        #expect(refused.status == 5, "\(refused)")
        let reason = "you are Bob; to play for another player, add"
        #expect(refused.errors.contains(reason), "\(refused)")
    }

    @Test("A computer replies, and its reply is undone with the move before it")
    func computer() throws {
        let laptop = try table("Ann")
        try laptop.run("player", "add", "--computer", "Robo", "--depth", "2")
        let robo = try laptop.read(PlayersReply.self, "player", "list").items[1].computer
        #expect(robo == ComputerSummary(device: "ann-laptop", here: true, depth: 2))
        try laptop.run("play", "d3")
        try eventually(within: .seconds(20), "Robo moves") { try moves(laptop) == 2 }
        try laptop.run("wait", "--for", "turn", "--player", "Ann", "--timeout", "10")
        let undone = try laptop.read(WrittenReply.self, "undo")
        #expect(undone.player == "Ann" && undone.cells.map(\.player) == [nil, "Robo"])
        #expect(try moves(laptop) == 0)
        try laptop.run("play", "f5")
        try eventually(within: .seconds(20), "Robo moves again") { try moves(laptop) == 2 }
    }

    @Test("Two computers play a game to its end while the daemon answers, over a restart")
    func computers() throws {
        let laptop = try table()
        for name in ["Hal", "Joshua"] {
            try laptop.run("player", "add", "--computer", name, "--depth", "1")
        }
        laptop.kill()
        try laptop.start("--no-discovery")
        try eventually(within: .seconds(30), "the game ends") { try show(laptop).finished }
        #expect(try show(laptop).flags == [])
        #expect(try laptop.attempt("undo").status == 4)
    }

    @Test("Only the laptop that added a computer moves for it, also after it was away")
    func owner() throws {
        let ann = try table("Ann", "Bob")
        try ann.run("player", "remove", "Ann")
        try ann.run("player", "add", "--computer", "Robo", "--depth", "1")
        let bob = try Laptop("bob-laptop")
        try bob.start("--no-discovery")
        let code = try #require(try ann.read(InviteReply.self, "session", "invite").code)
        let port = try ann.read(StatusReply.self, "status").daemon.port
        try bob.run("join", code, "--peer", "127.0.0.1:\(port)")
        try bob.run("wait", "--for", "synced", "--timeout", "10")
        try ann.stop()
        try bob.run("play", "d3")
        let refused = try bob.attempt("play", "c3")
        #expect(refused.status == 5 && refused.errors.contains("only ann-laptop moves for it"))
        #expect(try bob.run("show").contains("Robo is a computer; ann-laptop moves for it"))
        try ann.start("--no-discovery")
        try bob.call(ann)
        try bob.run("wait", "--for", "turn", "--player", "Bob", "--timeout", "30")
        try eventually(within: .seconds(10), "both show the same") {
            try ann.run("show", "--json") == bob.run("show", "--json")
        }
        let robo = try show(bob).players.first { $0.name == "Robo" }
        #expect(robo?.cells.map(\.by) == ["ann-laptop"])
        let undone = try bob.read(WrittenReply.self, "undo")
        #expect(undone.cells.map(\.player) == [nil, "Robo"] && undone.notes == ["Bob is to move"])
        #expect(try show(bob).flags == [])
        #expect(try moves(bob) == 0)
    }
}
