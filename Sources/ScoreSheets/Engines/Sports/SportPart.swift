/// A finished part of a match: a game, or a set.
package struct SportPart: Hashable, Sendable {
    /// Its points, or its games where it had some.
    package let score: SportCount
    /// The points of the tie-break that ended it, where games were counted.
    package let tieBreak: SportCount?
    /// Who won it.
    package let winner: SportSide

    /// A part that ended so.
    package init(_ score: SportCount, tieBreak: SportCount? = nil, winner: SportSide) {
        self.score = score
        self.tieBreak = tieBreak
        self.winner = winner
    }
}
