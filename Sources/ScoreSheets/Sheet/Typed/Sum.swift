import SessionCRDT

/// A number as people type it: `42`, `-3`, a sum `12+7+9`, a difference `50-8`, a multiple `3x5`.
///
/// The minus sign may be U+2212, which phones insert. Spaces may be around a number, not inside it.
struct Sum: Hashable {
    /// The terms in the order of typing; at least one.
    let terms: [Term]

    /// The maximum size of a stored text in bytes; a longer sum is stored as its number.
    static let maxBytes = 1000

    struct Term: Hashable {
        /// The number of items, negative if the term is subtracted.
        let count: Int64
        /// The value of one item; negative only in a plain number with a minus sign.
        let size: Int64
        /// Whether the count or the size exceeds what a cell can hold.
        let isTooLarge: Bool
    }

    private init(terms: [Term]) { self.terms = terms }

    /// Parses what was typed, with the digits of any script; nil if it is not a number.
    init?(typed text: String) { self.init(text.withASCIIDigits) }

    /// Parses a text with ASCII digits; nil if it is not a number.
    init?(_ text: String) {
        var terms: [Term] = []
        // Contiguous bytes parse faster, and there may be thousands of long sums.
        var rest = Array(text.utf8)[...]
        terms.reserveCapacity(rest.count / 2 + 1)
        repeat {
            Sum.consumeSpaces(&rest)
            let sign = Sum.consumeSign(&rest)
            // Only the first number may have no sign: "1 000" is invalid.
            guard sign != nil || terms.isEmpty else { return nil }
            Sum.consumeSpaces(&rest)
            guard let term = Sum.consumeTerm(&rest, sign ?? 1) else { return nil }
            Sum.consumeSpaces(&rest)
            terms.append(term)
        } while !rest.isEmpty
        self.init(terms: terms)
    }

    /// Reads the sum of a value, which is a number or a stored sum; nil for other values.
    init?(_ value: Value) {
        switch value {
        case .integer(let number):
            let isTooLarge = !Bounds.all.contains(number)
            self.init(terms: [Term(count: 1, size: number, isTooLarge: isTooLarge)])
        case .text(let text):
            guard let sum = Sum(text.string) else { return nil }
            self = sum
        case .null, .boolean, .foreign: return nil
        }
    }

    /// Whether it is more than one plain number.
    var isAddition: Bool { terms.count > 1 || terms.contains { $0.count != 1 } }

    /// The result; nil if no cell can hold it.
    var number: Int64? {
        guard !terms.contains(where: \.isTooLarge) else { return nil }
        let total = terms.reduce(Int128(0)) { $0 + Int128($1.count) * Int128($1.size) }
        let cut = Bounds.cut(total)
        return Int128(cut) == total ? cut : nil
    }

    /// The stored value: a plain number, or a sum as its text.
    var value: Value {
        let text = text
        guard isAddition, text.utf8.count <= Sum.maxBytes else {
            return number.map(Value.integer) ?? .text(text)
        }
        return .text(text)
    }

    /// The stored form: `12+7-2x5`.
    var text: String {
        terms.enumerated().map { place, term in
            let isLess = (term.count < 0) != (term.size < 0)
            let sign = isLess ? "-" : (place > 0 ? "+" : "")
            let many = term.count.magnitude == 1 ? "" : "\(term.count.magnitude)x"
            return "\(sign)\(many)\(term.size.magnitude)"
        }.joined()
    }

    private static func consumeSpaces(_ rest: inout ArraySlice<UInt8>) {
        while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    }

    private static func consumeSign(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        switch rest.first {
        case UInt8(ascii: "+"):
            rest.removeFirst()
            return 1
        case UInt8(ascii: "-"):
            rest.removeFirst()
            return -1
        case 0xE2: return consume("\u{2212}", from: &rest) ? -1 : nil
        default: return nil
        }
    }

    private static func consumeCross(_ rest: inout ArraySlice<UInt8>) -> Bool {
        switch rest.first {
        case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "*"):
            rest.removeFirst()
            return true
        case 0xC3: return consume("×", from: &rest)
        default: return false
        }
    }

    /// Consumes a character of several bytes.
    private static func consume(_ sign: String, from rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.starts(with: sign.utf8) else { return false }
        rest.removeFirst(sign.utf8.count)
        return true
    }

    /// Consumes `5`, or `3x5` if the count does not begin with 0, so that `0x10` is invalid.
    private static func consumeTerm(_ rest: inout ArraySlice<UInt8>, _ sign: Int64) -> Term? {
        let isCount = rest.first != UInt8(ascii: "0")
        guard let first = consumeDigits(&rest) else { return nil }
        let most = Value.largestInteger
        guard isCount, consumeCross(&rest) else {
            return Term(count: 1, size: sign * min(first, most), isTooLarge: first > most)
        }
        guard let size = consumeDigits(&rest) else { return nil }
        let isTooLarge = first > most || size > most
        // `1x5` is stored as `5`.
        if first == 1 {
            return Term(count: 1, size: sign * min(size, most), isTooLarge: isTooLarge)
        }
        return Term(count: sign * min(first, most), size: min(size, most), isTooLarge: isTooLarge)
    }

    /// Consumes the next digits as a number, clamped to one more than a cell can hold.
    private static func consumeDigits(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        let zero = UInt8(ascii: "0")
        guard let first = rest.first, (zero...zero + 9).contains(first) else { return nil }
        var number: Int64 = 0
        while let digit = rest.first, (zero...zero + 9).contains(digit) {
            number = min(number * 10 + Int64(digit - zero), Value.largestInteger + 1)
            rest.removeFirst()
        }
        return number
    }
}
