import SessionCRDT
import SessionStore
import SyncTestKit
import Testing

struct SheetsTests {
    private static let tichu = StoredSheet(id: Symbol("tichu") ?? Field.game, text: "{\"a\":\n1}")
    private static let skat = StoredSheet(id: Symbol("skat") ?? Field.game, text: "Grüße\u{0}🎲")

    @Test("Games survive reopening, byte by byte")
    func keeps() throws {
        let scratch = try ScratchDirectory()
        do {
            let store = try scratch.open()
            #expect(try store.sheets() == [])
            try store.save(Self.tichu)
            try store.save(Self.skat)
        }
        let store = try scratch.open()
        #expect(try store.sheets() == [Self.skat, Self.tichu])
        let newer = StoredSheet(id: Self.skat.id, text: "{}")
        try store.save(newer)
        #expect(try store.sheets() == [newer, Self.tichu])
        #expect(try store.removeSheet(Self.skat.id))
        #expect(try !store.removeSheet(Self.skat.id))
        #expect(try store.sheets() == [Self.tichu])
    }

    @Test("A database of a version without own games is migrated, and accepts them")
    func migrates() throws {
        let scratch = try ScratchDirectory()
        let session = SessionRecord(
            id: SessionID(high: 1, low: 2),
            key: [UInt8](repeating: 9, count: SessionStore.keyBytes),
            joinedAt: 3
        )
        let first = Array(Schema.migrations.prefix(1))
        do {
            let store = try scratch.open(migrations: first)
            try store.add(session)
            #expect(throws: StoreError.self) { try store.sheets() }
        }
        do {
            let store = try scratch.open()
            #expect(try store.sessions() == [session])
            try store.save(Self.tichu)
            #expect(try store.sheets() == [Self.tichu])
        }
        // The earlier version refuses the migrated database.
        let known = Schema.migrations.count
        let error = StoreError.newerSchema(path: scratch.database, found: known, known: 1)
        #expect(throws: error) { try scratch.open(migrations: first) }
        #expect(try scratch.open().sheets() == [Self.tichu])
    }
}
