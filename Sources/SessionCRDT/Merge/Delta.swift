/// The changes that one replica sends another so that it catches up.
///
/// Each changed key travels with its *whole* live set: an entry that is missing from it, though
/// `upto` covers it, was replaced. A receiver merges a delta only if it has seen `base`, and then
/// has seen `upto`; so a delta may be lost, repeated, delayed or overtaken without harm (causal
/// intervals: Almeida et al., "Delta State Replicated Data Types", 2018).
///
/// A delta is sound: no key comes twice, no dot comes twice, and `upto` covers all dots. A received
/// delta is checked when it is created, and never again.
package struct Delta: Hashable, Sendable {
    /// The writes that the receiver must have seen already.
    package let base: VersionVector
    /// The writes that the sender has seen, and with this delta the receiver.
    package let upto: VersionVector
    /// The keys with a write beyond `base`, each with its whole live set.
    package let changes: [KeyedLiveSet]
    /// Whether the receiver keeps the entries of both sides and treats none as replaced.
    ///
    /// Repairs two replicas with equal vectors but different digests.
    package let isUnion: Bool

    /// Checks and combines received parts.
    ///
    /// - Throws: `DeltaError` if they are not sound.
    package init(
        base: VersionVector,
        upto: VersionVector,
        changes: [KeyedLiveSet],
        isUnion: Bool = false
    ) throws(DeltaError) {
        try Delta.check(changes, upto: upto)
        self.init(sound: changes, base: base, upto: upto, isUnion: isUnion)
    }

    /// Creates a delta from a map, which is sound because the map is.
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
        // Actors by their index in the vector. The dots usually come in order, and then no dot
        // comes twice.
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

/// The reason why a received delta is not sound; it is rejected as a whole.
package enum DeltaError: Error, Hashable, Sendable, CustomStringConvertible {
    case repeatedKey(Key)
    case repeatedDot(Dot)
    /// The sender cannot have seen the write, because `upto` does not cover it.
    case uncovered(Dot)

    package var description: String {
        switch self {
        // Without the key, which is a text that the peer chose.
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
