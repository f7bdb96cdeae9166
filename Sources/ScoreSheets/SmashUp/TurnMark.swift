import SessionCRDT

/// What ends a turn.
enum TurnMark: Hashable {
    /// The turn is over: the points are looked at, but not those of players who had left.
    ///
    /// Who had left is recorded, because they may come back, and others leave, without anybody
    /// winning or not winning in hindsight. `end` alone says that nobody had.
    case end(without: [PlayerID])
    /// The game is over or given up: the next turn begins another one with the same factions.
    case replay

    /// How many are recorded that had left, so that a mark is a text of less than 4 KiB.
    static let mostAbsent = 100

    /// The mark that a value says; nil where it says something else.
    init?(_ value: Value) {
        // By bytes: whatever is no mark has another text than the mark that is read.
        let words = (value.string ?? "").utf8.split(separator: UInt8(ascii: " "))
            .map(Substring.init)
        let absent = words.dropFirst(2).compactMap { PlayerID($0) }
        self = words.first == "replay" ? .replay : .end(without: absent)
        // A mark has one text.
        guard value == self.value else { return nil }
    }

    /// The mark as it is recorded: `end`, `end without ID ID…` or `replay`.
    var value: Value {
        switch self {
        case .end(let absent) where absent.isEmpty: .text("end")
        case .end(let absent):
            .text("end without " + absent.map(\.description).joined(separator: " "))
        case .replay: .text("replay")
        }
    }
}
