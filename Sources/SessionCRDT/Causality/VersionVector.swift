/// How much a replica has seen: for each actor, all of its writes up to a sequence.
///
/// There are no gaps by construction: a delta is applied only when its base is covered.
package struct VersionVector: Hashable, Sendable {
    private var sequences: [ActorID: UInt64]

    /// The vector that has seen nothing.
    package init() {
        sequences = [:]
    }

    /// The vector of these sequences; an actor at zero is the same as an actor left out.
    package init(_ sequences: [ActorID: UInt64]) {
        self.sequences = sequences.filter { $0.value > 0 }
    }

    /// How many actors it has seen anything of.
    package var count: Int { sequences.count }

    /// Whether it has seen nothing.
    package var isEmpty: Bool { sequences.isEmpty }

    /// The last write seen of an actor; zero when none was.
    package subscript(actor: ActorID) -> UInt64 { sequences[actor] ?? 0 }

    /// Whether the write has been seen.
    package func covers(_ dot: Dot) -> Bool { dot.sequence <= self[dot.actor] }

    /// Whether everything that `other` has seen has been seen here.
    package func covers(_ other: VersionVector) -> Bool {
        other.sequences.allSatisfy { $0.value <= self[$0.key] }
    }

    /// Notes the write, and with it every earlier one of its actor.
    package mutating func advance(to dot: Dot) {
        if dot.sequence > self[dot.actor] { sequences[dot.actor] = dot.sequence }
    }

    /// Notes everything that `other` has seen: the least upper bound of both.
    package mutating func join(_ other: VersionVector) {
        for (actor, sequence) in other.sequences where sequence > self[actor] {
            sequences[actor] = sequence
        }
    }

    /// The least upper bound of both vectors.
    package func joined(with other: VersionVector) -> VersionVector {
        var join = self
        join.join(other)
        return join
    }

    /// The last write of each actor, by actor: the order that effects and frames use.
    package var sorted: [Dot] {
        sequences.map { Dot(actor: $0.key, sequence: $0.value) }.sorted()
    }

    /// The last write of each actor of which `other` has seen less, by actor.
    package func beyond(_ other: VersionVector) -> [Dot] {
        sequences.compactMap { actor, sequence in
            sequence > other[actor] ? Dot(actor: actor, sequence: sequence) : nil
        }.sorted()
    }
}
