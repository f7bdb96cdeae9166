/// The changes that one replica sends another so that it catches up.
///
/// Each changed key travels with its *whole* live set: an entry that is missing from the set
/// although `upto` covers it was replaced. A receiver merges a delta only if it has seen `base`;
/// after that it has seen `upto`. So deltas may be lost, repeated, delayed or reordered without
/// harm (causal intervals: Almeida et al., "Delta State Replicated Data Types", 2018).
///
/// A delta is sound: no key and no dot occurs twice, and `upto` covers all dots. A received delta
/// is checked once, when it is created.
package struct Delta: Hashable, Sendable {
    /// The writes that the receiver must have seen already.
    package let base: VersionVector
    /// The writes that the sender has seen; the receiver has seen them after merging this delta.
    package let upto: VersionVector
    /// The keys with a write beyond `base`, each with its whole live set.
    package let changes: [KeyedLiveSet]
    /// Whether the receiver must keep the entries of both sides and treat none as replaced.
    ///
    /// Such a delta repairs two replicas with equal vectors but different digests.
    package let isUnion: Bool

    /// Creates a delta from received parts.
    ///
    /// - Throws: `DeltaError` if the parts are not sound.
    package init(
        base: VersionVector,
        upto: VersionVector,
        changes: [KeyedLiveSet],
        isUnion: Bool = false
    ) throws(DeltaError) {
        try Delta.check(changes, upto: upto)
        self.init(sound: changes, base: base, upto: upto, isUnion: isUnion)
    }

    /// Creates a delta from the changes of a map, which are sound because the map is.
    init(
        sound changes: [KeyedLiveSet],
        base: VersionVector,
        upto: VersionVector,
        isUnion: Bool = false
    ) {
        (self.base, self.upto) = (base, upto)
        (self.changes, self.isUnion) = (changes, isUnion)
    }

    private static func check(_ changes: [KeyedLiveSet], upto: VersionVector) throws(DeltaError) {
        var keys = KeyTable()
        keys.reserve(changes.count)
        // Actors are represented by their index in the vector. Usually the dots are in ascending
        // order, which already proves that none occurs twice.
        var dots: [(actor: Int, sequence: UInt64)] = []
        dots.reserveCapacity(changes.count)
        var isIncreasing = true
        for change in changes {
            guard keys.insert(change.key).isNew else { throw .repeatedKey(change.key) }
            for entry in change.live {
                guard entry.dot.sequence > 0, let actor = upto.index(of: entry.dot.actor),
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

/// The reason why a received delta is not sound; the whole delta is rejected.
package enum DeltaError: Error, Hashable, Sendable, CustomStringConvertible {
    case repeatedKey(Key)
    case repeatedDot(Dot)
    /// The sender cannot have seen this write, because `upto` does not cover it.
    case uncovered(Dot)

    package var description: String {
        switch self {
        // Without the key, because its text was chosen by the peer.
        case .repeatedKey: "a key occurs twice"
        case .repeatedDot(let dot): "the dot \(dot.actor):\(dot.sequence) occurs twice"
        case .uncovered(let dot): "the dot \(dot.actor):\(dot.sequence) is beyond the vector"
        }
    }
}

package struct KeyedLiveSet: Hashable, Sendable {
    package let key: Key
    package let live: LiveSet

    package init(key: Key, live: LiveSet) { (self.key, self.live) = (key, live) }
}
