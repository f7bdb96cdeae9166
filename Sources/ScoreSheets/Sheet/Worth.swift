/// What a number is turned into, step by step; without any step it is worth itself.
///
/// The steps are taken in the order of the fields below.
package struct Worth: Hashable, Sendable {
    /// Divides, rounding down: 3 turns 8 coins into 2.
    package let per: Int64
    /// Looks up, from 0 on, the last value repeating; empty for no lookup.
    package let table: [Int64]
    /// Ranks the players and gives the points of the places from the first; empty for no ranking.
    package let places: [Setting<Int64>]
    /// Multiplies.
    package let factor: Int64

    /// A number that is worth itself.
    package static let itself = Worth(per: 1, table: [], places: [], factor: 1)

    /// The steps of a rule; `per` is at least 1.
    package init(per: Int64, table: [Int64], places: [Setting<Int64>], factor: Int64) {
        self.per = max(1, per)
        self.table = table
        self.places = places
        self.factor = factor
    }

    /// The number after the steps that need no other players.
    func reduced(_ number: Int64) -> Int64 {
        // Down also below zero, where `/` rounds up.
        var (result, rest) = number.quotientAndRemainder(dividingBy: per)
        if rest < 0 { result -= 1 }
        guard let last = table.indices.last else { return result }
        return table[Int(min(max(0, result), Int64(last)))]
    }

    /// The points of what the other steps made of the number.
    func points(_ number: Int64) -> Int64 { Bounds.cut(Int128(number) * Int128(factor)) }

    /// The points of a number that is not ranked.
    func points(of number: Int64) -> Int64 { points(reduced(number)) }
}
