extension LiveSet {
    /// The live set after a delta said `theirs` of this key:
    /// `(mine ∩ theirs) ∪ (mine ∖ upto) ∪ (theirs ∖ seen)`.
    ///
    /// - Parameters:
    ///   - theirs: the sender's whole live set of the key.
    ///   - upto: what the sender had seen, and with it what the sender knows to be replaced.
    ///   - seen: what this replica had seen, and with it what is known here to be replaced.
    ///   - key: the key of both, which decides with the entries' bytes between two forms of one
    ///     dot.
    /// - Returns: the entries that are live once both sides' knowledge counts.
    func merged(
        with theirs: LiveSet,
        upto: VersionVector,
        seen: VersionVector,
        under key: Key
    ) -> LiveSet {
        var merged: [Entry] = []
        for mine in entries {
            if let same = theirs[mine.dot] {
                merged.append(LiveSet.greater(mine, same, under: key))
            } else if !upto.covers(mine.dot) {
                merged.append(mine)
            }
        }
        merged += theirs.entries.filter { self[$0.dot] == nil && !seen.covers($0.dot) }
        // Replicas that keep the laws never get here with nothing; from one that does not, keep
        // all.
        return LiveSet(merged) ?? united(with: theirs, under: key)
    }

    /// All entries of both sides, whatever either knows to be replaced.
    func united(with theirs: LiveSet, under key: Key) -> LiveSet {
        let mine = entries.map { entry in
            theirs[entry.dot].map { LiveSet.greater(entry, $0, under: key) } ?? entry
        }
        return LiveSet(mine + theirs.entries.filter { self[$0.dot] == nil }) ?? self
    }

    /// Of two forms of one dot, which only an accident makes, the one that everybody picks.
    private static func greater(_ left: Entry, _ right: Entry, under key: Key) -> Entry {
        guard left != right else { return left }
        let bytes = (left.canonicalBytes(under: key), right.canonicalBytes(under: key))
        return bytes.0.lexicographicallyPrecedes(bytes.1) ? right : left
    }
}
