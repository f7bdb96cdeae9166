import SessionCRDT

extension Twin {
    /// Whether the map says what the reference says, on disk and above it.
    func check() throws(Disagreement) {
        guard Twin.sets(map.headLive) == head.live else {
            throw Disagreement("head: \(map.headLive) is not \(head.live)")
        }
        guard map.headVector == head.vector else {
            throw Disagreement("head vector: \(map.headVector) is not \(head.vector)")
        }
        for (key, live) in map.headLive where map.head(key) != live {
            throw Disagreement("head of \(key) depends on how one asks")
        }
        guard Twin.sets(map.committed.live) == committed.live else {
            throw Disagreement("committed: \(map.committed.live) is not \(committed.live)")
        }
        guard map.committed.vector == committed.vector else {
            throw Disagreement("committed vector: \(map.committed.vector)")
        }
        guard map.hasOpenChanges == (head != (sealed ?? committed)) else {
            throw Disagreement("open changes: \(map.hasOpenChanges)")
        }
    }

    /// Whether the disk says what the map says, and both find the same for a peer.
    func checkDisk(
        knownToPeer known: VersionVector,
        using random: inout some RandomNumberGenerator
    ) throws {
        let read = try table.read(using: &random)
        guard read.live == map.committed.live, read.vector == map.committed.vector else {
            throw Disagreement("on disk \(read.live), committed \(map.committed.live)")
        }
        guard read.tally == map.committed.tally else {
            throw Disagreement("kept \(map.committed.tally), counted anew \(read.tally)")
        }
        let delta = map.committed.delta(since: known)
        guard delta == read.delta(since: known) else {
            throw Disagreement("a delta depends on what happened before a restart")
        }
        let news = map.committed.live.filter { _, live in
            live.entries.contains { !known.covers($0.dot) }
        }
        let changes = delta?.changes ?? []
        guard changes.count == news.count, changes.allSatisfy({ news[$0.key] == $0.live }),
            (delta == nil) == known.covers(map.committed.vector),
            delta == nil || delta?.base == known && delta?.upto == map.committed.vector
        else {
            throw Disagreement("the delta since \(known) is not what a full scan finds")
        }
    }

    private static func sets(_ live: [Key: LiveSet]) -> [Key: Set<Entry>] {
        live.mapValues { Set($0.entries) }
    }
}
