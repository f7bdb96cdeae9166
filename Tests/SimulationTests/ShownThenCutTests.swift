import FaultyDisk
import Foundation
import SessionCRDT
import SessionStore
import SyncTestKit
import Testing

/// The state that a daemon shows after it was killed, and then the power fails.
@Suite("Killed, and then without power", .serialized)
struct ShownThenCutTests {
    @Test("What is shown after a kill is there after a power cut, flushed before the kill or not")
    func staysShown() throws {
        try #require(faulty_disk_install() == 0)
        // After how many writes and flushes the process ends; the last is the flush of the commit.
        let shown = try (0...40 as ClosedRange<Int32>).count { step in
            try isShown(killedAfter: step)
        }
        #expect((2...39).contains(shown), "the commit survived the kill \(shown) times")
    }

    @Test("What cannot be flushed after a kill is not shown")
    func flushFails() throws {
        try #require(faulty_disk_install() == 0)
        // After how many writes and flushes of the next start the disk begins to fail.
        for fault in 0...8 as ClosedRange<Int32> {
            for step in 0...40 as ClosedRange<Int32> {
                _ = try isShown(killedAfter: step, thenFailingAfter: fault)
            }
        }
    }

    /// Whether a commit whose process is killed after so many writes is shown by the next one; what
    /// that shows is to be there after a power cut.
    private func isShown(
        killedAfter step: Int32,
        thenFailingAfter fault: Int32? = nil
    ) throws -> Bool {
        let place = FileManager.default.temporaryDirectory
            .appending(path: "scoresync-shown-\(UUID().uuidString)").path
        faulty_disk_fail(place, FAULTY_DISK_SOUND, 0)
        defer {
            faulty_disk_forget(place)
            try? FileManager.default.removeItem(atPath: place)
        }
        let session = SessionID(high: 1, low: 1)
        do {
            let store = try open(place)
            let key = [UInt8](repeating: 1, count: 32)
            try store.add(SessionRecord(id: session, key: key, joinedAt: 0))
            store.checkpoint()
            faulty_disk_fail(place, FAULTY_DISK_DEAD, step)
            try? store.commit([(session, batch())], at: 1)
            faulty_disk_fail(place, FAULTY_DISK_DEAD, 0)
        }
        // The machine goes on: what was written is in its memory.
        faulty_disk_fail(place, FAULTY_DISK_SOUND, 0)
        if let fault { faulty_disk_fail(place, FAULTY_DISK_BROKEN, fault) }
        var before: ReplicaSnapshot?
        do {
            let store = try open(place)
            before = try store.load(session)
            // Nothing is folded in at its end either.
            faulty_disk_fail(place, FAULTY_DISK_DEAD, 0)
            withExtendedLifetime(store) {}
        } catch {
            guard fault != nil else { throw error }
        }
        faulty_disk_power_up(place, UInt64(step) + 1)
        faulty_disk_fail(place, FAULTY_DISK_SOUND, 0)
        guard let before else { return false }
        let after = try open(place).load(session)
        #expect(after.vector == before.vector, "step \(step), fault \(fault ?? -1)")
        return !before.vector.isEmpty
    }

    private func open(_ place: String) throws -> SessionStore {
        var generator = SeededGenerator(seed: 1)
        return try SessionStore(directory: place, using: &generator)
    }

    private func batch() -> Batch {
        let cell = Cell(player: PlayerID(high: 1, low: 1), row: Symbol(known: "round"), round: 1)
        let entry = Entry(
            dot: Dot(actor: ActorID(high: 9, low: 9), sequence: 1),
            stamp: Stamp(bits: 1),
            author: DeviceID(high: 3, low: 3),
            value: .integer(5)
        )
        return Batch(
            removed: [],
            inserted: [KeyedEntry(key: .cell(cell), entry: entry)],
            advanced: [entry.dot],
            journal: [JournalLine(key: .cell(cell), entry: entry, replaced: [])]
        )
    }
}
