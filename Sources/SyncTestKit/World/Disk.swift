import SessionCRDT
import SyncEngine
import SyncProtocol

/// What a laptop holds through a power cut: only what was committed, a batch as a whole.
struct Disk {
    /// One session as a store holds it.
    struct Session {
        var entries: [Dot: KeyedEntry] = [:]
        var sequences: [ActorID: UInt64] = [:]
        var journal: [JournalLine] = []
        var addresses: [Endpoint: KnownAddress] = [:]
        var acknowledged = VersionVector()

        var vector: VersionVector { VersionVector(sequences) }

        mutating func apply(_ batch: Batch) {
            for dot in batch.removed { entries[dot] = nil }
            for stored in batch.inserted { entries[stored.entry.dot] = stored }
            for dot in batch.advanced {
                sequences[dot.actor] = max(sequences[dot.actor] ?? 0, dot.sequence)
            }
            journal += batch.journal
        }

        /// Whether this is what a store gives back.
        func holds(_ snapshot: ReplicaSnapshot) -> Bool {
            Set(snapshot.entries) == Set(entries.values) && snapshot.vector == vector
        }

        /// The session as the engine gets it.
        var opened: OpenedSession {
            OpenedSession(
                replica: ReplicaSnapshot(
                    entries: entries.sorted { $0.key < $1.key }.map(\.value),
                    vector: vector
                ),
                addresses: addresses.sorted { $0.key < $1.key }.map(\.value),
                acknowledged: acknowledged
            )
        }
    }

    var sessions: [SessionID: Session] = [:]

    /// The sessions in the order of their ids.
    var held: [SessionID] { sessions.keys.sorted() }
}
