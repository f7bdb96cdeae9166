/// What one replica sends another so that it catches up.
///
/// Each key that changed travels with its live set *whole*: an entry that is missing from it,
/// though `upto` covers it, was replaced. A delta may be lost, repeated, delayed or overtaken; the
/// base check makes each of these harmless (delta-state CRDTs with causal intervals: Almeida et
/// al., "Delta State Replicated Data Types", 2018).
///
/// A delta is sound: no key comes twice, no dot under two keys, and no dot that `upto` does not
/// cover. What a peer sent is checked when the delta is made of it, and never again.
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

    /// A delta of these parts, wherever they come from.
    ///
    /// - Throws: `DeltaError` when they do not fit together.
    package init(
        base: VersionVector,
        upto: VersionVector,
        changes: [KeyedLiveSet],
        isUnion: Bool = false
    ) throws(DeltaError) {
        try Delta.check(changes, upto: upto)
        self.init(sound: changes, base: base, upto: upto, isUnion: isUnion)
    }

    /// A delta of what a map holds, which is sound because the map is.
    init(
        sound changes: [KeyedLiveSet],
        base: VersionVector,
        upto: VersionVector,
        isUnion: Bool = false
    ) {
        self.base = base
        self.upto = upto
        self.changes = changes
        self.isUnion = isUnion
    }

    private static func check(
        _ changes: [KeyedLiveSet],
        upto: VersionVector
    ) throws(DeltaError) {
        var keys = KeyTable()
        keys.reserve(changes.count)
        // Actors by their place in the vector. Mostly the dots come in order, and a dot that comes
        // twice does not.
        var dots: [(actor: Int, sequence: UInt64)] = []
        dots.reserveCapacity(changes.count)
        var isIncreasing = true
        for change in changes {
            guard keys.insert(change.key).isNew else { throw .repeatedKey(change.key) }
            for entry in change.live {
                guard entry.dot.sequence > 0, let actor = upto.place(of: entry.dot.actor),
                    entry.dot.sequence <= upto.sorted[actor].sequence
                else { throw .uncovered(entry.dot) }
                let dot = (actor: actor, sequence: entry.dot.sequence)
                if let last = dots.last, last >= dot { isIncreasing = false }
                dots.append(dot)
            }
        }
        guard !isIncreasing else { return }
        dots.sort { $0 < $1 }
        for (dot, next) in zip(dots, dots.dropFirst()) where dot == next {
            let actor = upto.sorted[dot.actor].actor
            throw .repeatedDot(Dot(actor: actor, sequence: dot.sequence))
        }
    }
}

/// Why the parts of a delta do not fit together; such a delta is refused whole.
package enum DeltaError: Error, Hashable, Sendable {
    /// A key comes twice.
    case repeatedKey(Key)
    /// A dot comes twice.
    case repeatedDot(Dot)
    /// A dot is no write that the sender can have seen.
    case uncovered(Dot)
}

extension DeltaError: CustomStringConvertible {
    package var description: String {
        switch self {
        // Without the key, which is a text of a peer's choice.
        case .repeatedKey: "a key is there twice"
        case .repeatedDot(let dot): "the dot \(dot.actor):\(dot.sequence) is there twice"
        case .uncovered(let dot): "the dot \(dot.actor):\(dot.sequence) is past the vector"
        }
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
