import SessionCRDT

/// The rows of a store: entries by dot, and the vector by actor.
struct Table: Hashable {
    private(set) var rows: [Dot: KeyedEntry] = [:]
    private(set) var sequences: [ActorID: UInt64] = [:]

    /// Commits a batch as a store does.
    mutating func apply(_ batch: Batch) throws(Disagreement) {
        for dot in batch.removed {
            guard rows.removeValue(forKey: dot) != nil else {
                throw Disagreement("a batch removes \(dot), which is not stored")
            }
        }
        for keyed in batch.inserted {
            guard rows.updateValue(keyed, forKey: keyed.entry.dot) != keyed else {
                throw Disagreement("a batch inserts \(keyed.entry.dot), which is stored already")
            }
        }
        for dot in batch.advanced {
            guard dot.sequence > sequences[dot.actor] ?? 0 else {
                throw Disagreement("a batch lowers the vector to \(dot)")
            }
            sequences[dot.actor] = dot.sequence
        }
    }

    /// Loads the map as a daemon does, with the rows in random order.
    func read(using random: inout some RandomNumberGenerator) throws -> CausalMap {
        let dots = rows.keys.sorted().shuffled(using: &random)
        return try CausalMap(entries: dots.compactMap { rows[$0] }, vector: vector)
    }

    var vector: VersionVector { VersionVector(sequences) }
}
