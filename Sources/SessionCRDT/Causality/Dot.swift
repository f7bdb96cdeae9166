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
