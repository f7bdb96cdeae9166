import Descriptors
import QueueKit
import SessionCRDT
import SessionStore
import SyncTestKit
import Testing

struct CommitCostTests {
    /// A session in which one device enters scores, and its store.
    private struct Scores {
        let scratch: ScratchDirectory
        let store: SessionStore
        let session = SessionID(high: 1, low: 1)
        private var map = StagedMap(CausalMap())
        private var sequence: UInt64 = 0

        init() throws {
            scratch = try ScratchDirectory()
            store = try scratch.open()
            let key = [UInt8](repeating: 7, count: SessionStore.keyBytes)
            try store.add(SessionRecord(id: session, key: key, joinedAt: 1))
        }

        /// The batch of a score, as the engine creates it: the cell and the player's membership.
        mutating func score(round: UInt32, _ value: Int64) throws -> Batch {
            let player = PlayerID(high: 2, low: 1)
            let cell = Cell(player: player, row: Symbol(known: "round"), round: round)
            for mutation in Mutation.score(cell, .integer(value)) {
                sequence += 1
                let entry = Entry(
                    dot: Dot(actor: ActorID(high: 4, low: 4), sequence: sequence),
                    stamp: Stamp(bits: sequence << 16),
                    author: DeviceID(high: 3, low: 1),
                    value: mutation.value
                )
                map.write(entry, under: mutation.key)
            }
            let batch = map.seal()
            map.settle()
            return try #require(batch)
        }

        /// Commits a score and returns the number of statements.
        mutating func save(round: UInt32, _ value: Int64) throws -> Int {
            let batch = try score(round: round, value)
            let before = store.statementsRun
            try store.commit([(session, batch)], at: 1)
            return store.statementsRun - before
        }

        /// The entries that the store must have.
        var live: Set<KeyedEntry> {
            Set(
                map.committed.live.flatMap { key, set in
                    set.entries.map { KeyedEntry(key: key, entry: $0) }
                }
            )
        }
    }

    @Test("A score takes five statements in its transaction, a correction four")
    func statements() throws {
        var scores = try Scores()
        _ = try scores.save(round: 1, 1)
        for round in 2...50 as ClosedRange<UInt32> {
            #expect(try scores.save(round: round, 5) == 5 + 2)
        }
        for round in 1...50 as ClosedRange<UInt32> {
            #expect(try scores.save(round: round, 6) == 4 + 2)
        }
        #expect(try Set(scores.store.load(scores.session).entries) == scores.live)
        // Each line has the entries that it replaced.
        let lines = try scores.store.history(of: scores.session, limit: 1_000)
        #expect(lines.count == 200)
        #expect(lines.filter { $0.line.replaced.isEmpty }.count == 50 + 1)
    }

    @Test("No commit checkpoints the log, regardless of its length")
    func noCheckpoint() throws {
        var scores = try Scores()
        scores.store.truncateLog()
        let before = try scores.scratch.bytes(of: "scoresync.db")
        for round in 1...1_000 as ClosedRange<UInt32> { _ = try scores.save(round: round, 1) }
        #expect(scores.store.logPages > 2_000)
        #expect(try scores.scratch.bytes(of: "scoresync.db") == before)
        scores.store.checkpoint()
        #expect(scores.store.logPages == 0)
        #expect(try scores.scratch.bytes(of: "scoresync.db") != before)
        // The next commit overwrites the log from its beginning.
        _ = try scores.save(round: 1, 2)
        #expect(scores.store.logPages < 20)
        #expect(try Set(scores.store.load(scores.session).entries) == scores.live)
    }

    @Test("A checkpoint starts the log again, so that the next commit does not flush a header")
    func logHeader() throws {
        var scores = try Scores()
        func header() throws -> ArraySlice<UInt8> {
            try scores.scratch.bytes(of: "scoresync.db-wal").prefix(32)
        }
        _ = try scores.save(round: 1, 1)
        let before = try header()
        scores.store.checkpoint()
        let started = try header()
        #expect(started != before)
        _ = try scores.save(round: 2, 1)
        #expect(try header() == started)
    }

    @Test("A commit does not extend the log")
    func logLength() throws {
        var scores = try Scores()
        let before = try scores.scratch.bytes(of: "scoresync.db-wal").count
        #expect(before >= 4 << 20)
        for round in 1...20 as ClosedRange<UInt32> { _ = try scores.save(round: round, 1) }
        #expect(try scores.scratch.bytes(of: "scoresync.db-wal").count == before)
        // A log that ends with zeros is read up to its last frame.
        #expect(try scores.scratch.open().sessions().count == 1)
    }

    @Test("A queue that is always busy limits the log between two commits")
    func bounded() async throws {
        var scores = try Scores()
        let session = scores.session
        let batches = try (1...400 as ClosedRange<UInt32>).map { try scores.score(round: $0, 1) }
        let thread = QueueThread()
        let queue = StoreQueue(try scores.scratch.open(), deliveringOn: thread.queue)
        var longest = 0
        for batch in batches {
            // The same lines twenty times make each commit long.
            let commits = (0..<20).map { _ in (session: session, batch: batch) }
            let result: Result<Int, StoreError> = await withCheckedContinuation { continuation in
                thread.queue.async {
                    queue.perform(
                        { store throws(StoreError) in
                            try store.commit(commits, at: 1)
                            return store.logPages
                        },
                        completion: { continuation.resume(returning: $0) }
                    )
                }
            }
            longest = max(longest, try result.get())
        }
        #expect(longest < StoreQueue.maxLogPages + 100)
        thread.queue.sync { queue.finish() }
    }

    @Test("Finishing on the queue runs earlier operations, and calls their completions afterwards")
    func finishesOnQueue() async throws {
        let scratch = try ScratchDirectory()
        let thread = QueueThread()
        var generator = SystemRandomNumberGenerator()
        let store = try SessionStore(directory: scratch.path, using: &generator)
        let queue = StoreQueue(store, deliveringOn: thread.queue)
        let order = await withCheckedContinuation { continuation in
            thread.queue.async {
                // Only used on the queue.
                nonisolated(unsafe) var order: [String] = []
                queue.perform(
                    { store throws(StoreError) in try store.set("a", to: "b") },
                    completion: { _ in
                        order.append("completed")
                        continuation.resume(returning: order)
                    }
                )
                queue.finish()
                order.append("finished")
            }
        }
        #expect(order == ["finished", "completed"])
        #expect(try scratch.open().setting("a") == "b")
    }

    @Test("The journal of an earlier version is complete, and continues")
    func earlierJournal() throws {
        let scratch = try ScratchDirectory()
        let columns = "actor, sequence, stamp, author, kind, foreign_kind, value"
        let earlier = Migration(
            (Schema.migrations[2].statements) + [
                "INSERT INTO session VALUES (1, zeroblob(16), zeroblob(32), 5)",
                "INSERT INTO actor VALUES (1, 1, zeroblob(16), 3)",
                "INSERT INTO author VALUES (1, 1, zeroblob(16))",
                "INSERT INTO subject VALUES (1, 1, 'session/title')",
                """
                INSERT INTO line (session, line, recorded, subject, \(columns))
                VALUES (1, 1, 9, 1, 1, 3, 30, 1, 2, NULL, 33)
                """,
                """
                INSERT INTO replaced (session, line, place, \(columns))
                VALUES (1, 1, 0, 1, 2, 20, 1, 2, NULL, 22), (1, 1, 1, 1, 1, 10, 1, 2, NULL, 11)
                """,
            ]
        )
        _ = try scratch.open(migrations: Schema.migrations.prefix(2) + [earlier])
        let store = try scratch.open()
        let session = SessionID(high: 0, low: 0)
        func entry(_ number: UInt64) -> Entry {
            Entry(
                dot: Dot(actor: ActorID(high: 0, low: 0), sequence: number),
                stamp: Stamp(bits: number * 10),
                author: DeviceID(high: 0, low: 0),
                value: .integer(Int64(number) * 11)
            )
        }
        let title = Key.session(Field.title)
        let old = JournalLine(key: title, entry: entry(3), replaced: [entry(2), entry(1)])
        let replaced = [entry(3), entry(2), entry(1)]
        let new = JournalLine(key: title, entry: entry(4), replaced: replaced)
        let batch = Batch(removed: [], inserted: [], advanced: [], journal: [new])
        try store.commit([(session, batch)], at: 10)
        #expect(
            try store.history(of: session, limit: 5) == [
                JournalRecord(number: 2, recordedAt: 10, line: new),
                JournalRecord(number: 1, recordedAt: 9, line: old),
            ]
        )
    }
}
