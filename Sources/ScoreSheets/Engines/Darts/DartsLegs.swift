import SessionCRDT

/// The finished legs of a match as statistics count them.
///
/// They are made when somebody asks: legs of one dart are cheap to write, and who looks how all
/// stand does not ask.
package struct DartsLegs: Hashable, Sendable {
    /// The legs, the first first.
    let legs: Chunks<DartsLeg>
    /// All players in seat order.
    let players: [Player]
    /// What a leg begins with.
    let start: Int

    /// What ended, a leg each.
    var outcomes: [Outcome] {
        zip(1..., legs).map { $1.outcome($0, of: players, from: start) }
    }
}
