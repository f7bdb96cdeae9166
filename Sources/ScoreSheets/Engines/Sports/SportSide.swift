/// One of the two sides of a match: a player, a pair or a team, under one name.
package enum SportSide: Int, Hashable, Sendable, CaseIterable {
    /// Whoever sits in the first of the two seats.
    case first
    /// Whoever sits in the second.
    case second

    /// The opponents.
    package var other: SportSide { self == .first ? .second : .first }
}
