import SessionCRDT

/// What ends a turn.
enum TurnMark: String, Hashable, CaseIterable {
    /// The turn is over: the points are looked at.
    case end
    /// The game is over or given up: the next turn begins another one with the same factions.
    case replay

    /// The mark that a value says; nil where it says something else.
    init?(_ value: Value) {
        guard let mark = value.string.flatMap(TurnMark.init(rawValue:)) else { return nil }
        self = mark
    }
}
