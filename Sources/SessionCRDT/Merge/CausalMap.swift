/// All that a replica holds of a session: the live set of each key, and what has been seen.
///
/// Keys are never deleted; the size is bounded by the keys and not by the edits.
package struct CausalMap: Sendable {
    /// The live set of each key.
    package private(set) var live: [Key: LiveSet] = [:]
    /// What has been seen, live or replaced.
    package private(set) var vector = VersionVector()
    /// The digest and the size of all live entries.
    package private(set) var tally = Tally()

    private var index = LiveIndex()
    private var liveCount = 0

    /// The map that has seen nothing.
    package init() {}

    /// The map that a store held.
    ///
    /// - Throws: `CausalMapError` when an entry says what the vector has not seen: then part of
    ///   what was stored is missing.
    package init(
        entries: [KeyedEntry],
        vector: VersionVector
    ) throws(CausalMapError) {
        self.vector = vector
        live.reserveCapacity(entries.count)
        // Few keys have more than one entry; those are put together afterwards, each once.
        var further: [Key: [Entry]] = [:]
        for stored in entries {
            guard vector.covers(stored.entry.dot) else { throw .unseen(stored.entry.dot) }
            let earlier = live.updateValue(LiveSet(stored.entry), forKey: stored.key)
            if let earlier { further[stored.key, default: []] += earlier.entries }
        }
        for (key, entries) in further {
            live[key] = LiveSet(entries + (live[key]?.entries ?? []))
        }
        for (key, set) in live {
            tally.change(key, from: nil, to: set)
            liveCount += set.count
        }
        rebuildIndex()
    }

    /// The entries that are live under the key; nil where nobody has written.
    package subscript(key: Key) -> LiveSet? { live[key] }

    /// Takes over what a draft changed.
    mutating func apply(_ changes: [KeyedLiveSet], vector: VersionVector) {
        var fresh: [(dot: Dot, key: Key)] = []
        fresh.reserveCapacity(changes.count)
        // Where most of it is new the table would else be moved again and again as it grows.
        if changes.count > live.count { live.reserveCapacity(changes.count) }
        for change in changes {
            let before = live[change.key]
            tally.change(change.key, from: before, to: change.live)
            liveCount += change.live.count - (before?.count ?? 0)
            for entry in change.live.entries where before?[entry.dot] == nil {
                fresh.append((entry.dot, change.key))
            }
            live[change.key] = change.live
        }
        index.insert(fresh.sorted { $0.dot < $1.dot })
        self.vector = vector
        if index.count > 2 * liveCount + 64 { rebuildIndex() }
    }

    /// What a replica lacks that has seen `known`, or nil when it lacks nothing.
    ///
    /// The changes stand in the order of their first write beyond `known`, which is the same in
    /// every process.
    package func delta(since known: VersionVector) -> Delta? {
        let news = vector.beyond(known)
        guard !news.isEmpty else { return nil }
        var keys: Set<Key> = []
        var changes: [KeyedLiveSet] = []
        for newest in news {
            for (dot, key) in index.keys(of: newest.actor, after: known[newest.actor]) {
                guard let set = live[key], set[dot] != nil, keys.insert(key).inserted else {
                    continue
                }
                changes.append(KeyedLiveSet(key: key, live: set))
            }
        }
        return Delta(base: known, upto: vector, changes: changes)
    }

    /// Everything, for a peer that has seen the same and still differs.
    package var union: Delta {
        let changes = live.sorted { $0.key < $1.key }.map { KeyedLiveSet(key: $0, live: $1) }
        return Delta(base: vector, upto: vector, changes: changes, isUnion: true)
    }

    private mutating func rebuildIndex() {
        index = LiveIndex()
        var places: [(dot: Dot, key: Key)] = []
        places.reserveCapacity(liveCount)
        for (key, set) in live {
            for entry in set.entries { places.append((entry.dot, key)) }
        }
        index.insert(places.sorted { $0.dot < $1.dot })
    }
}

/// An entry and what it is about.
package struct KeyedEntry: Hashable, Sendable {
    /// What the entry is about.
    package let key: Key
    /// The entry.
    package let entry: Entry

    /// The pair of both.
    package init(key: Key, entry: Entry) {
        self.key = key
        self.entry = entry
    }
}

/// Why what a store held is not a map.
package enum CausalMapError: Error, Hashable, Sendable {
    /// An entry is there whose write the vector has not seen.
    case unseen(Dot)
}

extension CausalMapError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unseen(let dot):
            "entry \(dot.actor):\(dot.sequence) is stored but was never counted as seen"
        }
    }
}
