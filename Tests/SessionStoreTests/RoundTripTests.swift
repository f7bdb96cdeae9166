import SessionCRDT
import SessionStore
import SyncTestKit
import Testing

struct RoundTripTests {
    @Test("A store has exactly the result of random batches of several sessions", arguments: 1...12)
    func holdsWhatBatchesLeft(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scratch = try ScratchDirectory()
        var sessions = (0..<3).map { _ in RandomSession(using: &generator) }
        var store = try scratch.open()
        for session in sessions { try store.add(session.record) }
        for round in 0..<20 {
            let milliseconds = generator.next()
            var batches: [(session: SessionID, batch: Batch)] = []
            for index in sessions.indices where generator.next() % 3 > 0 {
                let batch = sessions[index].batch(at: milliseconds, using: &generator)
                batches.append((sessions[index].record.id, batch))
            }
            try store.commit(batches, at: milliseconds)
            if round % 7 == 3 { store = try scratch.open() }
            for session in sessions { try expect(store, toHold: session, seed) }
        }
        #expect(try store.sessions() == sessions.map(\.record), "seed \(seed)")
    }

    private func expect(
        _ store: SessionStore,
        toHold session: RandomSession,
        _ seed: UInt64
    ) throws {
        let stored = try store.load(session.record.id)
        #expect(stored.entries.count == session.replica.entries.count, "seed \(seed)")
        #expect(Set(stored.entries) == session.replica.entries, "seed \(seed)")
        #expect(stored.vector == session.replica.vector, "seed \(seed)")
        let history = try store.history(of: session.record.id, limit: .max)
        #expect(history == session.journal.reversed(), "seed \(seed)")
    }

    @Test("Texts are stored byte by byte", arguments: RandomSession.texts)
    func textsKeepTheirBytes(text: String) throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        try store.set(text, to: text)
        let read = try #require(try store.setting(text))
        #expect(Array(read.utf8) == Array(text.utf8))
    }

    @Test("Loading the batches of a map results in the same map")
    func sealedBatchesMakeTheSameMap() throws {
        var generator = SeededGenerator(seed: 5)
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let session = RandomSession(using: &generator).record
        try store.add(session)
        var map = StagedMap(CausalMap())
        let actor = ActorID.random(using: &generator)
        for sequence in 1...50 as ClosedRange<UInt64> {
            let player = PlayerID(high: 0, low: sequence % 5)
            let entry = Entry(
                dot: Dot(actor: actor, sequence: sequence),
                stamp: Stamp(bits: sequence),
                author: store.device,
                value: .integer(Int64(sequence))
            )
            map.write(entry, under: .cell(Cell(player: player, row: Symbol(known: "points"))))
            guard sequence % 3 == 0, let batch = map.seal() else { continue }
            try store.commit([(session.id, batch)], at: sequence)
            map.settle()
        }
        let stored = try store.load(session.id)
        let loaded = try CausalMap(entries: stored.entries, vector: stored.vector)
        #expect(loaded.live == map.committed.live)
        #expect(loaded.vector == map.committed.vector)
        #expect(loaded.tally == map.committed.tally)
    }
}
