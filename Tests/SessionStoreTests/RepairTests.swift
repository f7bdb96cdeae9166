import FoundationEssentials
import SessionCRDT
import SyncTestKit
import Testing

@testable import SessionStore

/// Damage that is found while a store is open, and files that are moved away.
struct RepairTests {
    @Test(
        "An invalid row is lost alone, and another member sends it again",
        arguments: ["kind = 77", "kind = 3, value = CAST(x'410042' AS TEXT)"]
    )
    func invalidRow(change: String) throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let filled = try FilledStore(store)
        let session = filled.sessions[0]
        let lost = try #require(session.map.live.first { $0.key.isCell })
        try store.connection.run(
            "UPDATE entry SET \(change) WHERE sequence = ? AND actor = (SELECT number FROM actor "
                + "WHERE id = ? AND session = 1)",
            [.word(lost.value.winner.dot.sequence), .id(lost.value.winner.dot.actor)]
        )
        // Without its history, so that only another member has it.
        try store.connection.run("DELETE FROM line")
        let error = try #require(throws: StoreError.self) { try store.load(session.record.id) }
        #expect(error.isDamage)
        var generator = SeededGenerator(seed: 7)
        let report = try store.repair("\(error)", using: &generator)
        #expect(report.text.contains(session.record.id.description.prefix(8)))
        let replica = try store.load(session.record.id)
        let kept = try CausalMap(entries: replica.entries, vector: replica.vector)
        #expect(kept.live.count == session.map.live.count - 1)
        #expect(kept[lost.key] == nil)
        let merged = try #require(FilledStore.merge(kept, session.map))
        #expect(merged.0.live == merged.1.live)
        #expect(merged.0.vector == merged.1.vector)
        #expect(FilledStore.shown(merged.0) == FilledStore.shown(session.map))
        // The other session has lost nothing.
        let other = try store.load(filled.sessions[1].record.id)
        #expect(other.vector == filled.sessions[1].map.vector)
        // The damaged database still has the row.
        let damaged = try Connection(path: report.file)
        let condition = change.replacing(", ", with: " AND ")
        let invalid = try damaged.number("SELECT count(*) FROM entry WHERE \(condition)")
        #expect(invalid == 1)
    }

    @Test("A lost entry is copied from the history")
    func fromHistory() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let filled = try FilledStore(store)
        let session = filled.sessions[0]
        try store.connection.run("UPDATE entry SET kind = 77 WHERE sequence % 3 = 0")
        var generator = SeededGenerator(seed: 7)
        _ = try store.repair("rows", using: &generator)
        let replica = try store.load(session.record.id)
        let kept = try CausalMap(entries: replica.entries, vector: replica.vector)
        #expect(FilledStore.shown(kept) == FilledStore.shown(session.map))
        let merged = try #require(FilledStore.merge(kept, session.map))
        #expect(merged.0.live == merged.1.live)
        // The history refers to the new dots.
        let newest = try store.history(of: session.record.id, limit: 1)
        let key = try #require(newest.first?.line.key)
        #expect(kept[key]?.winner == newest.first?.line.entry)
    }

    @Test("No dot is reused: rewritten entries have a new actor")
    func freshDots() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let filled = try FilledStore(store)
        try store.connection.run("UPDATE entry SET kind = 77 WHERE sequence % 7 = 0")
        var generator = SeededGenerator(seed: 7)
        _ = try store.repair("rows", using: &generator)
        for session in filled.sessions {
            let replica = try store.load(session.record.id)
            var before: [Dot: KeyedEntry] = [:]
            for (key, set) in session.map.live {
                for entry in set.entries { before[entry.dot] = KeyedEntry(key: key, entry: entry) }
            }
            for stored in replica.entries {
                if let same = before[stored.entry.dot] {
                    #expect(stored == same)
                } else {
                    #expect(session.map.vector[stored.entry.dot.actor] == 0)
                    #expect(replica.vector.covers(stored.entry.dot))
                }
            }
        }
    }

    @Test("Sessions in memory are stored completely, regardless of what the file lost")
    func fromMemory() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let filled = try FilledStore(store)
        for table in ["entry", "actor", "subject", "author", "session"] {
            try store.connection.run("PRAGMA foreign_keys = OFF")
            try store.connection.run("DELETE FROM \(table)")
        }
        let kept = filled.sessions.map { session in
            (
                record: session.record,
                replica: ReplicaSnapshot(
                    entries: session.map.live.flatMap { key, set in
                        set.entries.map { KeyedEntry(key: key, entry: $0) }
                    },
                    vector: session.map.vector
                )
            )
        }
        var generator = SeededGenerator(seed: 7)
        _ = try store.repair("everything", keeping: kept, using: &generator)
        for session in filled.sessions {
            let replica = try store.load(session.record.id)
            let map = try CausalMap(entries: replica.entries, vector: replica.vector)
            #expect(map.live == session.map.live)
            #expect(map.vector == session.map.vector)
        }
        #expect(try scratch.open().sessions() == filled.sessions.map(\.record))
    }

    @Test("A session with a key of the wrong length keeps its scores, and its key can be restored")
    func shortKey() throws {
        let scratch = try ScratchDirectory()
        let filled: FilledStore
        do {
            let store = try scratch.open()
            filled = try FilledStore(store)
            try store.connection.run("UPDATE session SET secret = x'00' WHERE number = 1")
        }
        let store = try scratch.open()
        let session = filled.sessions[0]
        #expect(try store.sessions().map(\.hasKey) == [false, true])
        #expect(try store.load(session.record.id).vector == session.map.vector)
        #expect(throws: StoreError.wrongKeyLength(1)) {
            try store.restoreKey([1], of: session.record.id)
        }
        try store.restoreKey(session.record.key, of: session.record.id)
        #expect(try store.sessions() == filled.sessions.map(\.record))
        // A valid key is not replaced.
        #expect(throws: StoreError.sessionExists(session.record.id)) {
            try store.restoreKey([UInt8](repeating: 0, count: 32), of: session.record.id)
        }
    }

    @Test("An interrupted repair is finished by the next start", arguments: 0...2)
    func interrupted(step: Int) throws {
        let scratch = try ScratchDirectory()
        var store: SessionStore? = try scratch.open()
        let filled = try FilledStore(#require(store), withCompleteLog: true)
        let log = try scratch.bytes(of: "scoresync.db-wal")
        store = nil
        let other = try ScratchDirectory()
        try other.write([], to: "scoresync.db")
        try other.write(log, to: "scoresync.db-wal")
        switch step {
        case 0: try other.write([1, 2, 3], to: "scoresync.db.partial")
        // The new database is complete, and the damaged one was moved away or not.
        case 1: try complete(from: scratch, into: other)
        default:
            try complete(from: scratch, into: other)
            for name in ["scoresync.db", "scoresync.db-wal"] {
                try FileManager.default.removeItem(atPath: other.path + "/" + name)
            }
        }
        let repaired = try other.open()
        #expect(try repaired.sessions() == filled.sessions.map(\.record))
        #expect(repaired.damagedDatabases.count == (step == 2 ? 0 : 1))
        let left = try other.files.filter { $0.contains("partial") || $0.contains("whole") }
        #expect(left.isEmpty)
    }

    /// Creates a complete new database, as a repair does before it moves it into place.
    private func complete(from scratch: ScratchDirectory, into other: ScratchDirectory) throws {
        let store = try scratch.open()
        store.truncateLog()
        try other.write(scratch.bytes(of: "scoresync.db"), to: "scoresync.db.whole")
    }

    @Test("A database is backed up before its schema is migrated")
    func backupBeforeMigration() throws {
        let scratch = try ScratchDirectory()
        let filled = try FilledStore(try scratch.open())
        let next = Migration(["DELETE FROM session", "DELETE FROM setting"])
        let changed = try scratch.open(migrations: Schema.migrations + [next])
        #expect(try changed.sessions().isEmpty)
        let kept = BackupDirectory(home: scratch.path).backups
        #expect(kept.map(\.reason) == [.schema(Schema.migrations.count)])
        let copy = "backups/\(try #require(kept.first).name)"
        let attributes = try FileManager.default.attributesOfItem(
            atPath: scratch.path + "/" + copy
        )
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let restored = try ScratchDirectory()
        try restored.write(scratch.bytes(of: copy), to: "scoresync.db")
        let store = try restored.open()
        #expect(try store.sessions() == filled.sessions.map(\.record))
        #expect(try !scratch.files.contains("scoresync.db.partial"))
    }

    @Test(
        "Writes to files that were removed or replaced fail",
        arguments: ["rm -r", "mv", "rm db", "rm log", "replace"]
    )
    func movedFiles(how: String) throws {
        let scratch = try ScratchDirectory()
        let home = scratch.path + "/home"
        var generator = SeededGenerator(seed: 1)
        let store = try SessionStore(directory: home, using: &generator)
        let filled = try FilledStore(store, rounds: 3)
        #expect(store.filesAreCurrent)
        let files = FileManager.default
        switch how {
        case "rm -r": try files.removeItem(atPath: home)
        case "mv": try files.moveItem(atPath: home, toPath: home + "-2")
        case "rm db": try files.removeItem(atPath: home + "/scoresync.db")
        case "rm log": try files.removeItem(atPath: home + "/scoresync.db-wal")
        default:
            try files.moveItem(atPath: home, toPath: home + "-2")
            var other = SeededGenerator(seed: 2)
            _ = try SessionStore(directory: home, using: &other)
        }
        #expect(!store.filesAreCurrent)
        #expect(store.isDirectoryReplaced == ["rm -r", "mv", "replace"].contains(how))
        let moved = StoreError.moved(path: home + "/scoresync.db")
        #expect(throws: moved) { try store.set("a", to: "b") }
        let nothing = Batch(removed: [], inserted: [], advanced: [], journal: [])
        let session = filled.sessions[0]
        #expect(throws: moved) { try store.commit([(session.record.id, nothing)], at: 1) }
        // A repair would set aside the files of another program.
        var third = SeededGenerator(seed: 3)
        #expect(throws: moved) { try store.repair("nothing", using: &third) }
        #expect(!files.fileExists(atPath: home + "/scoresync.db.damaged-1"))
        // Reading still works, so that the sessions can be saved elsewhere.
        #expect(try store.load(session.record.id).vector == session.map.vector)
        guard how == "mv" else { return }
        try files.moveItem(atPath: home + "-2", toPath: home)
        try store.set("a", to: "b")
    }
}

extension Key {
    fileprivate var isCell: Bool { if case .cell = self { true } else { false } }
}
