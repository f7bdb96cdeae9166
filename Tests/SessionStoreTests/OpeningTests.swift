import FoundationEssentials
import SessionCRDT
import SessionStore
import SyncTestKit
import Testing

struct OpeningTests {
    private static let session = SessionRecord(
        id: SessionID(high: 1, low: 2),
        key: [UInt8](repeating: 9, count: 32),
        joinedAt: 3
    )

    @Test("Device, sessions and settings survive reopening")
    func reopens() throws {
        let scratch = try ScratchDirectory()
        var device: DeviceID?
        do {
            let store = try scratch.open()
            device = store.device
            try store.add(Self.session)
            try store.set("name", to: "laptop")
            try store.set("me", of: Self.session.id, to: "Ann")
        }
        var other = SeededGenerator(seed: 99)
        let store = try SessionStore(directory: scratch.path, using: &other)
        #expect(store.device == device)
        #expect(store.repairReport == nil)
        #expect(try store.sessions() == [Self.session])
        #expect(try store.setting("name") == "laptop")
        #expect(try store.setting("me", of: Self.session.id) == "Ann")
        try store.set("name", to: nil)
        try store.set("me", of: Self.session.id, to: nil)
        #expect(try store.setting("name") == nil)
        #expect(try store.setting("me", of: Self.session.id) == nil)
    }

    @Test("The directory and its files are private")
    func isPrivate() throws {
        let scratch = try ScratchDirectory()
        let directory = scratch.path + "/state/scoresync"
        var generator = SeededGenerator(seed: 1)
        let store = try SessionStore(directory: directory, using: &generator)
        try store.set("name", to: "laptop")
        #expect(try permissions(scratch.path + "/state") == 0o700)
        #expect(try permissions(directory) == 0o700)
        for suffix in ["", "-wal"] {
            #expect(try permissions(directory + "/scoresync.db" + suffix) == 0o600)
        }
    }

    @Test("A database with wider permissions is made private")
    func becomesPrivate() throws {
        let scratch = try ScratchDirectory()
        _ = try scratch.open()
        try scratch.setPermissions(0o644)
        _ = try scratch.open()
        #expect(try permissions(scratch.database) == 0o600)
    }

    @Test("A database of an earlier schema is migrated and keeps its content")
    func migrates() throws {
        let scratch = try ScratchDirectory()
        do {
            let store = try scratch.open()
            try store.add(Self.session)
        }
        let next = Migration([
            "ALTER TABLE session ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'",
            "INSERT INTO setting SELECT 'colour', colour FROM session",
        ])
        let store = try scratch.open(migrations: Schema.migrations + [next])
        #expect(try store.sessions() == [Self.session])
        #expect(try store.setting("colour") == "red")
    }

    @Test("A failed migration leaves the database unchanged")
    func failedMigrationChangesNothing() throws {
        let scratch = try ScratchDirectory()
        do { try scratch.open().add(Self.session) }
        let broken = Migration(["DELETE FROM session", "INSERT INTO missing VALUES (1)"])
        #expect(throws: StoreError.self) {
            try scratch.open(migrations: Schema.migrations + [broken])
        }
        #expect(try scratch.open().sessions() == [Self.session])
    }

    @Test("A database of a later schema is refused and unchanged")
    func refusesLaterSchema() throws {
        let scratch = try ScratchDirectory()
        let known = Schema.migrations.count
        do { _ = try scratch.open(migrations: Schema.migrations + [Migration([])]) }
        let expected = StoreError.newerSchema(
            path: scratch.database,
            found: known + 1,
            known: known
        )
        #expect(throws: expected) { try scratch.open() }
        #expect(expected.description.contains("later version"))
        #expect(
            try scratch.open(migrations: Schema.migrations + [Migration([])]).repairReport == nil
        )
    }

    @Test("A database of another program is refused and unchanged")
    func refusesOtherProgram() throws {
        let scratch = try ScratchDirectory()
        let other = Migration(["PRAGMA application_id = 77"])
        do { _ = try scratch.open(migrations: Schema.migrations + [other]) }
        let error = StoreError.otherProgram(path: scratch.database, applicationID: 77)
        #expect(throws: error) { try scratch.open() }
    }

    @Test("A file that is not a database is set aside and reported, never deleted")
    func setsAside() throws {
        let scratch = try ScratchDirectory()
        let rubbish =
            [UInt8]("this is not a database, it is a poem. ".utf8) + repeatElement(1, count: 5_000)
        for round in 1...2 {
            for name in try scratch.files where !name.contains("damaged") {
                try FileManager.default.removeItem(atPath: scratch.path + "/" + name)
            }
            try scratch.write(rubbish, to: "scoresync.db")
            let store = try scratch.open()
            #expect(store.repairReport?.file == scratch.database + ".damaged-\(round)")
            #expect(try store.sessions() == [])
            #expect(try scratch.bytes(of: "scoresync.db.damaged-\(round)") == rubbish)
        }
        #expect(try scratch.open().repairReport == nil)
    }

    @Test("A database with a damaged page is set aside with its log")
    func setsAsideWithLog() throws {
        let scratch = try ScratchDirectory()
        try fill(scratch)
        var bytes = try scratch.bytes(of: "scoresync.db")
        for index in 4_096..<bytes.count where index % 7 < 3 { bytes[index] = 0xA5 }
        try scratch.write(bytes, to: "scoresync.db")
        try scratch.write([UInt8](repeating: 3, count: 100), to: "scoresync.db-wal")
        let store = try scratch.open()
        #expect(store.repairReport?.file == scratch.database + ".damaged-1")
        #expect(try scratch.bytes(of: "scoresync.db.damaged-1") == bytes)
        #expect(try scratch.bytes(of: "scoresync.db.damaged-1-wal").count == 100)
        try store.add(Self.session)
    }

    @Test("A log without a database is set aside")
    func setsLoneLogAside() throws {
        let scratch = try ScratchDirectory()
        try scratch.write([1, 2, 3], to: "scoresync.db-wal")
        #expect(try scratch.open().repairReport?.file == scratch.database + ".damaged-1")
        #expect(try scratch.bytes(of: "scoresync.db.damaged-1-wal") == [1, 2, 3])
    }

    @Test(
        "Damage anywhere in the file is an error or repaired, and never traps",
        arguments: 1...40
    )
    func damageNeverTraps(seed: UInt64) throws {
        let scratch = try ScratchDirectory()
        let session = try fill(scratch)
        var generator = SeededGenerator(seed: seed)
        var bytes = try scratch.bytes(of: "scoresync.db")
        for _ in 0..<Int.random(in: 1...60, using: &generator) {
            bytes[Int.random(in: 100..<bytes.count, using: &generator)] = .random(
                in: 0...255,
                using: &generator
            )
        }
        try scratch.write(bytes, to: "scoresync.db")
        // Without a check first, so that the damage reaches every reader.
        do {
            let store = try scratch.open(maxCheckedBytes: 0)
            _ = try? store.sessions()
            _ = try? store.load(session.id)
            _ = try? store.history(of: session.id, limit: .max)
            _ = try? store.commit([(session.id, session.next)], at: 1)
            _ = try? store.prune(session.id, acknowledged: VersionVector(), keepingNewest: 1)
        } catch {
            #expect(!error.description.isEmpty, "seed \(seed)")
        }
    }

    /// Fills a database with a random session, and closes it.
    @discardableResult
    private func fill(_ scratch: ScratchDirectory) throws -> (id: SessionID, next: Batch) {
        var generator = SeededGenerator(seed: 4)
        var session = RandomSession(using: &generator)
        let store = try scratch.open()
        try store.add(session.record)
        for _ in 0..<30 {
            let batch = session.batch(at: 1, using: &generator)
            try store.commit([(session.record.id, batch)], at: 1)
        }
        return (session.record.id, session.batch(at: 1, using: &generator))
    }

    private func permissions(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }
}
