import SessionCRDT

/// A turn that counts.
struct CountedTurn<Move: Hashable & Sendable, Result: Hashable & Sendable>: Hashable, Sendable {
    /// Whose it was, by seat.
    let seat: Int
    /// What was entered.
    let move: Move
    /// What it came to.
    let result: Result
    /// When it was written; nil where that is still a wish.
    let stamp: Stamp?
    /// Whether devices wrote different things in its cell while apart.
    let isDisputed: Bool
}

/// What ends within a game and has a winner of its own, as a leg.
protocol TurnPart: Sendable {
    /// Its turns, by their place among all.
    var turns: Range<Int> { get }
}

/// Of games that have no parts.
extension Never: TurnPart {
    /// None, since there is no such part.
    var turns: Range<Int> { switch self {} }
}

extension Stamp? {
    /// Becomes the later one of both, where there is another.
    mutating func rise(to other: Stamp?) {
        if let other { self = max(self ?? other, other) }
    }
}
