/// What a number is turned into, step by step; without any step it is worth itself.
///
/// The steps are taken in the order of the fields below.
package struct Worth: Hashable, Sendable {
    /// Divides, rounding down: 3 turns 8 coins into 2.
    package let per: Int64
    /// Looks up, from 0 on, the last value repeating; empty for no lookup.
    package let table: [Int64]
    /// Gives the points of the last threshold that is reached, and below the first one nothing;
    /// empty for no thresholds.
    package let steps: [WorthStep]
    /// Ranks the players and gives the points of the places from the first; empty for no ranking.
    package let places: [Setting<Int64>]
    /// What those get who share a place.
    package let ties: TieRule
    /// Multiplies.
    package let factor: Int64
    /// What an entered number is worth in the place of all steps; nil without a formula.
    package let formula: Formula?

    /// A number that is worth itself.
    package static let itself = Worth()

    /// The steps of a rule; `per` is at least 1.
    package init(
        per: Int64 = 1,
        table: [Int64] = [],
        steps: [WorthStep] = [],
        places: [Setting<Int64>] = [],
        ties: TieRule = .share,
        factor: Int64 = 1,
        formula: Formula? = nil
    ) {
        self.per = max(1, per)
        self.table = table
        self.steps = steps
        self.places = places
        self.ties = ties
        self.factor = factor
        self.formula = formula
    }

    /// The number after the steps that need no other players.
    func reduced(_ number: Int64) -> Int64 {
        // Down also below zero, where `/` rounds up.
        var (result, rest) = number.quotientAndRemainder(dividingBy: per)
        if rest < 0 { result -= 1 }
        if let last = table.indices.last { result = table[Int(min(max(0, result), Int64(last)))] }
        guard !steps.isEmpty else { return result }
        return steps.last { $0.from <= result }?.points ?? 0
    }

    /// The points of what the other steps made of the number.
    func points(_ number: Int64) -> Int64 { Bounds.cut(Int128(number) * Int128(factor)) }

    /// The points of a number that is not ranked.
    func points(of number: Int64) -> Int64 { points(reduced(number)) }
}

/// A threshold, and what a number is worth that has reached it.
package struct WorthStep: Hashable, Sendable {
    /// The threshold.
    package let from: Int64
    /// What it is worth.
    package let points: Int64
}

/// What players get who share a place in a ranking.
package enum TieRule: String, Hashable, Sendable, CaseIterable {
    /// They add the points of the places that they cover, divide, and round down.
    case share
    /// Everybody gets the points of the place, and the next player those of the next place.
    case each
    /// Everybody gets the points of the place, and the others that they cover go to nobody.
    case skip
    /// They divide the points of the place, rounding down, and the others that they cover go to
    /// nobody.
    case split
}
