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
        // Replicas that keep the laws never get here with nothing; from one that does not, take
        // nothing.
        joined(
            with: theirs,
            under: key,
            keeping: { !upto.covers($0.dot) },
            taking: { !seen.covers($0.dot) }
        ) ?? self
    }

    /// All entries of both sides, whatever either knows to be replaced.
    func united(with theirs: LiveSet, under key: Key) -> LiveSet {
        joined(with: theirs, under: key, keeping: { _ in true }, taking: { _ in true }) ?? self
    }

    /// The entries that a test lets through, or nil when it lets none.
    func filtered(_ isIncluded: (Entry) -> Bool) -> LiveSet? {
        guard count > 1 else { return isIncluded(self[0]) ? self : nil }
        var filtered: LiveSet?
        for entry in self where isIncluded(entry) { filtered.append(entry) }
        return filtered
    }

    /// What is in both sets, what is only here and kept, and what is only there and taken.
    private func joined(
        with theirs: LiveSet,
        under key: Key,
        keeping isKept: (Entry) -> Bool,
        taking isTaken: (Entry) -> Bool
    ) -> LiveSet? {
        var joined: LiveSet?
        var place = 0
        for mine in self {
            while place < theirs.count, theirs[place].dot < mine.dot {
                if isTaken(theirs[place]) { joined.append(theirs[place]) }
                place += 1
            }
            if place < theirs.count, theirs[place].dot == mine.dot {
                joined.append(LiveSet.greater(mine, theirs[place], under: key))
                place += 1
            } else if isKept(mine) {
                joined.append(mine)
            }
        }
        for entry in theirs[place...] where isTaken(entry) { joined.append(entry) }
        return joined
    }

    /// Of two forms of one dot, which only an accident makes, the one that everybody picks.
    private static func greater(_ left: Entry, _ right: Entry, under key: Key) -> Entry {
        guard left != right else { return left }
        return left.precedes(right, of: key, under: key) ? right : left
    }
}

extension Entry {
    /// Whether of two forms of one dot this one, under `key`, is not the one that everybody picks:
    /// the one with the greater canonical bytes.
    func precedes(_ other: Entry, of otherKey: Key, under key: Key) -> Bool {
        canonicalBytes(under: key)
            .lexicographicallyPrecedes(other.canonicalBytes(under: otherKey))
    }
}

extension LiveSet? {
    /// Adds an entry whose dot comes after all others; the first one makes the set.
    fileprivate mutating func append(_ entry: Entry) {
        if self?.append(entry) == nil { self = LiveSet(entry) }
    }
}
