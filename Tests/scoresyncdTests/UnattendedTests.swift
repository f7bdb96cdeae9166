import LaptopKit
import SessionCRDT
import SessionStore
import SyncProtocol
import SyncTestKit
import Testing

@testable import scoresyncd

/// Next games that come without end.
@Suite(.timeLimit(.minutes(10)))
struct UnattendedTests {
    /// The number of next games in a row.
    private static let length: UInt64 = 6

    @Test("Unused next games end, which is reported, and go on once one is used")
    func chain() throws {
        let table = try Companions("Ann", "Bob", game: "points")
        let (ann, bob) = (table[0], table[1])
        let friday = try #require(try bob.current.flatMap { SessionID($0.id) })
        for laptop in table.laptops { try laptop.stop() }
        try Self.plantChain(after: friday, on: bob)
        // All but three of those that come by themselves are there.
        try Self.plantFollowers(NextGames.maxUnattended - 3, of: friday, on: ann)
        for laptop in table.laptops { try laptop.start("--no-discovery") }
        try bob.call(ann)
        let logs = { "\(ann.log.suffix(4_000))\n\n\(bob.log.suffix(4_000))" }
        try eventually(within: .seconds(60), "Ann's laptop takes no more:\n\(logs())") {
            try ann.read(StatusReply.self, "status").alarms.map(\.kind) == ["many-next-games"]
        }
        #expect(try ann.sessions.count == 1 + NextGames.maxUnattended)
        let told = try ann.read(StatusReply.self, "status").alarms.map(\.text)
        #expect(told.first?.hasSuffix("until you use one") == true, "\(told)")
        let next = try #require(try ann.sessions.first { $0.id != friday.description })
        // Over a restart, too.
        try ann.stop()
        try ann.start("--no-discovery")
        try bob.call(ann)
        try ann.run("session", "use", next.id)
        try eventually(within: .seconds(60), "Ann's laptop takes the others") {
            try ann.sessions.count == 1 + NextGames.maxUnattended - 3 + Int(Self.length)
        }
        #expect(try ann.read(StatusReply.self, "status").alarms == [])
    }

    /// Writes sessions into the store of a laptop that is off, as if they had come by themselves.
    private static func plantFollowers(
        _ count: Int,
        of session: SessionID,
        on laptop: Laptop
    ) throws {
        var generator = SeededGenerator(seed: 1)
        let store = try SessionStore(directory: laptop.home, using: &generator)
        for number in 1...UInt64(count) {
            let next = SessionID(high: number << 32, low: 77)
            let key = [UInt8](repeating: 1, count: Successor.keyBytes)
            try store.add(SessionRecord(id: next, key: key, joinedAt: 1))
            try store.set(Setting.origin, of: next, to: session.description)
        }
    }

    /// Writes a chain of sessions into the store of a laptop that is off.
    private static func plantChain(after session: SessionID, on laptop: Laptop) throws {
        var generator = SeededGenerator(seed: 2)
        let store = try SessionStore(directory: laptop.home, using: &generator)
        var before = session
        for number in 1...length {
            let next = SessionID(high: (number << 32) | (1 << 60), low: 88)
            let key = [UInt8](repeating: UInt8(number), count: Successor.keyBytes)
            try store.add(SessionRecord(id: next, key: key, joinedAt: 1))
            let successor = try #require(Successor(session: next, key: key))
            let entry = Entry(
                dot: Dot(actor: ActorID(high: 9, low: number), sequence: 1),
                stamp: Stamp(milliseconds: 1_700_000_000_000),
                author: store.device,
                value: .text(successor.text)
            )
            let batch = Batch(
                removed: [],
                inserted: [KeyedEntry(key: .session(Field.next), entry: entry)],
                advanced: [entry.dot],
                journal: []
            )
            try store.commit([(before, batch)], at: 1)
            before = next
        }
    }
}
