import SessionCRDT

extension Twin {
    /// Compares the map with the reference, both the committed state and the head.
    mutating func check() throws(Disagreement) {
        checks += 1
        try followers[0].follow(map, neverLate: true)
        if checks.isMultiple(of: 5) { try followers[1].follow(map) }
        guard Twin.sets(map.headLive) == head.live else {
            throw Disagreement("head: \(Twin.difference(Twin.sets(map.headLive), head.live))")
        }
        guard map.headVector == head.vector else {
            throw Disagreement("head vector: \(map.headVector) is not \(head.vector)")
        }
        for (key, live) in map.headLive where map.head(key) != live {
            throw Disagreement("the head of \(key) differs between accessors")
        }
        guard Twin.sets(map.committed.live) == committed.live else {
            let difference = Twin.difference(Twin.sets(map.committed.live), committed.live)
            throw Disagreement("committed: \(difference)")
        }
        guard map.committed.vector == committed.vector else {
            throw Disagreement("committed vector: \(map.committed.vector)")
        }
        guard map.hasOpenChanges == (head != (sealed ?? committed)) else {
            throw Disagreement("open changes: \(map.hasOpenChanges)")
        }
    }

    /// Compares the disk with the map, and the deltas of both for a peer.
    func checkDisk(
        knownToPeer known: VersionVector,
        using random: inout some RandomNumberGenerator
    ) throws {
        let read = try table.read(using: &random)
        guard read.live == map.committed.live, read.vector == map.committed.vector else {
            let sets = (Twin.sets(read.live), Twin.sets(map.committed.live))
            throw Disagreement("on disk: \(Twin.difference(sets.0, sets.1))")
        }
        guard read.tally == map.committed.tally else {
            throw Disagreement("tally \(map.committed.tally), recomputed \(read.tally)")
        }
        let delta = map.committed.delta(since: known)
        guard delta == read.delta(since: known) else {
            throw Disagreement("a delta differs after a restart")
        }
        let news = map.committed.live.dictionary.filter { _, live in
            live.contains { !known.covers($0.dot) }
        }
        let changes = delta?.changes ?? []
        guard changes.count == news.count, changes.allSatisfy({ news[$0.key] == $0.live }),
            (delta == nil) == known.covers(map.committed.vector),
            delta == nil || delta?.base == known && delta?.upto == map.committed.vector
        else {
            throw Disagreement("the delta since \(known) differs from a full scan")
        }
    }

    private static func sets(_ live: LiveSets) -> [Key: Set<Entry>] {
        live.dictionary.mapValues { Set($0) }
    }

    /// The keys with differences from the expected state.
    private static func difference(
        _ found: [Key: Set<Entry>],
        _ expected: [Key: Set<Entry>]
    ) -> String {
        Set(found.keys).union(expected.keys).sorted()
            .filter { found[$0] != expected[$0] }
            .map { "\($0) has \(text(found[$0])), not \(text(expected[$0]))" }
            .joined(separator: "; ")
    }

    private static func text(_ entries: Set<Entry>?) -> String {
        (entries ?? []).sorted { $0.dot < $1.dot }
            .map { "\($0.dot.actor.low):\($0.dot.sequence) \($0.value)" }
            .joined(separator: ", ")
    }
}
