/// What one replica sends another so that it catches up.
///
/// Each key that changed travels with its live set *whole*: an entry that is missing from it,
/// though `upto` covers it, was replaced. A delta may be lost, repeated, delayed or overtaken; the
/// base check makes each of these harmless (delta-state CRDTs with causal intervals: Almeida et
/// al., "Delta State Replicated Data Types", 2018).
package struct Delta: Hashable, Sendable {
    /// What the receiver must have seen already.
    package let base: VersionVector
    /// What the sender has seen, and with this delta the receiver.
    package let upto: VersionVector
    /// The keys with a write beyond `base`, each with its whole live set.
    package let changes: [KeyedLiveSet]
    /// Whether nothing counts as replaced and all entries of both sides stay: the repair of two
    /// replicas that have seen the same and still differ.
    package let isUnion: Bool

    /// A delta of these parts; `isSound` says whether they fit together.
    package init(
        base: VersionVector,
        upto: VersionVector,
        changes: [KeyedLiveSet],
        isUnion: Bool = false
    ) {
        self.base = base
        self.upto = upto
        self.changes = changes
        self.isUnion = isUnion
    }

    /// Whether the parts fit together; a delta that is not sound is refused whole.
    ///
    /// No key comes twice, no dot under two keys, and no dot that `upto` does not cover.
    package var isSound: Bool {
        var keys: Set<Key> = []
        var dots: Set<Dot> = []
        for change in changes {
            guard keys.insert(change.key).inserted else { return false }
            for entry in change.live.entries {
                guard entry.dot.sequence > 0, upto.covers(entry.dot),
                    dots.insert(entry.dot).inserted
                else { return false }
            }
        }
        return true
    }
}

/// A key and the entries that are live under it.
package struct KeyedLiveSet: Hashable, Sendable {
    /// What the entries are about.
    package let key: Key
    /// The entries.
    package let live: LiveSet

    /// The pair of both.
    package init(key: Key, live: LiveSet) {
        self.key = key
        self.live = live
    }
}
