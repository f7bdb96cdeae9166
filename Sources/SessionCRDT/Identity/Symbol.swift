/// A short word that programs agree on: the name of a row, a field, an option.
///
/// 1 to 64 bytes of `a–z`, `0–9`, `.`, `_` and `-`. Nothing else, because Swift's `String` calls
/// differently encoded texts equal and every device must agree on which key is which.
package struct Symbol: Hashable, Comparable, Sendable, LosslessStringConvertible {
    /// The word itself.
    package let description: String

    /// The symbol of a word, if the word is one.
    package init?(_ text: String) {
        guard Symbol.isSpelled(text.utf8) else { return nil }
        description = text
    }

    /// The symbol of a word, by its bytes.
    init?(utf8 text: some Collection<UInt8>) {
        guard Symbol.isSpelled(text) else { return nil }
        description = String(decoding: text, as: UTF8.self)
    }

    /// The symbol of a word that the program itself spells; anything else is a bug of ours.
    package init(known text: StaticString) {
        description = text.description
        precondition(Symbol.isSpelled(description.utf8), "not a symbol: \(text)")
    }

    package static func < (left: Symbol, right: Symbol) -> Bool {
        // ASCII only, so that the order of the characters is the order of the bytes.
        left.description < right.description
    }

    package func hash(into hasher: inout Hasher) {
        hasher.take(description.utf8)
    }

    private static func isSpelled(_ text: some Collection<UInt8>) -> Bool {
        (1...64).contains(text.count) && text.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default:
            false
        }
    }
}

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
