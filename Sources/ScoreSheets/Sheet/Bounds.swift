import SessionCRDT

/// The least and the greatest number of something, within ±(2⁵³ − 1).
package struct Bounds: Hashable, Sendable {
    /// The least.
    package let from: Int64
    /// The greatest; never below the least.
    package let to: Int64

    /// Every number that a cell can hold.
    package static let all = Bounds(
        within: (0 - Value.largestInteger)...Value.largestInteger
    )

    /// The bounds of a range, cut to what a cell can hold.
    package init(within range: ClosedRange<Int64>) {
        let limits = (0 - Value.largestInteger)...Value.largestInteger
        let cut = range.clamped(to: limits)
        from = cut.lowerBound
        to = cut.upperBound
    }

    /// The number that a cell can hold which is nearest to this one.
    package static func cut(_ number: Int128) -> Int64 {
        Int64(min(max(number, Int128(all.from)), Int128(all.to)))
    }

    /// Whether the number is within the bounds.
    package func contains(_ number: Int64) -> Bool { from <= number && number <= to }

    /// The number that a value is without a sum to be worked out; nil where that is none of these.
    func plainNumber(in value: Value) -> Int64? {
        value.integer.flatMap { contains($0) ? $0 : nil }
    }
}

extension Bounds: CustomStringConvertible {
    /// The bounds in words: `from 0 to 20`, `of at least 1`, `of at most 3`.
    package var description: String {
        switch (from == Bounds.all.from, to == Bounds.all.to) {
        case (true, true), (false, false): "from \(from) to \(to)"
        case (false, true): "of at least \(from)"
        case (true, false): "of at most \(to)"
        }
    }

    /// What a number within them is called.
    var wholeNumber: String { self == .all ? "a whole number" : "a whole number \(self)" }

    /// So many players: `2 players`, `1 to 5 players`, `3 players or more`.
    var playerCount: String {
        switch to {
        case from: "\(from) players"
        case Bounds.all.to: "\(from) players or more"
        default: "\(from) to \(to) players"
        }
    }
}
