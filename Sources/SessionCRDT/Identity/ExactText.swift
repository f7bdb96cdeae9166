/// A text that is compared byte by byte.
///
/// Swift's `String` calls two texts equal that Unicode calls canonically equivalent; two replicas
/// that keep different bytes under "equal" texts would have different digests for ever.
package struct ExactText: Hashable, Comparable, Sendable {
    /// The text, for showing.
    package let string: String

    /// The exact form of a text.
    package init(_ string: String) {
        self.string = string
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.string.utf8.count == right.string.utf8.count
            && left.string.utf8.elementsEqual(right.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.take(string.utf8)
        hasher.combine(string.utf8.count)
    }

    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }
}
