import LaptopKit
import SessionCRDT
import SessionStore
import SyncProtocol
import SyncTestKit
import Testing

/// Next games that are started twice at once, or only in part.
@Suite(.timeLimit(.minutes(10)))
struct BeginningNextTests {
    private func table() throws -> Laptop {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--title", "Friday", "--player", "Ann")
        try laptop.run("score", "Ann", "4")
        try laptop.run("session", "finish")
        return laptop
    }

    @Test("Of several concurrent starts of the next game one is used")
    func once() throws {
        let laptop = try table()
        let calls = try (0..<8).map { _ in
            try laptop.begin(["session", "new", "--again", "--session", "Friday"])
        }
        let outcomes = try calls.map { try $0.outcome() }
        #expect(outcomes.count { $0.status == 0 } == 1, "\(outcomes)")
        #expect(try laptop.sessions.map(\.title).sorted() == ["Friday", "Friday 2"])
    }

    @Test("A next game that was not announced is announced, and no other one is started")
    func untold() throws {
        let laptop = try table()
        let id = try #require(try laptop.current.flatMap { SessionID($0.id) })
        try laptop.run("session", "new", "--again", "--title", "Saturday")
        let next = try named(by: id, on: laptop, emptying: true)
        try laptop.start("--no-discovery")
        try laptop.run("session", "use", "Friday")
        try laptop.run("session", "new", "--again")
        #expect(try laptop.current?.title == "Saturday")
        #expect(try laptop.sessions.count == 2)
        #expect(try named(by: id, on: laptop, emptying: false) == next)
    }

    @Test("The next game of one that all players have left needs a confirmation, and has none")
    func nobody() throws {
        let laptop = try table()
        try laptop.run("session", "reopen")
        try laptop.run("player", "remove", "Ann")
        try laptop.run("session", "finish")
        let asked = try laptop.attempt("session", "new", "--again")
        #expect(asked.status == 2 && asked.errors.contains("without players"), "\(asked)")
        #expect(try laptop.sessions.count == 1)
        try laptop.run("session", "new", "--again", "--yes")
        #expect(try laptop.read(ShowDocument.self, "show").players.isEmpty)
        // Whoever comes back is in the next one again.
        try laptop.run("session", "use", "Friday")
        try laptop.run("session", "reopen")
        try laptop.run("player", "restore", "Ann")
        try laptop.run("session", "finish")
        try laptop.run("session", "new", "--again", "--yes")
        #expect(try laptop.read(ShowDocument.self, "show").players.map(\.name) == ["Ann"])
    }

    @Test("Next games that are started at once have all players, whatever happens meanwhile")
    func meanwhile() throws {
        let table = try Companions("Ann", "Bob", "Cem", clocks: ["+0", "+0", "+1h"])
        let directory = try ScratchDirectory()
        var title = "Friday"
        for turn in 0..<4 {
            try table[0].run("score", "Ann", "round.1=1", "--session", title)
            try table.settle(title)
            let file = "\(directory.path)/\(turn)"
            try table[2].run("export", file, "--session", title)
            let next = ["session", "new", "--again", "--session", title, "--yes"]
            // The clock that is ahead wins where both write.
            let order = ["player", "order", "Cem", "--session", title]
            let running = [
                try table[0].begin(next), try table[turn % 2].begin(next),
                try table[2].begin(["import", file]), try table[2].begin(order),
            ]
            let calls = try running.map { try $0.outcome() }
            #expect(calls.prefix(2).contains { $0.status == 0 }, "\(calls)")
            #expect(calls[2].status == 0, "\(calls)")
            var sessions: [[String]] = []
            try eventually(within: .seconds(20), "the same sessions on all: \(sessions)") {
                sessions = try table.laptops.map { try $0.sessions.map(\.id).sorted() }
                return Set(sessions).count == 1
            }
            for session in sessions[0] {
                try table.settle(session)
                let shown = try table[1].read(ShowDocument.self, "show", session)
                #expect(Set(shown.players.map(\.name)) == ["Ann", "Bob", "Cem"])
            }
            title = try #require(try table[turn % 2].current?.id)
        }
    }

    /// The next session that a session names, on a laptop that stops for that; with `emptying` it
    /// names none afterwards, as if the laptop had failed before.
    private func named(
        by session: SessionID,
        on laptop: Laptop,
        emptying: Bool
    ) throws -> Value? {
        try laptop.stop()
        var generator = SeededGenerator(seed: 1)
        let store = try SessionStore(directory: laptop.home, using: &generator)
        let entries = try store.load(session).entries
        let next = entries.first { $0.key == .session(Field.next) }
        if emptying, let next {
            let batch = Batch(removed: [next.entry.dot], inserted: [], advanced: [], journal: [])
            try store.commit([(session, batch)], at: 1)
        }
        return next?.entry.value
    }
}
