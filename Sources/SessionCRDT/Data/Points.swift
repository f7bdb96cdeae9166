/// A number of points, which may have a half.
///
/// It is counted in halves, so that sums are exact and equal on every device. In JSON it is an
/// integer if it is whole, else a number such as `12.5`.
package struct Points: Hashable, Comparable, Sendable {
    package let halves: Int64

    /// The greatest number that a cell can hold; the least is its negation.
    package static let largest = Points(Value.largestInteger)

    package init(halves: Int64) { self.halves = halves }

    /// Creates a whole number, clamped to a quarter of the integers.
    package init(_ whole: Int64) {
        halves = 2 * min(max(whole, Int64.min / 4), Int64.max / 4)
    }

    /// Creates a number of halves, clamped to what a cell can hold.
    package init(clamping halves: Int128) {
        let most = Int128(Points.largest.halves)
        self.halves = Int64(min(max(halves, -most), most))
    }

    /// The number if it is whole; else nil.
    package var whole: Int64? { halves & 1 == 0 ? halves / 2 : nil }

    /// The greatest whole number that is not above it.
    package var roundedDown: Int64 { halves >> 1 }

    /// The least whole number that is not below it.
    package var roundedUp: Int64 { halves >> 1 + halves & 1 }

    package static func < (left: Points, right: Points) -> Bool { left.halves < right.halves }
}

extension Points: CustomStringConvertible {
    /// The number with a decimal point: `12`, `-0.5`.
    package var description: String {
        guard whole == nil else { return "\(roundedDown)" }
        return "\(halves < 0 ? "-" : "")\(halves.magnitude / 2).5"
    }
}

extension Points: ExpressibleByIntegerLiteral {
    package init(integerLiteral number: Int64) { self.init(number) }
}

extension Points: AdditiveArithmetic {
    package static func + (left: Points, right: Points) -> Points {
        Points(clamping: Int128(left.halves) + Int128(right.halves))
    }

    package static func - (left: Points, right: Points) -> Points {
        Points(clamping: Int128(left.halves) - Int128(right.halves))
    }
}

extension Points {
    /// The stored value: an integer, or a text such as `12.5`.
    package var value: Value { whole.map(Value.integer) ?? .text(description) }

    /// Reads a stored value; nil for any other.
    package init?(_ value: Value) {
        switch value {
        case .integer(let number): self.init(number)
        case .text(let text):
            let string = text.string
            guard string.utf8.count <= 20, string.hasSuffix(".5"),
                let whole = Int64(string.dropLast(2)), whole.magnitude <= Value.largestInteger
            else { return nil }
            let isNegative = string.hasPrefix("-")
            let points = Points(halves: 2 * whole + (isNegative ? -1 : 1))
            // Only the one way to write it counts, so that equal numbers are equal values.
            guard points.description == string else { return nil }
            self = points
        case .null, .boolean, .foreign: return nil
        }
    }
}

extension Points: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let whole = try? container.decode(Int64.self) {
            self.init(whole)
            return
        }
        let number = try container.decode(Double.self)
        // `Int64(exactly:)` would need the C library's mathematics.
        let halves = number.magnitude < 0x1p60 ? Int64(number * 2) : 0
        guard Double(halves) == number * 2 else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\(number) is neither whole nor a half"
            )
        }
        self.init(halves: halves)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let whole {
            try container.encode(whole)
        } else {
            // Exact: a cell holds less than 2⁵³ halves.
            try container.encode(Double(halves) / 2)
        }
    }
}
