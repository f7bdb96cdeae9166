import ControlSocket
import Dispatch
import LaptopKit
import SessionCRDT
import SyncProtocol
import Synchronization
import Testing

@Suite("Submissions of phones")
struct PhoneCallsTests {
    private func client(_ laptop: Laptop) throws -> ControlClient {
        try ControlClient(path: laptop.home + "/control.sock", client: "test")
    }

    private func id(_ number: Int) throws -> SubmissionID {
        let digits = String(number, radix: 16)
        return try #require(SubmissionID(String(repeating: "0", count: 16 - digits.count) + digits))
    }

    /// The ids of the players, by name.
    private func players(_ laptop: Laptop) throws -> [String: String] {
        let players = try laptop.read(PlayersReply.self, "player", "list").items
        return Dictionary(uniqueKeysWithValues: players.map { ($0.name, $0.id) })
    }

    private func laptop(_ words: String...) throws -> Laptop {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run(["session", "new"] + words)
        return laptop
    }

    private func totals(_ laptop: Laptop) throws -> [Points] {
        try laptop.read(ShowDocument.self, "show").players.map(\.total)
    }

    /// The number of cells of each player.
    private func points(_ laptop: Laptop) throws -> [Int] {
        try laptop.read(ShowDocument.self, "show").players.map(\.cells.count)
    }

    @Test("is entered once for each id, on any laptop and any number of times")
    func once() throws {
        let laptops = try Companions("ann", "bob")
        let ann = try #require(try players(laptops[0])["ann"])
        let submission = PhoneParameters(player: ann, id: try id(1), words: ["7"])
        #expect(try client(laptops[0]).call(.phoneScore, submission).known == false)
        try laptops.settle()
        for laptop in [laptops[0], laptops[1]] {
            #expect(try client(laptop).call(.phoneScore, submission) == PhoneReply(nil))
            #expect(try totals(laptop) == [7, 0])
            let history = try laptop.read(HistoryReply.self, "history").items
            #expect(history.map(\.phone) == [true])
            #expect(history.map(\.by) == ["ann"])
        }
    }

    @Test("empties only what was seen, of its player alone and once for each id, and is undone")
    func clearing() throws {
        let laptop = try laptop("rounds", "--player", "Ann", "--player", "Bob")
        let ann = try #require(try players(laptop)["Ann"])
        let client = try client(laptop)
        for (name, score) in [("Ann", "7"), ("Bob", "9")] { try laptop.run("score", name, score) }
        for words in [["Bob"], ["Bob", "round.1"], ["round.1=3"], ["round.2"], []] {
            let foreign = PhoneParameters(player: ann, id: try id(1), words: words)
            #expect(throws: ControlError.self, "\(words)") { try client.call(.phoneClear, foreign) }
        }
        let submission = PhoneParameters(player: ann, id: try id(1), words: ["round.1"])
        var unseen = SyncProtocol.Expectation()
        unseen.cells = [ExpectedCell(row: "round", round: 1)]
        do {
            _ = try client.call(.phoneClear, submission.with { $0.expecting = unseen })
            Issue.record("a score that was not seen is gone")
        } catch { #expect(error.conflict?.value == .integer(7)) }
        #expect(try totals(laptop) == [7, 9])
        #expect(try client.call(.phoneClear, submission).reply?.cells.count == 1)
        #expect(try totals(laptop) == [0, 9])
        #expect(try client.call(.phoneClear, submission) == PhoneReply(nil))
        _ = try client.call(.phoneUndo, .init(player: ann, id: try id(2)))
        #expect(try totals(laptop) == [7, 9])
        // What was carried out is not repeated.
        #expect(try client.call(.phoneClear, submission) == PhoneReply(nil))
        #expect(try totals(laptop) == [7, 9])
    }

    @Test("is distinct from typed commands, and so is its undo")
    func history() throws {
        let laptop = try laptop("rounds", "--player", "Ann")
        let ann = try #require(try players(laptop)["Ann"])
        let client = try client(laptop)
        try laptop.run("score", "Ann", "1")
        _ = try client.call(.phoneScore, .init(player: ann, id: try id(1), words: ["2"]))
        try laptop.run("score", "Ann", "3")
        try laptop.run("undo")
        _ = try client.call(.phoneUndo, .init(player: ann, id: try id(2)))
        let entries = try laptop.read(HistoryReply.self, "history").items
        #expect(entries.map { $0.value.description } == ["–", "–", "3", "2", "1"])
        #expect(entries.map(\.phone) == [true, nil, nil, true, nil])
    }

    @Test("is undone alone: entries of others before and after it can still be undone")
    func undo() throws {
        let laptop = try laptop("rounds", "--player", "Ann", "--player", "Bob")
        let ids = try players(laptop)
        let (ann, bob) = (try #require(ids["Ann"]), try #require(ids["Bob"]))
        let client = try client(laptop)
        func enter(_ number: Int, _ player: String, _ words: String...) throws {
            let submission = PhoneParameters(player: player, id: try id(number), words: words)
            _ = try client.call(.phoneScore, submission)
        }
        try enter(1, ann, "10")
        try enter(2, bob, "20")
        try laptop.run("score", "Ann", "100")
        try enter(3, ann, "1", "2")
        try laptop.run("score", "Bob", "200")
        #expect(try totals(laptop) == [113, 220])
        let last = try client.call(.phoneUndo, .init(player: ann, id: try id(4)))
        #expect(last.reply?.cells.map(\.round) == [3, 4])
        #expect(try client.call(.phoneUndo, .init(player: ann, id: try id(4))).known)
        #expect(try totals(laptop) == [110, 220])
        _ = try client.call(.phoneUndo, .init(player: ann, id: try id(5)))
        #expect(try totals(laptop) == [100, 220])
        let expected = ControlError(.notFound, "nothing that this phone wrote is left to undo")
        #expect(throws: expected) {
            try client.call(.phoneUndo, .init(player: ann, id: try id(6)))
        }
        // The laptop takes back what is left, phones' submissions too, and nothing twice.
        for totals in [[100, 20], [0, 20], [0, 0]] as [[Points]] {
            try laptop.run("undo")
            #expect(try self.totals(laptop) == totals)
        }
        #expect(try laptop.attempt("undo").status == 4)
        #expect(throws: ControlError.self) {
            try client.call(.phoneUndo, .init(player: bob, id: try id(7)))
        }
    }

    @Test("that is undone repeatedly hides no command from the laptop's undo")
    func often() throws {
        let laptop = try laptop("rounds", "--player", "Ann", "--player", "Bob")
        let ann = try #require(try players(laptop)["Ann"])
        let client = try client(laptop)
        func enterAndUndo(_ number: Int) throws {
            let submission = PhoneParameters(player: ann, id: try id(2 * number), words: ["5"])
            _ = try client.call(.phoneScore, submission)
            _ = try client.call(.phoneUndo, .init(player: ann, id: try id(2 * number + 1)))
        }
        try laptop.run("score", "Bob", "11")
        try enterAndUndo(0)
        try laptop.run("score", "Bob", "77")
        for number in 1...54 { try enterAndUndo(number) }
        for left in [11, 0] as [Points] {
            try laptop.run("undo")
            #expect(try totals(laptop) == [0, left])
        }
    }

    @Test("is undone once and rejected for no one, for any number of concurrent requests")
    func together() throws {
        let laptop = try laptop("rounds", "--player", "Ann", "--player", "Bob")
        let ann = try #require(try players(laptop)["Ann"])
        let client = try client(laptop)
        for number in 1...12 {
            _ = try client.call(.phoneScore, .init(player: ann, id: try id(number), words: ["1"]))
        }
        // The search takes a while.
        for _ in 1...10 {
            let zeros = Array(repeating: "0", count: 200)
            _ = try client.call(.score, .init(words: ["Bob"] + zeros))
        }
        for number in 1...10 {
            let undo = PhoneParameters(player: ann, id: try id(100 + number))
            let path = laptop.home + "/control.sock"
            let refusals = Mutex<[ControlError]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { @Sendable _ in
                do throws(ControlError) {
                    _ = try ControlClient(path: path, client: "test").call(.phoneUndo, undo)
                } catch { refusals.withLock { $0.append(error) } }
            }
            // A repeated submission during the save is answered as already known.
            let kinds = refusals.withLock { Set($0.map(\.kind)) }
            #expect(kinds.isSubset(of: [.failed]))
            #expect(try client.call(.phoneUndo, undo) == PhoneReply(nil))
            #expect(try totals(laptop) == [Points(Int64(12 - number)), 0])
        }
    }

    @Test("is a move that stays if another move followed, on any laptop")
    func hole() throws {
        let laptops = try Companions("ann", "bob", game: "reversi")
        let ids = try players(laptops[0])
        let (ann, bob) = (try #require(ids["ann"]), try #require(ids["bob"]))
        let client = try client(laptops[0])
        let refused = ControlError(
            .refused,
            "nothing was undone: another player has moved since this phone did"
        )
        func undo(_ number: Int, _ player: String) throws {
            _ = try client.call(.phoneUndo, .init(player: player, id: try id(number)))
        }
        func play(_ number: Int, _ player: String, _ square: String) throws {
            let move = PhoneParameters(player: player, id: try id(number), words: [square])
            _ = try client.call(.phonePlay, move)
        }
        try play(1, ann, "d3")
        try play(2, bob, "c3")
        #expect(throws: refused) { try undo(3, ann) }
        try undo(3, bob)
        try laptops.settle()
        try laptops[1].run("play", "c3")
        try laptops.settle()
        #expect(throws: refused) { try undo(4, ann) }
        try laptops[1].run("undo")
        try laptops.settle()
        try undo(4, ann)
        #expect(try totals(laptops[0]) == [2, 2])
    }

    @Test("is not undone if it was changed since")
    func changed() throws {
        let laptops = try Companions("ann", "bob")
        let ann = try #require(try players(laptops[0])["ann"])
        let client = try client(laptops[0])
        _ = try client.call(.phoneScore, .init(player: ann, id: try id(1), words: ["7"]))
        try laptops.settle()
        try laptops[1].run("score", "ann", "round.1=8")
        try laptops.settle()
        let text =
            "nothing was undone: the last score of this phone (ann: Round 1 = 7) has since been "
            + "changed by bob"
        #expect(throws: ControlError(.refused, text)) {
            try client.call(.phoneUndo, .init(player: ann, id: try id(2)))
        }
    }

    @Test("is a move of its player alone, or of the whole table")
    func moves() throws {
        let laptop = try laptop("smash-up", "--player", "Ann", "--player", "Bob")
        let ids = try players(laptop)
        let client = try client(laptop)
        let names = ["Ann", "Bob"]
        for name in names {
            let id = try #require(ids[name])
            for words in [["use", "munchkin"], ["Ann", "+3", "Bob", "+2"]] {
                let move = PhoneParameters(player: id, id: try self.id(1), words: words)
                #expect(throws: ControlError.self, "\(name): \(words)") {
                    try client.call(.phonePlay, move)
                }
            }
        }
        let bob = try #require(ids["Bob"])
        for (number, word) in ["deal", "reveal"].enumerated() {
            let move = PhoneParameters(player: bob, id: try self.id(10 + number), words: [word])
            #expect(try client.call(.phonePlay, move).reply?.cells.count == 1)
        }
        for (player, other) in [("Ann", "Bob"), ("Bob", "Ann")] {
            let id = try #require(ids[player])
            let foreign = PhoneParameters(player: id, id: try self.id(2), words: [other, "+3"])
            #expect(throws: ControlError.self, "\(player)") { try client.call(.phonePlay, foreign) }
        }
        let own = PhoneParameters(
            player: try #require(ids["Bob"]),
            id: try id(3),
            words: ["Bob", "+3"]
        )
        #expect(try client.call(.phonePlay, own).reply?.cells.count == 1)
        #expect(try totals(laptop) == [0, 3])
    }

    @Test("is a point of either side in a match, and is undone by the phone that sent it")
    func points() throws {
        let laptop = try laptop("tennis", "--player", "Ann", "--player", "Bob")
        let ids = try players(laptop)
        let (ann, bob) = (try #require(ids["Ann"]), try #require(ids["Bob"]))
        let client = try client(laptop)
        let point = PhoneParameters(player: ann, id: try id(1), words: ["Bob"])
        #expect(try client.call(.phonePlay, point).reply?.player == "Bob")
        #expect(try points(laptop) == [0, 1])
        #expect(throws: ControlError.self) {
            try client.call(.phoneUndo, .init(player: bob, id: try id(2)))
        }
        // Words after `score` are for one's own side only.
        let score = PhoneParameters(player: ann, id: try id(3), words: ["Bob", "point.2=1"])
        #expect(throws: ControlError.self) { try client.call(.phoneScore, score) }
        _ = try client.call(.phoneUndo, .init(player: ann, id: try id(4)))
        #expect(try points(laptop) == [0, 0])
    }

    @Test("is undone with the computer's reply")
    func computer() throws {
        let laptop = try laptop("reversi", "--player", "Ann")
        try laptop.run("player", "add", "Zed", "--computer", "--depth", "1")
        let ann = try #require(try players(laptop)["Ann"])
        let client = try client(laptop)
        let move = PhoneParameters(player: ann, id: try id(1), words: ["d3"])
        #expect(try client.call(.phonePlay, move).reply?.answers.count == 1)
        let undone = try client.call(.phoneUndo, .init(player: ann, id: try id(2)))
        #expect(undone.reply?.cells.count == 2)
        let show = try laptop.read(ShowDocument.self, "show")
        #expect(show.turn == ann)
        #expect(show.players.map(\.total) == [2, 2])
    }

    @Test("of an unknown or removed player or a computer is rejected")
    func nobody() throws {
        let laptop = try laptop("reversi", "--player", "Ann", "--player", "Bob")
        let bob = try #require(try players(laptop)["Bob"])
        try laptop.run("player", "remove", "Bob")
        try laptop.run("player", "add", "Zed", "--computer")
        let zed = try #require(try players(laptop)["Zed"])
        let client = try client(laptop)
        let stranger = String(repeating: "0", count: 32)
        for (player, kind) in [
            ("Ann", ControlError.Kind.usage), (stranger, .notFound), (bob, .refused),
            (zed, .refused),
        ] {
            let move = PhoneParameters(player: player, id: try id(1), words: ["d3"])
            do {
                _ = try client.call(.phonePlay, move)
                Issue.record("\(player) has played")
            } catch { #expect(error.kind == kind, "\(player): \(error.message)") }
        }
    }
}
