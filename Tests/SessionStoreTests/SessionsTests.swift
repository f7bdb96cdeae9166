import SessionCRDT
import SessionStore
import SyncTestKit
import Testing

struct SessionsTests {
    @Test("Removing a session removes everything of it and nothing of others")
    func removes() throws {
        var generator = SeededGenerator(seed: 8)
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        var sessions = (0..<2).map { _ in RandomSession(using: &generator) }
        for index in sessions.indices {
            let id = sessions[index].record.id
            try store.add(sessions[index].record)
            for _ in 0..<5 {
                try store.commit(
                    [(id, sessions[index].batch(at: 1, using: &generator))],
                    at: 1
                )
            }
            try store.set("me", of: id, to: "Ann")
            try store.record(StoredAddress(address: "10.0.0.1:47615"), for: id)
        }
        let gone = sessions[0].record
        let kept = sessions[1]
        try store.remove(gone.id)
        #expect(try store.sessions() == [kept.record])
        #expect(throws: StoreError.unknownSession(gone.id)) { try store.load(gone.id) }
        #expect(throws: StoreError.unknownSession(gone.id)) { try store.remove(gone.id) }
        #expect(throws: StoreError.unknownSession(gone.id)) {
            try store.set("a", of: gone.id, to: "b")
        }
        #expect(Set(try store.load(kept.record.id).entries) == kept.replica.entries)
        #expect(try store.history(of: kept.record.id, limit: .max).count == kept.journal.count)

        // Joined again, it is empty.
        try store.add(gone)
        #expect(try store.load(gone.id) == ReplicaSnapshot(entries: [], vector: VersionVector()))
        #expect(try store.history(of: gone.id, limit: .max) == [])
        #expect(try store.setting("me", of: gone.id) == nil)
        #expect(try store.addresses(of: gone.id) == [])
    }

    @Test("A session is added once, and only with a valid key")
    func addsOnce() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let id = SessionID(high: 0, low: 1)
        let whole = SessionRecord(id: id, key: [UInt8](repeating: 1, count: 32), joinedAt: .max)
        let short = SessionRecord(id: id, key: [1, 2], joinedAt: 0)
        #expect(throws: StoreError.wrongKeyLength(2)) { try store.add(short) }
        try store.add(whole)
        #expect(throws: StoreError.sessionExists(id)) { try store.add(whole) }
        #expect(try store.sessions() == [whole])
    }

    @Test("The description of a session does not contain its key")
    func keyIsNotShown() {
        let key = [UInt8](repeating: 213, count: 32)
        let record = SessionRecord(id: SessionID(high: 0, low: 1), key: key, joinedAt: 5)
        #expect(!"\(record) \(String(reflecting: record))".contains("213"))
    }

    @Test("Batches of several sessions are committed together or not at all")
    func commitsTogether() throws {
        var generator = SeededGenerator(seed: 3)
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        var sessions = (0..<30).map { _ in RandomSession(using: &generator) }
        for session in sessions { try store.add(session.record) }
        let unknown = SessionID(high: 5, low: 5)
        var lost = sessions
        var batches = lost.indices.map { index in
            (session: lost[index].record.id, batch: lost[index].batch(at: 1, using: &generator))
        }
        batches.append((unknown, batches[0].batch))
        #expect(throws: StoreError.unknownSession(unknown)) { try store.commit(batches, at: 1) }
        for session in sessions {
            let nothing = ReplicaSnapshot(entries: [], vector: VersionVector())
            #expect(try store.load(session.record.id) == nothing)
            #expect(try store.history(of: session.record.id, limit: .max) == [])
        }
        // The next transaction does not use numbers of the failed one.
        let next = sessions.indices.map { index in
            let batch = sessions[index].batch(at: 2, using: &generator)
            return (session: sessions[index].record.id, batch: batch)
        }
        try store.commit(next, at: 2)
        for session in sessions {
            let stored = try store.load(session.record.id)
            #expect(Set(stored.entries) == session.replica.entries)
            #expect(stored.vector == session.replica.vector)
        }
    }
}
