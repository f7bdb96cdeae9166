/// The unique id of one write: its actor and its sequence number among that actor's writes.
///
/// No two writes ever have the same dot, because no actor is ever reused (Preguiça et al.,
/// "Dotted Version Vectors", 2010).
package struct Dot: Hashable, Comparable, Sendable {
    package let actor: ActorID
    /// The number of the write, from 1.
    package let sequence: UInt64

    /// The greatest integer that every JSON reader represents exactly, 2⁵³ − 1.
    package static let lastSequence: UInt64 = (1 << 53) - 1

    package init(actor: ActorID, sequence: UInt64) {
        (self.actor, self.sequence) = (actor, sequence)
    }

    package static func < (left: Dot, right: Dot) -> Bool {
        (left.actor, left.sequence) < (right.actor, right.sequence)
    }
}

/// The writes that a replica has seen: for each actor, all up to a sequence number.
///
/// There are no gaps by construction: a delta is applied only when its base is covered. A session
/// has few actors, one per run of a daemon that wrote in it, so lookups in a short sorted array are
/// faster than in a dictionary, and the usual queries allocate nothing.
package struct VersionVector: Hashable, Sendable {
    /// The last write of each actor, sorted by actor, which is also the order in messages.
    package private(set) var sorted: [Dot]

    package init() { sorted = [] }

    /// Creates a vector from the last sequence number of each actor; an actor at zero is left out.
    package init(_ sequences: [ActorID: UInt64]) {
        sorted = sequences.compactMap { actor, sequence in
            sequence > 0 ? Dot(actor: actor, sequence: sequence) : nil
        }
        sorted.sort()
    }

    package var count: Int { sorted.count }
    package var isEmpty: Bool { sorted.isEmpty }

    /// The sequence number of the last write of an actor that was seen; zero if none was.
    package subscript(actor: ActorID) -> UInt64 {
        index(of: actor).map { sorted[$0].sequence } ?? 0
    }

    package func covers(_ dot: Dot) -> Bool { dot.sequence <= self[dot.actor] }

    /// Whether everything in `other` has been seen.
    package func covers(_ other: VersionVector) -> Bool { other.sorted.allSatisfy(covers) }

    /// Adds a write, and with it every earlier write of its actor.
    package mutating func advance(to dot: Dot) {
        guard dot.sequence > 0 else { return }
        let index = firstIndex(notBefore: dot.actor)
        if index < sorted.count, sorted[index].actor == dot.actor {
            if dot.sequence > sorted[index].sequence { sorted[index] = dot }
        } else {
            sorted.insert(dot, at: index)
        }
    }

    /// Adds everything in `other`; the result is the least upper bound of the two vectors.
    package mutating func join(_ other: VersionVector) {
        var added: [Dot] = []
        for dot in other.sorted {
            guard let index = index(of: dot.actor) else {
                added.append(dot)
                continue
            }
            if dot.sequence > sorted[index].sequence { sorted[index] = dot }
        }
        guard !added.isEmpty else { return }
        sorted += added
        sorted.sort()
    }

    package func joined(with other: VersionVector) -> VersionVector {
        var join = self
        join.join(other)
        return join
    }

    /// Returns the last write of each actor of which `other` has seen fewer writes, sorted by
    /// actor.
    package func heads(aheadOf other: VersionVector) -> [Dot] {
        sorted.filter { !other.covers($0) }
    }

    func index(of actor: ActorID) -> Int? {
        let index = firstIndex(notBefore: actor)
        return index < sorted.count && sorted[index].actor == actor ? index : nil
    }

    private func firstIndex(notBefore actor: ActorID) -> Int {
        sorted.partitioningIndex { $0.actor >= actor }
    }
}

extension RandomAccessCollection {
    /// Returns the index of the first element that satisfies the predicate, by binary search;
    /// `endIndex` if none does.
    ///
    /// The elements that satisfy it must come after all elements that do not.
    @inlinable
    package func partitioningIndex(where belongsInSecond: (Element) -> Bool) -> Index {
        var low = startIndex
        var count = count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if belongsInSecond(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
