import LaptopKit
import SyncProtocol
import Testing

/// Notes in replies about entries that do not count.
@Suite(.timeLimit(.minutes(10)))
struct LossTests {
    @Test("A turn lost to another laptop is reported with every reply until it is settled")
    func lost() throws {
        let table = try Companions("Ann", "Bob", game: "darts")
        let (ann, bob) = (table[0], table[1])
        for laptop in table.laptops { try laptop.run("daemon", "offline") }
        try ann.run("play", "100")
        try bob.run("play", "60", "--player", "Ann")
        for laptop in table.laptops { try laptop.run("daemon", "online") }
        try table.settle()
        let loss = "1 entry of this laptop lost to another one (see the conflicts)"
        let answers = try [
            ann.read(PlayReply.self, "play", "26", "--player", "Bob").notes,
            bob.read(PlayReply.self, "play", "45", "--player", "Ann").notes,
            ann.read(WrittenReply.self, "undo").notes,
        ]
        #expect(answers.map { $0.contains(loss) } == [true, false, true], "\(answers)")
        try ann.run("resolve", "Ann", "visit.1", "100")
        let settled = try ann.read(PlayReply.self, "play", "5", "--player", "Bob").notes
        #expect(!settled.contains(loss), "\(settled)")
    }

    @Test("An undo settles no conflict of two other laptops")
    func three() throws {
        let table = try Companions("Ann", "Bob", "Cem", game: "points")
        for laptop in table.laptops { try laptop.run("daemon", "offline") }
        for (laptop, points) in zip(table.laptops, ["1", "2", "3"]) {
            try laptop.run("score", "Ann", points)
        }
        for laptop in table.laptops { try laptop.run("daemon", "online") }
        try table.settle()
        for laptop in table.laptops {
            let refused = try laptop.attempt("undo")
            #expect(refused.status == 5 && refused.errors.contains("conflicts"), "\(refused)")
        }
        let cells = try table[0].read(ShowDocument.self, "show").players[0].cells
        #expect(cells.map(\.conflict.count) == [2])
        try table[1].run("resolve", "Ann", "points", "2")
        try table.settle()
        #expect(try table[2].read(ShowDocument.self, "show").players[0].cells[0].conflict.isEmpty)
    }

    @Test("The turn of a player whom a merge seats again counts once play records it")
    func seatedAgain() throws {
        let table = try Companions("Ann", "Bob", game: "darts")
        let (ann, bob) = (table[0], table[1])
        try ann.run("player", "add", "Cem")
        for (points, name) in [("60", "Ann"), ("45", "Bob")] {
            try ann.run("play", points, "--player", name)
        }
        try table.settle()
        try bob.run("daemon", "offline")
        try ann.run("player", "remove", "Bob")
        try ann.run("play", "100", "--player", "Cem")
        for (points, name) in [("100", "Cem"), ("7", "Ann"), ("8", "Bob")] {
            try bob.run("play", points, "--player", name)
        }
        try bob.run("daemon", "online")
        try table.settle()
        let flags = try ann.read(ShowDocument.self, "show").flags
        #expect(flags.count == 1 && flags[0].reason.contains("with play"), "\(flags)")
        try ann.run("play", "8", "--player", "Bob")
        #expect(try ann.read(ShowDocument.self, "show").flags.isEmpty)
    }

    @Test("An undo reports the moves of others that it invalidates, to them too")
    func vain() throws {
        let table = try Companions("Ann", "Bob", game: "reversi")
        let (ann, bob) = (table[0], table[1])
        try ann.run("play", "d3")
        try table.settle()
        try bob.run("play", "c3")
        try table.settle()
        let undone = try ann.read(WrittenReply.self, "undo").notes
        #expect(
            undone == [
                "this changes another entry: Bob, Move 2 does not count any more",
                "Ann is to move",
            ]
        )
        try table.settle()
        let next = try bob.read(PlayReply.self, "play", "f5", "--player", "Ann").notes
        #expect(
            next.contains("1 entry of this laptop cannot count (see the score sheet)"),
            "\(next)"
        )
    }

    @Test("Entries that a command invalidates are reported once with its reply, later with each")
    func once() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "reversi", "--player", "Ann", "--player", "Bob")
        try laptop.run("play", "d3")
        try laptop.run("play", "c3")
        let vain = "1 entry of this laptop cannot count (see the score sheet)"
        let change = "this changes another entry: Bob, Move 2 does not count any more"
        let cleared = try laptop.read(WrittenReply.self, "clear", "Ann", "move.1").notes
        #expect(cleared.contains(change) && !cleared.contains(vain), "\(cleared)")
        let later = try laptop.read(PlayReply.self, "play", "f5").notes
        #expect(later.contains(vain) && !later.contains(change), "\(later)")
    }
}
