import SessionCRDT
import SessionStore
import SyncTestKit

/// A session written into a home as another version would have left it there.
enum StoredSession {
    /// Writes sessions with these fields, by title, into the store of a home whose daemon is not
    /// running.
    static func write(_ sessions: [String: [Symbol: String]], into home: String) throws {
        var generator = SeededGenerator(seed: 7)
        let store = try SessionStore(directory: home, using: &generator)
        for (title, fields) in sessions.sorted(by: { $0.key < $1.key }) {
            let record = SessionRecord(
                id: SessionID.random(using: &generator),
                key: [UInt8](repeating: 5, count: SessionStore.keyBytes),
                joinedAt: 1_795_201_445_123
            )
            try store.add(record)
            let batch = batch(fields.merging([Field.title: title]) { $1 }, using: &generator)
            try store.commit([(record.id, batch)], at: 1_795_201_445_123)
        }
    }

    private static func batch(
        _ fields: [Symbol: String],
        using generator: inout SeededGenerator
    ) -> Batch {
        let actor = ActorID.random(using: &generator)
        let author = DeviceID.random(using: &generator)
        let player = PlayerID.random(using: &generator)
        let mutations =
            fields.sorted { $0.key < $1.key }.map { Mutation(.session($0.key), .text($0.value)) }
            + Mutation.add(player, name: "Ann")
        let entries = mutations.enumerated().map { place, mutation in
            KeyedEntry(
                key: mutation.key,
                entry: Entry(
                    dot: Dot(actor: actor, sequence: UInt64(place + 1)),
                    stamp: Stamp(bits: 1_795_201_445_123 << 16),
                    author: author,
                    value: mutation.value
                )
            )
        }
        return Batch(
            removed: [],
            inserted: entries,
            advanced: [Dot(actor: actor, sequence: UInt64(entries.count))],
            journal: []
        )
    }
}
