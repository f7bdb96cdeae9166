/// All that a replica holds of a session: the live set of each key, and what has been seen.
///
/// Keys are never deleted; the size is bounded by the keys and not by the edits.
package struct CausalMap: Sendable {
    /// The live set of each key.
    package private(set) var live = LiveSets()
    /// What has been seen, live or replaced.
    package private(set) var vector: VersionVector
    /// The digest and the size of all live entries.
    package private(set) var tally = Tally()

    private var index = LiveIndex()
    private var liveCount = 0

    /// The map that has seen nothing.
    package init() {
        vector = VersionVector()
    }

    /// The map that a store held.
    ///
    /// - Throws: `CausalMapError` when an entry says what the vector has not seen: then part of
    ///   what was stored is missing.
    package init(
        entries: [KeyedEntry],
        vector: VersionVector
    ) throws(CausalMapError) {
        var loading = CausalMapLoading(vector: vector, count: entries.count)
        for stored in entries { try loading.add(stored.entry, under: stored.key) }
        self = loading.finish()
    }

    /// The map of these live sets, all of whose entries the vector has seen.
    init(_ live: LiveSets, vector: VersionVector) {
        self.live = live
        self.vector = vector
        for (slot, (key, set)) in live.enumerated() {
            liveCount += set.count
            for entry in set {
                tally.add(entry, under: key)
                index.note(entry.dot, in: slot)
            }
        }
        index.order()
    }

    /// The entries that are live under the key; nil where nobody has written.
    package subscript(key: Key) -> LiveSet? { live[key] }

    /// The dots that are live under several keys, which no sound map has.
    var repeated: Set<Dot> { index.repeated }

    /// Takes over a draft that was made on top of what is here.
    mutating func apply(_ draft: Draft) {
        guard !live.isEmpty else {
            self = CausalMap(draft.liveSets, vector: draft.vector)
            return
        }
        // Where most of it is new the tables would else be moved again and again as they grow.
        if draft.changes.count > live.count { live.reserve(draft.changes.count) }
        for change in draft.changes {
            let slot = live.put(change.after, under: change.key)
            tally.change(change.key, from: change.before, to: change.after)
            liveCount += change.after.count - (change.before?.count ?? 0)
            for entry in change.after where change.before?[entry.dot] == nil {
                index.note(entry.dot, in: slot)
            }
        }
        index.order()
        vector = draft.vector
        guard index.count > 2 * liveCount + 64 else { return }
        index.keep { [live] dot, slot in live.set(at: slot)[dot] != nil }
    }

    /// What a replica lacks that has seen `known`, or nil when it lacks nothing.
    ///
    /// The changes stand in the order of their first write beyond `known`, which is the same in
    /// every process.
    package func delta(since known: VersionVector) -> Delta? {
        let news = vector.beyond(known)
        guard !news.isEmpty else { return nil }
        // Only a key with several live entries can come twice.
        var crowds: Set<Int> = []
        var changes: [KeyedLiveSet] = []
        for newest in news {
            for place in index.places(of: newest.actor, after: known[newest.actor]) {
                let (key, set) = live[place.slot]
                guard set[Dot(actor: newest.actor, sequence: place.sequence)] != nil,
                    set.count == 1 || crowds.insert(place.slot).inserted
                else { continue }
                changes.append(KeyedLiveSet(key: key, live: set))
            }
        }
        return Delta(sound: changes, base: known, upto: vector)
    }

    /// Everything, for a peer that has seen the same and still differs.
    package var union: Delta {
        let changes = live.sorted { $0.key < $1.key }.map { KeyedLiveSet(key: $0, live: $1) }
        return Delta(sound: changes, base: vector, upto: vector, isUnion: true)
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

/// A map while a store reads it, entry by entry, so that what was stored is never here twice.
package struct CausalMapLoading: Sendable {
    private let vector: VersionVector
    private var live = LiveSets()
    /// Further entries of the few keys that have more than one, put together at the end.
    private var crowds: [Int: [Entry]] = [:]

    /// Nothing read yet of a map that has seen so much and has about so many entries.
    package init(vector: VersionVector, count: Int = 0) {
        self.vector = vector
        live.reserve(count)
    }

    /// Takes in a live entry, in whatever order they come, each dot once.
    ///
    /// - Throws: `CausalMapError` when the vector has not seen it: then part of what was stored is
    ///   missing.
    package mutating func add(_ entry: Entry, under key: Key) throws(CausalMapError) {
        guard vector.covers(entry.dot) else { throw .unseen(entry.dot) }
        let (slot, isNew) = live.insert(LiveSet(entry), under: key)
        if !isNew { crowds[slot, default: []].append(entry) }
    }

    /// The map of all that was read.
    ///
    /// Of a dot that is there under several keys, which only an accident makes, the form with the
    /// greatest bytes stays, so that what peers are sent is sound; digests then tell what is wrong.
    package func finish() -> CausalMap {
        var live = live
        for (slot, entries) in crowds {
            if let set = LiveSet(live.set(at: slot).entries + entries) { live.put(set, at: slot) }
        }
        let map = CausalMap(live, vector: vector)
        let repeated = map.repeated
        return repeated.isEmpty ? map : CausalMap(live.settling(repeated), vector: vector)
    }
}

/// What a store holds of one session's data.
package struct ReplicaSnapshot: Hashable, Sendable {
    /// All live entries.
    package let entries: [KeyedEntry]
    /// What has been seen.
    package let vector: VersionVector

    package init(entries: [KeyedEntry], vector: VersionVector) {
        self.entries = entries
        self.vector = vector
    }
}
