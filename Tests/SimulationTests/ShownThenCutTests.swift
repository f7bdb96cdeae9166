import FaultyDisk
import Foundation
import SessionCRDT
import SessionStore
import SyncTestKit
import Testing

/// What a daemon shows after it was killed, and then the power fails.
@Suite("Killed, and then without power", .serialized)
struct ShownThenCutTests {
    @Test("What is shown after a kill is there after a power cut, flushed before the kill or not")
    func staysShown() throws {
        try #require(faulty_disk_install() == 0)
        var shown = 0
        // After how many writes and flushes the process ends; the last is the flush of the commit.
        for step in 0...40 as ClosedRange<Int32> {
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
            let before: ReplicaSnapshot
            do {
                let store = try open(place)
                before = try store.load(session)
                // Nothing is folded in at its end either.
                faulty_disk_fail(place, FAULTY_DISK_DEAD, 0)
                withExtendedLifetime(store) {}
            }
            faulty_disk_power_up(place, UInt64(step) + 1)
            faulty_disk_fail(place, FAULTY_DISK_SOUND, 0)
            #expect(try open(place).load(session).vector == before.vector, "step \(step)")
            if !before.vector.isEmpty { shown += 1 }
        }
        #expect((2...39).contains(shown), "the commit survived the kill \(shown) times")
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
