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

    /// Lets a key of a session say something else, in the store of a home whose daemon is not
    /// running, as if a member had written it who had seen what the home has.
    static func rewrite(
        _ key: Key,
        of session: SessionID,
        to value: Value,
        byMember number: UInt64,
        into home: String
    ) throws {
        var generator = SeededGenerator(seed: number)
        let store = try SessionStore(directory: home, using: &generator)
        let replaced = try store.load(session).entries.filter { $0.key == key }.map(\.entry)
        let latest = replaced.map(\.stamp.milliseconds).max() ?? 1_700_000_000_000
        let entry = Entry(
            dot: Dot(actor: ActorID(high: 99, low: number), sequence: 1),
            stamp: Stamp(milliseconds: latest + number),
            author: DeviceID(high: 99, low: number),
            value: value
        )
        let batch = Batch(
            removed: replaced.map(\.dot),
            inserted: [KeyedEntry(key: key, entry: entry)],
            advanced: [entry.dot],
            journal: [JournalLine(key: key, entry: entry, replaced: replaced)]
        )
        try store.commit([(session, batch)], at: latest)
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
