import FoundationEssentials
import SessionCRDT
import SessionStore
import SyncTestKit
import Testing

// Needs real time: a process is killed after random times.

struct CrashTests {
    @Test("Commits of a killed process are stored completely or not at all", arguments: 1...2)
    func survivesKill(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scratch = try ScratchDirectory()
        var last = 0
        for round in 0..<15 {
            let process = try StoreProcess(on: scratch.path, ["run"])
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                last = try #require(number("done", process.line()))
            }
            spin(microseconds: Int.random(in: 0...400, using: &generator))
            process.kill()
            for line in process.lines() { last = try #require(number("done", line)) }

            let answer = try StoreProcess(on: scratch.path, ["read"]).lines()
            let held = try #require(number("holds", answer.first), "seed \(seed): \(answer)")
            // The commit that was interrupted may be stored.
            #expect(held == last || held == last + 1, "seed \(seed), round \(round)")
            last = held
        }
    }

    @Test("A log that was truncated anywhere opens at the last complete commit")
    func survivesShortLog() throws {
        var generator = SeededGenerator(seed: 11)
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let id = try write(50, to: store)
        let database = try scratch.bytes(of: "scoresync.db")
        let log = try scratch.bytes(of: "scoresync.db-wal")
        var lengths = (0..<40).map { _ in Int.random(in: 0...log.count, using: &generator) }
            .sorted()
        lengths.append(log.count)
        var before: UInt64 = 0
        for length in lengths {
            let copy = try ScratchDirectory()
            try copy.write(database, to: "scoresync.db")
            try copy.write(log.prefix(length), to: "scoresync.db-wal")
            let opened = try copy.open()
            #expect(try opened.sessions().map(\.id) == [id], "\(length) of \(log.count) bytes")
            let replica = try opened.load(id)
            let sequence = replica.vector[Self.actor]
            let newest = try opened.history(of: id, limit: .max)
            #expect(replica.entries.map(\.entry.dot.sequence) == (sequence > 0 ? [sequence] : []))
            #expect(newest.count == Int(sequence))
            #expect(sequence >= before, "\(length) of \(log.count) bytes")
            before = sequence
        }
        #expect(before == 50)
    }

    private static let actor = ActorID(high: 0, low: 5)

    /// Writes one cell `count` times.
    private func write(_ count: UInt64, to store: SessionStore) throws -> SessionID {
        let id = SessionID(high: 0, low: 1)
        let key = [UInt8](repeating: 1, count: 32)
        try store.add(SessionRecord(id: id, key: key, joinedAt: 0))
        var map = StagedMap(CausalMap())
        for sequence in 1...count {
            let entry = Entry(
                dot: Dot(actor: Self.actor, sequence: sequence),
                stamp: Stamp(bits: sequence),
                author: store.device,
                value: .integer(1)
            )
            map.write(entry, under: .session(Field.title))
            let sealed = map.seal()
            let batch = try #require(sealed)
            try store.commit([(id, batch)], at: 1)
            map.settle()
        }
        return id
    }

    private func number(_ word: String, _ line: String?) -> Int? {
        let words = line?.split(separator: " ") ?? []
        guard words.count == 2, words[0] == word else { return nil }
        return Int(words[1])
    }

    private func spin(microseconds: Int) {
        let clock = ContinuousClock()
        let end = clock.now + .microseconds(microseconds)
        while clock.now < end {}
    }
}
