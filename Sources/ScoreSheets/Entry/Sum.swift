import SessionCRDT

/// A number as people type it: `42`, `-3`, a sum `12+7+9`, a difference `50-8`.
///
/// Digits are ASCII; the minus sign may be U+2212, which phones put in its place. Spaces may stand
/// around a number and nowhere inside it.
enum Sum: Hashable {
    /// A number that a cell can hold.
    case number(Int64)
    /// A number that no cell can hold.
    case tooLarge
    /// No number.
    case none

    /// The number that a text says.
    init(_ text: String) {
        self = .none
        var total: Int128 = 0
        var isTooLarge = false
        var rest = text.unicodeScalars[...]
        var isFirst = true
        repeat {
            Sum.dropSpaces(&rest)
            let sign = Sum.takeSign(&rest)
            // Only the first number may go without a sign: "1 000" is not 1 and not 1000.
            guard sign != nil || isFirst else { return }
            isFirst = false
            Sum.dropSpaces(&rest)
            guard let size = Sum.takeDigits(&rest) else { return }
            Sum.dropSpaces(&rest)
            isTooLarge = isTooLarge || size > Value.largestInteger
            total += (sign ?? 1) * Int128(size)
        } while !rest.isEmpty
        let isHeld = !isTooLarge && abs(total) <= Int128(Value.largestInteger)
        self = isHeld ? .number(Int64(total)) : .tooLarge
    }

    private static func dropSpaces(_ rest: inout Substring.UnicodeScalarView) {
        rest = rest.drop { $0 == " " }
    }

    private static func takeSign(_ rest: inout Substring.UnicodeScalarView) -> Int128? {
        switch rest.first {
        case "+":
            rest.removeFirst()
            return 1
        case "-", "\u{2212}":
            rest.removeFirst()
            return -1
        default: return nil
        }
    }

    /// The number of the digits that come next, cut to what is surely too large.
    private static func takeDigits(_ rest: inout Substring.UnicodeScalarView) -> Int64? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest[digits.endIndex...]
        return digits.reduce(0) { number, digit in
            min(number * 10 + Int64(digit.value - 48), Value.largestInteger + 1)
        }
    }
}
