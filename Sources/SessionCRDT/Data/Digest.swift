/// A short form of everything that a replica holds: two replicas that have seen the same have the
/// same digest.
///
/// The wrapping sum of one hash per live entry, so that it follows every change at the cost of that
/// change. It finds accidents, not attacks.
package struct Digest: Hashable, Sendable, LosslessStringConvertible {
    /// The sum.
    package private(set) var sum: UInt128 = 0

    /// The digest of no entries.
    package init() {}

    /// Adds the hash of an entry.
    package mutating func add(_ hash: UInt128) { sum &+= hash }

    /// Takes the hash of an entry away.
    package mutating func remove(_ hash: UInt128) { sum &-= hash }

    /// The text form: 32 lower-case hexadecimal digits.
    package var description: String { asID.description }

    /// The digest of a text form.
    package init?(_ text: String) {
        guard let id = ID<Digest>(text) else { return nil }
        sum = UInt128(id.high) << 64 | UInt128(id.low)
    }

    private var asID: ID<Digest> {
        ID(high: UInt64(truncatingIfNeeded: sum >> 64), low: UInt64(truncatingIfNeeded: sum))
    }
}
