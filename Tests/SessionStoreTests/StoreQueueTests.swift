import Descriptors
import Dispatch
import QueueKit
import SessionCRDT
import SessionStore
import SyncTestKit
import Testing

struct StoreQueueTests {
    @Test("Completions come in the order of the calls, on the queue that was asked for")
    func completesInOrder() async throws {
        let scratch = try ScratchDirectory()
        let thread = QueueThread()
        let queue = StoreQueue(try scratch.open(), deliveringOn: thread.queue)
        let unknown = SessionID(high: 7, low: 7)
        let nothing = Batch(removed: [], inserted: [], advanced: [], journal: [])
        let (results, continuation) = AsyncStream.makeStream(of: String.self)
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
        thread.queue.sync { queue.finish() }
        var lines: [String] = []
        for await line in results { lines.append(line) }
        #expect(lines == ["set true", "\(StoreError.unknownSession(unknown))", "b"])
    }

    @Test("While something long is done the queue goes on, and what needs the store comes after it")
    func goesOn() async throws {
        let scratch = try ScratchDirectory()
        let thread = QueueThread()
        let queue = StoreQueue(try scratch.open(), deliveringOn: thread.queue)
        let (results, continuation) = AsyncStream.makeStream(of: String.self)
        let other = DispatchSemaphore(value: 0)
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
        // Handed in after both; what the long one waits for.
        thread.queue.async {
            continuation.yield("meanwhile")
            other.signal()
        }
        var lines: [String] = []
        for await line in results { lines.append(line) }
        #expect(lines == ["meanwhile", "long true", "b"])
        withExtendedLifetime(queue) {}
    }

    @Test("Finishing waits for something long, and its completion comes first")
    func finishesLong() async throws {
        let scratch = try ScratchDirectory()
        let thread = QueueThread()
        let queue = StoreQueue(try scratch.open(), deliveringOn: thread.queue)
        let (results, continuation) = AsyncStream.makeStream(of: String.self)
        let (began, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
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
        began.wait()
        thread.queue.async { queue.finish() }
        other.signal()
        var lines: [String] = []
        for await line in results { lines.append(line) }
        #expect(lines == ["long", "b"])
    }

    @Test("Once the queue is finished, the database alone holds everything")
    func foldsItsLog() throws {
        let scratch = try ScratchDirectory()
        var generator = SystemRandomNumberGenerator()
        let store = try SessionStore(directory: scratch.path, using: &generator)
        let thread = QueueThread()
        let queue = StoreQueue(store, deliveringOn: thread.queue)
        queue.perform(
            { store throws(StoreError) in try store.set("a", to: "b") },
            completion: { _ in }
        )
        thread.queue.sync { queue.finish() }
        let copy = try ScratchDirectory()
        try copy.write(try scratch.bytes(of: "scoresync.db"), to: "scoresync.db")
        #expect(try copy.open().setting("a") == "b")
        withExtendedLifetime(queue) {}
    }
}
