import Descriptors
import Dispatch
import FoundationEssentials
import QueueKit
import SessionCRDT
import SyncTestKit
import Synchronization
import Testing

@testable import SessionStore

/// Backups while scores are entered.
@Suite(.timeLimit(.minutes(10)))
struct BackupQueueTests {
    /// Creates a session with a history that takes a while to copy.
    private func createLongSession(
        in scratch: ScratchDirectory,
        lines: UInt64 = 60_000
    ) throws -> SessionID {
        let store = try scratch.open()
        let id = SessionID(high: 0, low: 1)
        let key = [UInt8](repeating: 7, count: SessionStore.keyBytes)
        try store.add(SessionRecord(id: id, key: key, joinedAt: 0))
        let player = PlayerID(high: 4, low: 4)
        let cells = (1...lines).map { number in
            KeyedEntry(
                key: .cell(
                    Cell(player: player, row: Symbol(known: "r"), round: UInt32(number))
                ),
                entry: Entry(
                    dot: Dot(actor: ActorID(high: 2, low: 2), sequence: number),
                    stamp: Stamp(bits: number),
                    author: DeviceID(high: 3, low: 3),
                    value: .integer(1)
                )
            )
        }
        let journal = cells.map { JournalLine(key: $0.key, entry: $0.entry, replaced: []) }
        let last = Dot(actor: ActorID(high: 2, low: 2), sequence: lines)
        let batch = Batch(removed: [], inserted: cells, advanced: [last], journal: journal)
        try store.commit([(id, batch)], at: 1)
        return id
    }

    private func opened(_ directory: String, on thread: QueueThread) throws -> StoreQueue {
        var generator = SeededGenerator(seed: 1)
        let store = try SessionStore(directory: directory, using: &generator)
        return StoreQueue(store, deliveringOn: thread.queue)
    }

    /// Writes increasing numbers, each after the last is stored, until it is stopped.
    private final class Counter: Sendable {
        let written = Mutex<(last: Int, isStopped: Bool)>((0, false))
        private let store: StoreQueue

        init(_ store: StoreQueue) { self.store = store }

        @EventLoop
        func write() {
            let next = written.withLock { $0.isStopped ? nil : $0.last + 1 }
            guard let next else { return }
            store.perform(
                { store throws(StoreError) in
                    try store.set("last", to: "\(next)")
                    try store.set("also", to: "\(next)")
                },
                completion: { [self] result in
                    guard case .success = result else { return }
                    written.withLock { $0.last = next }
                    write()
                }
            )
        }
    }

    @Test("Commits continue during a backup, which contains everything saved before it")
    func duringCommits() async throws {
        let scratch = try ScratchDirectory()
        _ = try createLongSession(in: scratch)
        let thread = QueueThread()
        let queue = try opened(scratch.path, on: thread)
        let counter = Counter(queue)
        thread.queue.async { counter.write() }
        for number in 1...3 {
            let path = "\(scratch.path)/copy-\(number)"
            let before = counter.written.withLock { $0.last }
            let result = await withCheckedContinuation { continuation in
                thread.queue.async {
                    queue.backUp(to: path, replacing: false) { continuation.resume(returning: $0) }
                }
            }
            #expect(try result.get().entries == 60_000)
            let after = counter.written.withLock { $0.last }
            #expect(after > before, "no write during the backup")
            let home = try ScratchDirectory()
            try FileManager.default.copyItem(atPath: path, toPath: home.database)
            let copied = try home.open()
            let last = try copied.setting("last").flatMap { Int($0) } ?? 0
            let also = try copied.setting("also").flatMap { Int($0) } ?? 0
            #expect((before...after).contains(last), "\(before) \(last) \(after)")
            // A snapshot before or after the second setting.
            #expect(last == also || last == also + 1)
        }
        counter.written.withLock { $0.isStopped = true }
        thread.queue.sync { queue.finish() }
    }

    @Test("Finishing cancels a backup, and its file is removed")
    func cancels() async throws {
        let scratch = try ScratchDirectory()
        _ = try createLongSession(in: scratch)
        let thread = QueueThread()
        let queue = try opened(scratch.path, on: thread)
        let path = scratch.path + "/copy"
        let result = await withCheckedContinuation { continuation in
            thread.queue.async {
                queue.backUp(to: path, replacing: false) { continuation.resume(returning: $0) }
                // A turn later the backup is running.
                thread.queue.async { queue.finish() }
            }
        }
        guard case .failure(.cancelled) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(try scratch.files.allSatisfy { !$0.hasPrefix("copy") })
    }
}
