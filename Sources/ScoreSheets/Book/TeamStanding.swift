package import SessionCRDT

/// How a team stands, whose members win or lose together.
package struct TeamStanding: Hashable, Sendable {
    /// What it is called, as its first member spells it.
    package let name: String
    /// The points of all members together, within ±(2⁵³ − 1).
    package let total: Int64
    /// The place from 1.
    package let rank: Int
    /// Who is in it and has a place, in seat order.
    package let members: [Player]

    /// How it stands in a line: `team Reds: 165, place 1 (Ann, Cem)`.
    var words: String {
        let names = members.map(\.name).joined(separator: ", ")
        return "team \(name): \(total), place \(rank) (\(names))"
    }
}
