/// A short identifier with a fixed spelling: the id of a row, a field or an option.
///
/// 1 to 64 bytes of `a–z`, `0–9`, `.`, `_` and `-`. Other characters are excluded because Swift's
/// `String` treats different encodings of a text as equal, while all devices must agree on whether
/// two keys are the same.
package struct Symbol: Hashable, Comparable, Sendable, LosslessStringConvertible {
    package let description: String

    package init?(_ text: String) {
        guard Symbol.isValid(text.utf8) else { return nil }
        description = text
    }

    init?(utf8 text: some Collection<UInt8>) {
        guard Symbol.isValid(text) else { return nil }
        description = String(decoding: text, as: UTF8.self)
    }

    /// Creates a symbol from a literal; traps if the literal is not a valid symbol.
    package init(known text: StaticString) {
        description = text.description
        precondition(Symbol.isValid(description.utf8), "not a symbol: \(text)")
    }

    package static func < (left: Symbol, right: Symbol) -> Bool {
        // Symbols are ASCII, so the order of the characters is the order of the bytes.
        left.description < right.description
    }

    package func hash(into hasher: inout Hasher) { hasher.append(description.utf8) }

    private static func isValid(_ text: some Collection<UInt8>) -> Bool {
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
/// Swift's `String` treats canonically equivalent Unicode as equal; two replicas that kept
/// different bytes under "equal" texts would have different digests forever.
package struct ExactText: Hashable, Comparable, Sendable {
    package let string: String

    package init(_ string: String) { self.string = string }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.string.utf8.count == right.string.utf8.count
            && left.string.utf8.elementsEqual(right.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.append(string.utf8)
        hasher.combine(string.utf8.count)
    }

    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }
}
