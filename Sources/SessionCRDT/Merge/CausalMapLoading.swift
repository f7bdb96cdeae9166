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
