import SessionCRDT

/// A number as people type it: `42`, `-3`, a sum `12+7+9`, a difference `50-8`, so many of
/// something `3x5`.
///
/// Digits are ASCII; the minus sign may be U+2212, which phones put in its place. Spaces may stand
/// around a number and nowhere inside it.
struct Sum: Hashable {
    /// What is added, in the order in which it was typed; at least one.
    let terms: [Term]

    /// How long a text may be that is remembered, in bytes; of a longer one only the number is.
    static let longest = 1000

    /// Something that is added.
    struct Term: Hashable {
        /// How many of it, below zero where it is taken away.
        let count: Int64
        /// One of it; with the sign where it was typed before a single one.
        let size: Int64
        /// Whether either is beyond what a cell can hold.
        let isTooLarge: Bool
    }

    private init(terms: [Term]) { self.terms = terms }

    /// The sum that a text says; nil where it says no number.
    init?(_ text: String) {
        var terms: [Term] = []
        // Bytes in one piece: they are read one by one, and there may be thousands of long sums.
        var rest = Array(text.utf8)[...]
        terms.reserveCapacity(rest.count / 2 + 1)
        repeat {
            Sum.dropSpaces(&rest)
            let sign = Sum.takeSign(&rest)
            // Only the first number may go without a sign: "1 000" is not 1 and not 1000.
            guard sign != nil || terms.isEmpty else { return nil }
            Sum.dropSpaces(&rest)
            guard let term = Sum.takeTerm(&rest, sign ?? 1) else { return nil }
            Sum.dropSpaces(&rest)
            terms.append(term)
        } while !rest.isEmpty
        self.init(terms: terms)
    }

    /// The sum that a value says: a number, or a sum that was remembered.
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

    /// Whether anything is added, as against one plain number.
    var isAddition: Bool { terms.count > 1 || terms.contains { $0.count != 1 } }

    /// The number that it comes to; nil where no cell can hold it.
    var number: Int64? {
        guard !terms.contains(where: \.isTooLarge) else { return nil }
        let total = terms.reduce(Int128(0)) { $0 + Int128($1.count) * Int128($1.size) }
        let cut = Bounds.cut(total)
        return Int128(cut) == total ? cut : nil
    }

    /// The value that remembers it: a plain number as such, a sum as its text.
    var value: Value {
        let text = text
        guard isAddition, text.utf8.count <= Sum.longest else {
            return number.map(Value.integer) ?? .text(text)
        }
        return .text(text)
    }

    /// The sum in the form in which it is remembered: `12+7-2x5`.
    var text: String {
        terms.enumerated().map { place, term in
            let isLess = (term.count < 0) != (term.size < 0)
            let sign = isLess ? "-" : (place > 0 ? "+" : "")
            let many = term.count.magnitude == 1 ? "" : "\(term.count.magnitude)x"
            return "\(sign)\(many)\(term.size.magnitude)"
        }.joined()
    }

    private static func dropSpaces(_ rest: inout ArraySlice<UInt8>) {
        while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    }

    private static func takeSign(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        switch rest.first {
        case UInt8(ascii: "+"):
            rest.removeFirst()
            return 1
        case UInt8(ascii: "-"):
            rest.removeFirst()
            return -1
        case 0xE2: return take("\u{2212}", from: &rest) ? -1 : nil
        default: return nil
        }
    }

    private static func takeCross(_ rest: inout ArraySlice<UInt8>) -> Bool {
        switch rest.first {
        case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "*"):
            rest.removeFirst()
            return true
        case 0xC3: return take("×", from: &rest)
        default: return false
        }
    }

    /// Takes a character of several bytes away; false where another is next.
    private static func take(_ sign: String, from rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.starts(with: sign.utf8) else { return false }
        rest.removeFirst(sign.utf8.count)
        return true
    }

    /// `5`, or `3x5` where the count begins with no zero, so that `0x10` is no number.
    private static func takeTerm(_ rest: inout ArraySlice<UInt8>, _ sign: Int64) -> Term? {
        let isCount = rest.first != UInt8(ascii: "0")
        guard let first = takeDigits(&rest) else { return nil }
        let most = Value.largestInteger
        guard isCount, takeCross(&rest) else {
            return Term(count: 1, size: sign * min(first, most), isTooLarge: first > most)
        }
        guard let size = takeDigits(&rest) else { return nil }
        let isTooLarge = first > most || size > most
        // One of it is the thing itself, so that `1x5` is remembered as `5`.
        if first == 1 {
            return Term(count: 1, size: sign * min(size, most), isTooLarge: isTooLarge)
        }
        return Term(count: sign * min(first, most), size: min(size, most), isTooLarge: isTooLarge)
    }

    /// The number of the digits that come next, cut to what is surely too large.
    private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> Int64? {
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
