/// What formulas calculate with.
package enum FormulaOperator {
    /// With one operand.
    package enum Unary: Hashable, Sendable {
        /// `-`
        case minus
        /// `not`
        case not
        /// `abs`
        case magnitude

        /// What becomes of a number.
        func applied(to number: Int64) -> Int64 {
            switch self {
            case .minus: 0 - number
            case .not: number == 0 ? 1 : 0
            case .magnitude: Int64(clamping: number.magnitude)
            }
        }
    }

    /// With two operands, from the one that binds least.
    package enum Binary: Hashable, Sendable, CaseIterable {
        /// `or`
        case or
        /// `and`
        case and
        /// `=`
        case equal
        /// `<>`
        case unequal
        /// `<`
        case less
        /// `<=`
        case lessOrEqual
        /// `>`
        case greater
        /// `>=`
        case greaterOrEqual
        /// `+`
        case plus
        /// `-`
        case minus
        /// `*`
        case times
        /// `/`, rounding down
        case over
        /// `mod(a, b)`, what is left of a division that rounds down
        case rest

        /// The result where the first operand decides alone.
        func decided(by first: Int64) -> Int64? {
            switch self {
            case .or: first == 0 ? nil : 1
            case .and: first == 0 ? 0 : nil
            default: nil
            }
        }

        /// What becomes of two numbers, cut to what a cell can hold.
        func applied(to left: Int64, _ right: Int64) throws(FormulaFault) -> Int64 {
            switch self {
            case .or: left != 0 || right != 0 ? 1 : 0
            case .and: left != 0 && right != 0 ? 1 : 0
            case .equal: left == right ? 1 : 0
            case .unequal: left != right ? 1 : 0
            case .less: left < right ? 1 : 0
            case .lessOrEqual: left <= right ? 1 : 0
            case .greater: left > right ? 1 : 0
            case .greaterOrEqual: left >= right ? 1 : 0
            case .plus: Bounds.cut(Int128(left) + Int128(right))
            case .minus: Bounds.cut(Int128(left) - Int128(right))
            case .times: Bounds.cut(Int128(left) * Int128(right))
            case .over: try Binary.divide(left, right).quotient
            case .rest: try Binary.divide(left, right).remainder
            }
        }

        /// A division that rounds down, also below zero.
        private static func divide(
            _ left: Int64,
            _ right: Int64
        ) throws(FormulaFault) -> (quotient: Int64, remainder: Int64) {
            guard right != 0 else { throw .divisionByZero }
            let (quotient, rest) = left.quotientAndRemainder(dividingBy: right)
            return rest != 0 && (rest < 0) != (right < 0)
                ? (quotient - 1, rest + right) : (quotient, rest)
        }
    }

    /// With several operands.
    package enum Several: Hashable, Sendable {
        /// `min`
        case least
        /// `max`
        case greatest
        /// `if`: the second where the first says yes, else the third.
        case choice
        /// `pick`: as the first says, 1 for the second.
        case pick
    }
}
