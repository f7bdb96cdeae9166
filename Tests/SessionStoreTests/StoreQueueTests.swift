import Descriptors
import Dispatch
import QueueKit
import SessionCRDT
import SessionStore
import SyncTestKit
import Testing

struct StoreQueueTests {
    @Test("Completions are called in the order of the calls, on the given queue")
    func completesInOrder() async throws {
        let scratch = try ScratchDirectory()
        let thread = QueueThread()
        let queue = StoreQueue(try scratch.open(), deliveringOn: thread.queue)
        let unknown = SessionID(high: 7, low: 7)
        let nothing = Batch(removed: [], inserted: [], advanced: [], journal: [])
        let (results, continuation) = AsyncStream.makeStream(of: String.self)
        thread.queue.sync {
            queue.perform(
                { store throws(StoreError) in try store.set("a", to: "b") },
                completion: { result in
                    thread.queue.requireCurrent()
                    continuation.yield("set \((try? result.get()) != nil)")
                }
            )
            queue.commit([(unknown, nothing)], at: 1) { result in
                thread.queue.requireCurrent()
                guard case .failure(let error) = result else { return }
                continuation.yield("\(error)")
            }
            queue.perform(
                { store throws(StoreError) in try store.setting("a") },
                completion: { result in
                    continuation.yield((try? result.get()) ?? "nothing")
                    continuation.finish()
                }
            )
        }
        thread.queue.sync { queue.finish() }
        var lines: [String] = []
        for await line in results { lines.append(line) }
        #expect(lines == ["set true", "\(StoreError.unknownSession(unknown))", "b"])
    }

    @Test("The queue continues during a long operation, and later operations wait for it")
    func goesOn() async throws {
        let scratch = try ScratchDirectory()
        let thread = QueueThread()
        let queue = StoreQueue(try scratch.open(), deliveringOn: thread.queue)
        let (results, continuation) = AsyncStream.makeStream(of: String.self)
        let other = DispatchSemaphore(value: 0)
        thread.queue.sync {
            queue.perform(
                { store throws(StoreError) in
                    try store.set("a", to: "b")
                    return other.wait(timeout: .now() + 60) == .success
                },
                isLong: true,
                completion: { result in
                    thread.queue.requireCurrent()
                    continuation.yield("long \((try? result.get()) ?? false)")
                }
            )
            queue.perform(
                { store throws(StoreError) in try store.setting("a") },
                completion: { result in
                    continuation.yield((try? result.get()) ?? "nothing")
                    continuation.finish()
                }
            )
        }
        // Submitted after both; the long one waits for it.
        thread.queue.async {
            continuation.yield("meanwhile")
            other.signal()
        }
        var lines: [String] = []
        for await line in results { lines.append(line) }
        #expect(lines == ["meanwhile", "long true", "b"])
        withExtendedLifetime(queue) {}
    }

    @Test("Finishing waits for a long operation, whose completion is called first")
    func finishesLong() async throws {
        let scratch = try ScratchDirectory()
        let thread = QueueThread()
        let queue = StoreQueue(try scratch.open(), deliveringOn: thread.queue)
        let (results, continuation) = AsyncStream.makeStream(of: String.self)
        let (began, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        thread.queue.sync {
            queue.perform(
                { store throws(StoreError) in
                    began.signal()
                    other.wait()
                    try store.set("a", to: "b")
                },
                isLong: true,
                completion: { _ in continuation.yield("long") }
            )
            queue.perform(
                { store throws(StoreError) in try store.setting("a") },
                completion: { result in
                    continuation.yield((try? result.get()) ?? "nothing")
                    continuation.finish()
                }
            )
        }
        began.wait()
        thread.queue.async { queue.finish() }
        other.signal()
        var lines: [String] = []
        for await line in results { lines.append(line) }
        #expect(lines == ["long", "b"])
    }

    /// A session, and a batch for it with more keys than are numbered at once.
    private func large(
        in scratch: ScratchDirectory
    ) throws -> (session: SessionID, batch: Batch) {
        let session = SessionID(high: 1, low: 1)
        let key = [UInt8](repeating: 7, count: SessionStore.keyBytes)
        try scratch.open().add(SessionRecord(id: session, key: key, joinedAt: 0))
        let actor = ActorID(high: 2, low: 2)
        let (player, birds) = (PlayerID(high: 4, low: 4), Symbol(known: "birds"))
        let entries = (1...UInt64(StoreQueue.keysPerPiece * 3)).map { number in
            KeyedEntry(
                key: .cell(Cell(player: player, row: birds, round: UInt32(number))),
                entry: Entry(
                    dot: Dot(actor: actor, sequence: number),
                    stamp: Stamp(bits: number),
                    author: DeviceID(high: 3, low: 3),
                    value: .integer(1)
                )
            )
        }
        let last = Dot(actor: actor, sequence: UInt64(entries.count))
        return (session, Batch(removed: [], inserted: entries, advanced: [last], journal: []))
    }

    @Test("Another write runs while the keys of a large batch are numbered")
    func interleaves() async throws {
        let scratch = try ScratchDirectory()
        let large = try large(in: scratch)
        let thread = QueueThread()
        let queue = StoreQueue(try scratch.open(), deliveringOn: thread.queue)
        let (results, continuation) = AsyncStream.makeStream(of: String.self)
        thread.queue.sync {
            queue.commit([large], at: 1) { result in
                continuation.yield("large \((try? result.get()) != nil)")
                continuation.finish()
            }
            queue.perform(
                { store throws(StoreError) in try store.set("a", to: "b") },
                completion: { result in continuation.yield("small \((try? result.get()) != nil)") }
            )
        }
        var lines: [String] = []
        for await line in results { lines.append(line) }
        #expect(lines == ["small true", "large true"])
        withExtendedLifetime(queue) {}
    }

    @Test("Finishing commits a large batch whose keys are not numbered yet")
    func finishesLarge() throws {
        let scratch = try ScratchDirectory()
        let large = try large(in: scratch)
        let thread = QueueThread()
        var generator = SystemRandomNumberGenerator()
        let store = try SessionStore(directory: scratch.path, using: &generator)
        let queue = StoreQueue(store, deliveringOn: thread.queue)
        thread.queue.sync {
            queue.commit([large], at: 1) { _ in }
            queue.finish()
        }
        let stored = try scratch.open().load(large.session)
        #expect(stored.entries.count == large.batch.inserted.count)
        withExtendedLifetime(queue) {}
    }

    @Test("After finishing, the database is one file")
    func foldsItsLog() throws {
        let scratch = try ScratchDirectory()
        var generator = SystemRandomNumberGenerator()
        let store = try SessionStore(directory: scratch.path, using: &generator)
        let thread = QueueThread()
        let queue = StoreQueue(store, deliveringOn: thread.queue)
        thread.queue.sync {
            queue.perform(
                { store throws(StoreError) in try store.set("a", to: "b") },
                completion: { _ in }
            )
            queue.finish()
        }
        let copy = try ScratchDirectory()
        try copy.write(try scratch.bytes(of: "scoresync.db"), to: "scoresync.db")
        #expect(try copy.open().setting("a") == "b")
        withExtendedLifetime(queue) {}
    }
}
