package import SessionCRDT

/// One number about somebody's finished games.
package struct Statistic: Hashable, Sendable {
    /// What programs call it: `average`.
    package let id: Symbol
    /// What tables show before it: `Three-dart average`.
    package let label: String
    /// The number as people read it, `75.15`; nil where there is none yet.
    package let text: String?

    /// A statistic of these parts.
    package init(_ id: Symbol, _ label: String, _ text: String?) {
        self.id = id
        self.label = label
        self.text = text
    }
}

extension [PlayerOutcome] {
    /// What these games come to of something that their tallies count.
    func sum(of name: Symbol) -> Int128 {
        // A tally that came from elsewhere can hold anything.
        reduce(0) { $0 + Int128($1.tally[name] ?? 0) }
    }
}

extension Statistic {
    /// What any game can count: games, wins, the best total, the worst and the average.
    package static func general(of outcomes: [PlayerOutcome]) -> [Statistic] {
        let totals = outcomes.map(\.total)
        let wins = outcomes.count(where: \.isWin)
        return [
            Statistic(Symbol(known: "games"), "Games", "\(outcomes.count)"),
            Statistic(Symbol(known: "wins"), "Wins", "\(wins)"),
            Statistic(Symbol(known: "highest"), "Highest total", totals.max().map { "\($0)" }),
            Statistic(Symbol(known: "lowest"), "Lowest total", totals.min().map { "\($0)" }),
            Statistic(Symbol(known: "average"), "Average total", average(totals)),
        ]
    }

    /// The mean with two decimals; nil of nothing.
    private static func average(_ totals: [Int64]) -> String? {
        guard !totals.isEmpty else { return nil }
        let sum = totals.reduce(Int128(0)) { $0 + Int128($1) }
        return quotient(sum, Int128(totals.count))
    }

    /// A fraction with two decimals, halves away from zero.
    package static func quotient(_ dividend: Int128, _ divisor: Int128) -> String {
        let size = dividend.magnitude * 200
        let hundredths = (size / divisor.magnitude + 1) / 2
        let isNegative = (dividend < 0) != (divisor < 0) && hundredths > 0
        let decimals = "\(hundredths % 100)"
        return (isNegative ? "-" : "") + "\(hundredths / 100)."
            + (decimals.utf8.count == 1 ? "0" : "") + decimals
    }
}
