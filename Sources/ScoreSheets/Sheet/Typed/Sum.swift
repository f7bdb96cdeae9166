package import SessionCRDT

/// A number as people type it: `42`, `-3`, a sum `12+7+9`, a difference `50-8`, a multiple `3x5`, or
/// with a half `2.5`, `2,5`, `2½`.
///
/// The minus sign may be U+2212, which phones insert. Spaces may be around a number, not inside it.
struct Sum: Hashable {
    /// The terms in the order of typing; at least one.
    let terms: [Term]
    /// Whether a number was typed with a fraction, even one of 0.
    let hasFraction: Bool

    /// The maximum size of a stored text in bytes; a longer sum is stored as its number.
    static let maxBytes = 1000

    struct Term: Hashable {
        /// The number of items, negative if the term is subtracted.
        let count: Int64
        /// The value of one item; negative only in a plain number with a minus sign.
        let size: Points
        /// Whether the count or the size exceeds what a cell can hold.
        let isTooLarge: Bool
    }

    private init(terms: [Term], hasFraction: Bool = false) {
        (self.terms, self.hasFraction) = (terms, hasFraction)
    }

    /// Parses what was typed, with the digits of any script; nil if it is not a number.
    init?(typed text: String) { self.init(text.withASCIIDigits) }

    /// Parses a text with ASCII digits; nil if it is not a number.
    init?(_ text: String) {
        var terms: [Term] = []
        var hasFraction = false
        // Contiguous bytes parse faster, and there may be thousands of long sums.
        var rest = Array(text.utf8)[...]
        terms.reserveCapacity(rest.count / 2 + 1)
        repeat {
            Sum.consumeSpaces(&rest)
            let sign = Sum.consumeSign(&rest)
            // Only the first number may have no sign: "1 000" is invalid.
            guard sign != nil || terms.isEmpty else { return nil }
            Sum.consumeSpaces(&rest)
            guard let term = Sum.consumeTerm(&rest, sign ?? 1, &hasFraction) else { return nil }
            Sum.consumeSpaces(&rest)
            terms.append(term)
        } while !rest.isEmpty
        self.init(terms: terms, hasFraction: hasFraction)
    }

    /// Reads the sum of a value, which is a number or a stored sum; nil for other values.
    init?(_ value: Value) {
        switch value {
        case .integer(let number):
            let isTooLarge = !Bounds.all.contains(number)
            self.init(terms: [Term(count: 1, size: Points(number), isTooLarge: isTooLarge)])
        case .text(let text):
            guard let sum = Sum(text.string) else { return nil }
            self = sum
        case .null, .boolean, .foreign: return nil
        }
    }

    /// Whether it is more than one plain number.
    var isAddition: Bool { terms.count > 1 || terms.contains { $0.count != 1 } }

    /// The result; nil if no cell can hold it.
    var number: Points? {
        guard !terms.contains(where: \.isTooLarge) else { return nil }
        let halves = terms.reduce(Int128(0)) { $0 + Int128($1.count) * Int128($1.size.halves) }
        let cut = Points(clamping: halves)
        return Int128(cut.halves) == halves ? cut : nil
    }

    /// The result of whole numbers; nil if a fraction was typed, or if no cell can hold it.
    var whole: Int64? { hasFraction ? nil : number?.whole }

    /// The stored value: a plain number, or a sum as its text.
    var value: Value {
        let text = text
        guard isAddition, text.utf8.count <= Sum.maxBytes else {
            return number?.value ?? .text(text)
        }
        return .text(text)
    }

    /// The stored form: `12+7-2x5`.
    var text: String {
        terms.enumerated().map { place, term in
            let isLess = (term.count < 0) != (term.size < 0)
            let size = term.size < 0 ? 0 - term.size : term.size
            let sign = isLess ? "-" : (place > 0 ? "+" : "")
            let many = term.count.magnitude == 1 ? "" : "\(term.count.magnitude)x"
            return "\(sign)\(many)\(size)"
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
    private static func consumeTerm(
        _ rest: inout ArraySlice<UInt8>,
        _ sign: Int64,
        _ hasFraction: inout Bool
    ) -> Term? {
        let isCount = rest.first != UInt8(ascii: "0")
        guard let first = consumeNumber(&rest, &hasFraction) else { return nil }
        guard isCount, let count = first.whole, consumeCross(&rest) else {
            return term(sign, first, isTooLarge: first > .largest)
        }
        guard let size = consumeNumber(&rest, &hasFraction) else { return nil }
        let isTooLarge = first > .largest || size > .largest
        // `1x5` is stored as `5`.
        if count == 1 { return term(sign, size, isTooLarge: isTooLarge) }
        return Term(
            count: sign * min(count, Value.largestInteger),
            size: min(size, .largest),
            isTooLarge: isTooLarge
        )
    }

    private static func term(_ sign: Int64, _ size: Points, isTooLarge: Bool) -> Term {
        let cut = min(size, .largest)
        return Term(count: 1, size: sign < 0 ? 0 - cut : cut, isTooLarge: isTooLarge)
    }

    /// Consumes `5`, `5.5`, `5,5`, `5½`, `.5` or `½`.
    private static func consumeNumber(
        _ rest: inout ArraySlice<UInt8>,
        _ hasFraction: inout Bool
    ) -> Points? {
        let whole = consumeDigits(&rest)
        let half: Int64
        if rest.first == 0xC2, consume("½", from: &rest) {
            half = 1
        } else if let mark = rest.first, mark == UInt8(ascii: ".") || mark == UInt8(ascii: ",") {
            // One digit only: 1,000 is not 1.
            rest.removeFirst()
            guard let digit = rest.first, [UInt8(ascii: "0"), UInt8(ascii: "5")].contains(digit),
                consumeDigits(&rest, most: 1) != nil
            else { return nil }
            half = digit == UInt8(ascii: "0") ? 0 : 1
        } else {
            return whole.map { Points($0) }
        }
        hasFraction = true
        return Points(halves: 2 * (whole ?? 0) + half)
    }

    /// Consumes the next digits as a number, clamped to one more than a cell can hold; nil if there
    /// are none, or more than `most`.
    private static func consumeDigits(
        _ rest: inout ArraySlice<UInt8>,
        most: Int = .max
    ) -> Int64? {
        let zero = UInt8(ascii: "0")
        var (number, count) = (Int64(0), 0)
        while let digit = rest.first, (zero...zero + 9).contains(digit) {
            number = min(number * 10 + Int64(digit - zero), Value.largestInteger + 1)
            count += 1
            rest.removeFirst()
        }
        return (1...most).contains(count) ? number : nil
    }
}

extension Points {
    /// Parses a number as players type it, also a sum; nil if it is none.
    package init?(typed text: String) {
        guard let number = Sum(typed: text)?.number else { return nil }
        self = number
    }
}
