import SessionCRDT

/// The reference for the real map: it stores every write it has seen and the writes that each
/// replaced, without deltas, drafts and indices.
struct NaiveReplica: Hashable {
    struct Write: Hashable {
        let key: Key
        let entry: Entry
        let replaced: Set<Dot>
    }

    private(set) var seen: [Dot: Write] = [:]

    /// The entries that no seen write has replaced.
    var live: [Key: Set<Entry>] {
        var replaced: Set<Dot> = []
        for write in seen.values { replaced.formUnion(write.replaced) }
        var live: [Key: Set<Entry>] = [:]
        for (dot, write) in seen where !replaced.contains(dot) {
            live[write.key, default: []].insert(write.entry)
        }
        return live
    }

    var vector: VersionVector {
        var vector = VersionVector()
        for dot in seen.keys { vector.advance(to: dot) }
        return vector
    }

    /// Writes an entry that replaces everything live under the key.
    mutating func write(_ entry: Entry, under key: Key) -> Write {
        let replaced = Set((live[key] ?? []).map(\.dot))
        let write = Write(key: key, entry: entry, replaced: replaced)
        seen[entry.dot] = write
        return write
    }

    /// Adds everything that another replica has seen.
    mutating func join(_ other: NaiveReplica) {
        seen.merge(other.seen) { mine, _ in mine }
    }
}
