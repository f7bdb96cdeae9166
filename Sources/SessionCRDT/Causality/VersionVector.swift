/// The name of one write: the actor that made it and its place among that actor's writes.
///
/// No two writes ever have the same dot, because no actor is ever used again (Preguiça et al.,
/// "Dotted Version Vectors", 2010).
package struct Dot: Hashable, Comparable, Sendable {
    /// Who wrote.
    package let actor: ActorID
    /// Which of the actor's writes, counted from 1.
    package let sequence: UInt64

    /// The greatest sequence: what every JSON reader keeps exactly, 2⁵³ − 1.
    package static let lastSequence: UInt64 = (1 << 53) - 1

    /// The dot of an actor's write.
    package init(actor: ActorID, sequence: UInt64) {
        self.actor = actor
        self.sequence = sequence
    }

    package static func < (left: Dot, right: Dot) -> Bool {
        (left.actor, left.sequence) < (right.actor, right.sequence)
    }
}

/// How much a replica has seen: for each actor, all of its writes up to a sequence.
///
/// There are no gaps by construction: a delta is applied only when its base is covered. A session
/// has few actors, one per run of a daemon that wrote in it, so that a short sorted array answers
/// faster than a table, and what is asked most allocates nothing.
package struct VersionVector: Hashable, Sendable {
    /// The last write of each actor, by actor: the order that effects and frames use.
    package private(set) var sorted: [Dot]

    /// The vector that has seen nothing.
    package init() {
        sorted = []
    }

    /// The vector of these sequences; an actor at zero is the same as an actor left out.
    package init(_ sequences: [ActorID: UInt64]) {
        sorted = sequences.compactMap { actor, sequence in
            sequence > 0 ? Dot(actor: actor, sequence: sequence) : nil
        }
        sorted.sort()
    }

    /// How many actors it has seen anything of.
    package var count: Int { sorted.count }

    /// Whether it has seen nothing.
    package var isEmpty: Bool { sorted.isEmpty }

    /// The last write seen of an actor; zero when none was.
    package subscript(actor: ActorID) -> UInt64 {
        place(of: actor).map { sorted[$0].sequence } ?? 0
    }

    /// Whether the write has been seen.
    package func covers(_ dot: Dot) -> Bool { dot.sequence <= self[dot.actor] }

    /// Whether everything that `other` has seen has been seen here.
    package func covers(_ other: VersionVector) -> Bool { other.sorted.allSatisfy(covers) }

    /// Notes the write, and with it every earlier one of its actor.
    package mutating func advance(to dot: Dot) {
        guard dot.sequence > 0 else { return }
        let place = firstPlace(notBefore: dot.actor)
        if place < sorted.count, sorted[place].actor == dot.actor {
            if dot.sequence > sorted[place].sequence { sorted[place] = dot }
        } else {
            sorted.insert(dot, at: place)
        }
    }

    /// Notes everything that `other` has seen: the least upper bound of both.
    package mutating func join(_ other: VersionVector) {
        var strangers: [Dot] = []
        for dot in other.sorted {
            guard let place = place(of: dot.actor) else {
                strangers.append(dot)
                continue
            }
            if dot.sequence > sorted[place].sequence { sorted[place] = dot }
        }
        guard !strangers.isEmpty else { return }
        sorted += strangers
        sorted.sort()
    }

    /// The least upper bound of both vectors.
    package func joined(with other: VersionVector) -> VersionVector {
        var join = self
        join.join(other)
        return join
    }

    /// The last write of each actor of which `other` has seen less, by actor.
    package func beyond(_ other: VersionVector) -> [Dot] {
        sorted.filter { !other.covers($0) }
    }

    /// Where the actor stands in `sorted`: a small number for it, as long as the vector stays.
    func place(of actor: ActorID) -> Int? {
        let place = firstPlace(notBefore: actor)
        return place < sorted.count && sorted[place].actor == actor ? place : nil
    }

    private func firstPlace(notBefore actor: ActorID) -> Int {
        sorted.partitioningIndex { $0.actor >= actor }
    }
}

extension RandomAccessCollection {
    /// The first index whose element belongs to the second part, found by halving; the end where
    /// none does.
    ///
    /// The elements of which `belongsBehind` is false must all come before those of which it is
    /// true.
    @inlinable
    package func partitioningIndex(where belongsBehind: (Element) -> Bool) -> Index {
        var low = startIndex
        var count = count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if belongsBehind(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
