import FaultyDisk
import FoundationEssentials
import SessionCRDT
import Testing

@testable import SessionStore

/// The database belongs to one process, which shares it with no other.
struct OwnershipTests {
    private static let session = SessionRecord(
        id: SessionID(high: 1, low: 2),
        key: [UInt8](repeating: 9, count: SessionStore.keyBytes),
        joinedAt: 3
    )

    /// A store that has the database alone, as a daemon without its log would leave it.
    private func opened(fromDatabaseOf scratch: ScratchDirectory) throws -> SessionStore {
        let copy = try ScratchDirectory()
        try copy.write(scratch.bytes(of: "scoresync.db"), to: "scoresync.db")
        return try copy.open()
    }

    @Test("No other process gets a lock while the database is open; its owner goes on")
    func excludesOthers() throws {
        let scratch = try ScratchDirectory()
        do {
            let store = try scratch.open()
            try store.add(Self.session)
            let refused = try StoreProcess(on: scratch.path, ["read"]).lines()
            #expect(refused.count == 1)
            let reason = "another program has the database open"
            #expect(refused.first?.contains(reason) == true, "\(refused)")
            try store.set("name", to: "laptop")
            // Its other connections are not kept out.
            let copy = scratch.path + "/copy"
            #expect(try store.backUp(to: copy, replacing: false).sessions == 1)
            #expect(Restoration.existing(in: scratch.path).sessions == 1)
        }
        #expect(try StoreProcess(on: scratch.path, ["write 1"]).lines() != [])
    }

    @Test("A database that another process has open is refused, and opened after it ended")
    func isExcluded() throws {
        let scratch = try ScratchDirectory()
        let process = try StoreProcess(on: scratch.path, ["run"])
        _ = process.line()
        let error = try #require(throws: StoreError.self) { try scratch.open() }
        guard case .busy = error else {
            Issue.record("\(error)")
            return
        }
        process.kill()
        #expect(try scratch.open().sessions().count == 2)
    }

    @Test("The log has no index in a file, and one that others put there changes nothing")
    func noIndex() throws {
        let scratch = try ScratchDirectory()
        _ = try scratch.open()
        // As an earlier version has left it.
        try scratch.write([UInt8](repeating: 1, count: 32_768), to: "scoresync.db-shm")
        let store = try scratch.open()
        try store.add(Self.session)
        #expect(try !scratch.files.contains("scoresync.db-shm"))
        try scratch.write([UInt8](repeating: 0xA5, count: 32_768), to: "scoresync.db-shm")
        try store.set("name", to: "laptop")
        try scratch.write([], to: "scoresync.db-shm")
        try store.set("me", of: Self.session.id, to: "Ann")
        // Killed: the log stays, and the next start reads it.
        try store.connection.keepLogOnClose(true)
        let next = try scratch.open()
        #expect(try next.setting("name") == "laptop")
        #expect(try next.setting("me", of: Self.session.id) == "Ann")
    }

    @Test("A session and a restored key are in the database itself when the call returns")
    func needsNoLog() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let keyless = SessionRecord(id: SessionID(high: 5, low: 5), key: [], joinedAt: 4)
        try store.atomically(to: "add a session") { () throws(StoreError) in
            try store.add(keyless)
            try store.set("current", to: "5")
        }
        let added = try opened(fromDatabaseOf: scratch)
        #expect(added.device == store.device)
        #expect(try added.sessions() == [keyless])
        #expect(try added.setting("current") == "5")
        try store.restoreKey(Self.session.key, of: keyless.id)
        #expect(try opened(fromDatabaseOf: scratch).sessions().map(\.key) == [Self.session.key])
        // Everything else waits for an idle moment.
        try store.set("current", to: "6")
        #expect(try opened(fromDatabaseOf: scratch).setting("current") == "5")
    }

    @Test("A file system without locks is refused by name")
    func needsLocks() throws {
        try #require(faulty_disk_install() == 0)
        let scratch = try ScratchDirectory()
        _ = try scratch.open()
        faulty_disk_fail(scratch.path, FAULTY_DISK_UNLOCKED, 0)
        defer { faulty_disk_forget(scratch.path) }
        let error = try #require(throws: StoreError.self) { try scratch.open() }
        guard case .noLocks(let failure) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure.path == scratch.database)
        #expect("\(error)".contains("--home"))
    }
}
