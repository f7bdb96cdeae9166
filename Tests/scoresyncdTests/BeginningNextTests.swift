import LaptopKit
import SessionCRDT
import SessionStore
import SyncProtocol
import SyncTestKit
import Testing

/// Next games that are started twice at once, or only in part.
@Suite(.timeLimit(.minutes(5)))
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
