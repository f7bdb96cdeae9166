import SessionCRDT

/// A visit that counts.
struct DartsTurn: Hashable {
    /// Who threw, by seat.
    let player: Int
    /// What was entered.
    let visit: DartsVisit
    /// What it came to.
    let result: DartsResult
    /// When it was written; nil where that is still a wish.
    let stamp: Stamp?
    /// Whether devices wrote different things in its cell while apart.
    let isDisputed: Bool
}
