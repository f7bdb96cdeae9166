/// One write; entries are immutable and are replaced by later ones.
package struct Entry: Hashable, Sendable {
    package let dot: Dot
    package let stamp: Stamp
    package let author: DeviceID
    package let value: Value

    package init(dot: Dot, stamp: Stamp, author: DeviceID, value: Value) {
        (self.dot, self.stamp, self.author, self.value) = (dot, stamp, author, value)
    }

    /// The order in which concurrent entries win: by the greater stamp, or by the greater dot if the
    /// stamps are equal (last writer wins).
    package struct Recency: Comparable, Sendable {
        package let stamp: Stamp
        package let dot: Dot

        package static func < (left: Recency, right: Recency) -> Bool {
            (left.stamp, left.dot) < (right.stamp, right.dot)
        }
    }

    package var recency: Recency { Recency(stamp: stamp, dot: dot) }

    /// Whether this entry is shown in preference to a concurrent `other`.
    package func wins(over other: Entry) -> Bool { recency > other.recency }

    /// Whether another entry with the same dot is kept instead of this one: every replica keeps the
    /// one with the greater canonical bytes.
    ///
    /// Two entries share a dot only by accident, for example after a backup was restored.
    func precedes(_ other: Entry, of otherKey: Key, under key: Key) -> Bool {
        canonicalBytes(under: key)
            .lexicographicallyPrecedes(other.canonicalBytes(under: otherKey))
    }
}

package struct KeyedEntry: Hashable, Sendable {
    package let key: Key
    package let entry: Entry

    package init(key: Key, entry: Entry) { (self.key, self.entry) = (key, entry) }
}

package enum Value: Hashable, Sendable {
    /// No value, which is written when a cell is cleared.
    case null
    case boolean(Bool)
    /// An integer within ±(2⁵³ − 1), the range that every JSON reader represents exactly.
    case integer(Int64)
    /// A text; the wire limits its length.
    case text(ExactText)
    /// A value of a later version, as its kind and its text; stored and forwarded unchanged.
    ///
    /// Indirect because it is rare, and inline it would enlarge every entry.
    indirect case foreign(kind: ExactText, text: ExactText)

    /// The greatest integer that a value can have, 2⁵³ − 1; the least is its negation.
    package static let largestInteger: Int64 = (1 << 53) - 1

    package static func text(_ string: String) -> Value { .text(ExactText(string)) }

    package var isNull: Bool { if case .null = self { true } else { false } }
    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    package var boolean: Bool? { if case .boolean(let boolean) = self { boolean } else { nil } }
    package var string: String? { exactText?.string }
    var exactText: ExactText? { if case .text(let text) = self { text } else { nil } }
}
