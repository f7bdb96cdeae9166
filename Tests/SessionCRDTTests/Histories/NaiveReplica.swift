import SessionCRDT

/// The reference that the real map is measured against.
///
/// It remembers every write it ever saw, and of each write what it replaced; it has no deltas, no
/// drafts and no index.
struct NaiveReplica: Hashable {
    /// One write and the writes that it replaced.
    struct Write: Hashable {
        let key: Key
        let entry: Entry
        let replaced: Set<Dot>
    }

    private(set) var seen: [Dot: Write] = [:]

    /// What no write that was seen has replaced.
    var live: [Key: Set<Entry>] {
        var replaced: Set<Dot> = []
        for write in seen.values { replaced.formUnion(write.replaced) }
        var live: [Key: Set<Entry>] = [:]
        for (dot, write) in seen where !replaced.contains(dot) {
            live[write.key, default: []].insert(write.entry)
        }
        return live
    }

    /// The last write seen of each actor.
    var vector: VersionVector {
        var vector = VersionVector()
        for dot in seen.keys { vector.advance(to: dot) }
        return vector
    }

    /// Writes over everything that is live under the key.
    mutating func write(_ entry: Entry, under key: Key) -> Write {
        let replaced = Set((live[key] ?? []).map(\.dot))
        let write = Write(key: key, entry: entry, replaced: replaced)
        seen[entry.dot] = write
        return write
    }

    /// Sees everything that another replica saw.
    mutating func join(_ other: NaiveReplica) {
        seen.merge(other.seen) { mine, _ in mine }
    }
}
