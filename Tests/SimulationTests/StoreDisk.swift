import FaultyDisk
import SessionCRDT
import SessionStore
import SyncTestKit

/// The real store of one laptop, on a disk that fails, tears and loses power.
final class StoreDisk: BackingStore {
    private let directory: String
    /// The behaviour of the disk without faults.
    private let usual: faulty_disk_fault
    private var store: SessionStore?
    private var chance: SeededGenerator

    /// A store in a directory of its own; on a disk that `lies` no flush counts.
    init(directory: String, seed: UInt64, lies: Bool) {
        self.directory = directory
        usual = lies ? FAULTY_DISK_LYING : FAULTY_DISK_SOUND
        chance = SeededGenerator(seed: seed)
        faulty_disk_fail(directory, usual, 0)
    }

    deinit {
        store = nil
        faulty_disk_forget(directory)
    }

    /// The store, opened again after it died.
    private func opened() throws -> SessionStore {
        if let store { return store }
        let opened = try SessionStore(directory: directory, using: &chance)
        if let aside = opened.damagedDatabases.first {
            throw SetAside(path: "\(aside.file): \(aside.text)")
        }
        store = opened
        return opened
    }

    func add(_ session: SessionID) {
        do {
            let key = [UInt8](repeating: 1, count: 32)
            try opened().add(SessionRecord(id: session, key: key, joinedAt: 0))
        } catch { preconditionFailure("a session could not be added: \(error)") }
    }

    func remove(_ session: SessionID) {
        do {
            try opened().remove(session)
        } catch { preconditionFailure("a session could not be removed: \(error)") }
    }

    func commit(_ batch: Batch, _ session: SessionID, isFull: Bool) -> Bool {
        if isFull { faulty_disk_fail(directory, FAULTY_DISK_FULL, number(upTo: 1)) }
        defer { faulty_disk_fail(directory, usual, 0) }
        do {
            try opened().commit([(session, batch)], at: 0)
            if number(upTo: 9) == 0 { try opened().checkpoint() }
            return true
        } catch { return false }
    }

    func load(_ session: SessionID) throws -> ReplicaSnapshot { try opened().load(session) }

    func die(during batch: Batch?, of session: SessionID, losingPower: Bool, seed: UInt64) {
        // After some of the writes, before the last flush or after it.
        faulty_disk_fail(directory, FAULTY_DISK_DEAD, number(upTo: 7))
        if let batch {
            try? opened().commit([(session, batch)], at: 0)
        } else if number(upTo: 1) == 0 {
            try? opened().checkpoint()
        }
        // Nothing is folded in at the end.
        faulty_disk_fail(directory, FAULTY_DISK_DEAD, 0)
        store = nil
        // A machine that goes on has in memory what it did not flush.
        if losingPower { faulty_disk_power_up(directory, seed) }
        faulty_disk_fail(directory, usual, 0)
    }

    private func number(upTo most: Int32) -> Int32 { Int32.random(in: 0...most, using: &chance) }

    /// The store was taken for damaged, which no fault here makes it.
    private struct SetAside: Error {
        let path: String
    }
}
