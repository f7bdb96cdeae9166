/// The replicated data of one session: the live set of each key and the vector of seen writes.
///
/// A delta-state CRDT (Almeida et al., "Delta State Replicated Data Types", 2018). `delta(since:)`
/// extracts what another replica lacks; merging deltas in any order, even if some are repeated or
/// lost and sent again, brings all replicas to the same live sets. Keys are never deleted, so the
/// size grows with the number of keys and not with the number of edits. The map changes only by a
/// `Draft`, see `StagedMap`.
package struct CausalMap: Sendable {
    package private(set) var live = LiveSets()
    /// All writes seen, live or replaced.
    package private(set) var vector: VersionVector
    /// The digest and the size of all live entries.
    package private(set) var tally = Tally()

    private var index = LiveIndex()
    private var liveCount = 0

    package init() { vector = VersionVector() }

    /// Creates a map from stored entries, in any order, each dot once per key.
    ///
    /// If a dot is stored under several keys, which no correct program does, only the entry with
    /// the greatest canonical bytes is kept, so that deltas are sound. Digests then reveal the
    /// difference.
    ///
    /// - Throws: `CausalMapError` if the vector does not cover an entry, which means that part of
    ///   the stored data is missing.
    package init(entries: [KeyedEntry], vector: VersionVector) throws(CausalMapError) {
        var live = LiveSets()
        live.reserve(entries.count)
        // The further entries of the few keys that have more than one.
        var conflicts: [Int: [Entry]] = [:]
        for stored in entries {
            guard vector.covers(stored.entry.dot) else { throw .unseen(stored.entry.dot) }
            let (slot, isNew) = live.insert(LiveSet(stored.entry), under: stored.key)
            if !isNew { conflicts[slot, default: []].append(stored.entry) }
        }
        for (slot, entries) in conflicts {
            if let set = LiveSet(live.set(at: slot).entries + entries) { live.put(set, at: slot) }
        }
        self.init(live, vector: vector)
        let repeated = index.repeated
        if !repeated.isEmpty { self.init(live.resolving(repeated), vector: vector) }
    }

    private init(_ live: LiveSets, vector: VersionVector) {
        self.live = live
        self.vector = vector
        for (slot, (key, set)) in live.enumerated() {
            liveCount += set.count
            for entry in set {
                tally.add(entry, under: key)
                index.insert(entry.dot, slot: slot)
            }
        }
        index.sort()
    }

    package subscript(key: Key) -> LiveSet? { live[key] }

    mutating func apply(_ draft: Draft) {
        guard !live.isEmpty else {
            self = CausalMap(draft.liveSets, vector: draft.vector)
            return
        }
        // If most of the draft is new, growing step by step would rehash the tables repeatedly.
        if draft.changes.count > live.count { live.reserve(draft.changes.count) }
        for change in draft.changes {
            let slot = live.put(change.after, under: change.key)
            tally.change(change.key, from: change.before, to: change.after)
            liveCount += change.after.count - (change.before?.count ?? 0)
            for entry in change.after where change.before?[entry.dot] == nil {
                index.insert(entry.dot, slot: slot)
            }
        }
        index.sort()
        vector = draft.vector
        guard index.count > 2 * liveCount + 64 else { return }
        index.keep { [live] dot, slot in live.set(at: slot)[dot] != nil }
    }

    /// Returns the changes that a replica with the vector `known` lacks; nil if it lacks nothing.
    ///
    /// The changes are in the order of their first write beyond `known`, which is deterministic.
    package func delta(since known: VersionVector) -> Delta? {
        let news = vector.heads(aheadOf: known)
        guard !news.isEmpty else { return nil }
        // The slots that were added already; only a key with several live entries is found
        // repeatedly.
        var addedSlots: Set<Int> = []
        var changes: [KeyedLiveSet] = []
        for newest in news {
            for write in index.writes(of: newest.actor, after: known[newest.actor]) {
                let (key, set) = live[write.slot]
                guard set[Dot(actor: newest.actor, sequence: write.sequence)] != nil,
                    set.count == 1 || addedSlots.insert(write.slot).inserted
                else { continue }
                changes.append(KeyedLiveSet(key: key, live: set))
            }
        }
        return Delta(sound: changes, base: known, upto: vector)
    }

    /// The full state, for a peer with the same vector and a different digest.
    package var union: Delta {
        let changes = live.sorted { $0.key < $1.key }.map { KeyedLiveSet(key: $0, live: $1) }
        return Delta(sound: changes, base: vector, upto: vector, isUnion: true)
    }
}

/// The stored data of one session.
package struct ReplicaSnapshot: Hashable, Sendable {
    package let entries: [KeyedEntry]
    package let vector: VersionVector

    package init(entries: [KeyedEntry], vector: VersionVector) {
        (self.entries, self.vector) = (entries, vector)
    }
}

package enum CausalMapError: Error, Hashable, Sendable, CustomStringConvertible {
    case unseen(Dot)

    package var description: String {
        switch self {
        case .unseen(let dot):
            "entry \(dot.actor):\(dot.sequence) is stored but not covered by the version vector"
        }
    }
}
