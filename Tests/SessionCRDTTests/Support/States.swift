import SessionCRDT
import SyncTestKit

/// States after random histories.
enum States {
    /// The committed maps of the devices in a random history.
    static func states(seed: UInt64, steps: Int = 100) throws -> [CausalMap] {
        var world = World(seed: seed)
        try world.run(steps: steps)
        return world.twins.map(\.map.committed)
    }

    /// The map after a merge of another map, by one delta.
    static func merged(_ map: CausalMap, with other: CausalMap) throws -> CausalMap {
        try merged(map, with: other.delta(since: map.vector))
    }

    /// The map after a delta, which must be applicable; nil has nothing new.
    static func merged(_ map: CausalMap, with delta: Delta?) throws -> CausalMap {
        guard let delta else { return map }
        var staged = StagedMap(map)
        guard staged.merge(delta) else { throw Disagreement("rejected: \(delta)") }
        _ = staged.seal()
        try staged.settleChecked()
        return staged.committed
    }

    /// The map after these writes.
    static func written(_ map: CausalMap, _ entries: (Key, Entry)...) -> CausalMap {
        written(on: map, entries)
    }

    static func written(_ entries: (Key, Entry)...) -> CausalMap {
        written(on: CausalMap(), entries)
    }

    /// The map after an actor applied these mutations, from the sequence number `from`.
    static func written(
        actor: UInt64,
        from first: UInt64 = 1,
        _ mutations: [Mutation],
        on map: CausalMap
    ) -> CausalMap {
        let entries = mutations.enumerated().map { index, mutation in
            (mutation.key, Samples.entry(actor, first + UInt64(index), mutation.value))
        }
        return written(on: map, entries)
    }

    private static func written(on map: CausalMap, _ entries: [(Key, Entry)]) -> CausalMap {
        var staged = StagedMap(map)
        for (key, entry) in entries { staged.write(entry, under: key) }
        _ = staged.seal()
        staged.settle()
        return staged.committed
    }
}

extension LiveSets {
    var dictionary: [Key: LiveSet] { Dictionary(uniqueKeysWithValues: map { ($0, $1) }) }
}

extension CausalMap {
    /// Everything in which two maps can differ.
    var contents: Contents { Contents(live: live.dictionary, vector: vector, tally: tally) }

    struct Contents: Hashable {
        let live: [Key: LiveSet]
        let vector: VersionVector
        let tally: Tally
    }
}
