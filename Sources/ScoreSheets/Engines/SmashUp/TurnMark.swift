import SessionCRDT

/// What ends a turn.
enum TurnMark: Hashable {
    /// The turn is over: the points are looked at.
    case end(Terms)
    /// The game is over or given up: the next turn begins another one with the same factions.
    case replay

    /// By what the points are looked at.
    ///
    /// It is recorded, because players come, leave and come back and another target is agreed on,
    /// without anybody winning or not winning in hindsight.
    enum Terms: Hashable {
        /// So many points win, and these are at the table; at least one.
        case recorded(target: Int64, players: [PlayerID])
        /// The first versions recorded who had left, and no target: that of the moment holds.
        case without([PlayerID])
    }

    /// How many players are recorded, so that a mark is a text of less than 4 KiB.
    static let mostPlayers = 100

    /// The mark that a value says; nil where it says something else.
    init?(_ value: Value) {
        // By bytes: whatever is no mark has another text than the mark that is read.
        let words = (value.string ?? "").utf8.split(separator: UInt8(ascii: " "))
            .map(Substring.init)
        func players(after count: Int) -> [PlayerID] {
            words.dropFirst(count).compactMap { PlayerID($0) }
        }
        if words.first == "replay" {
            self = .replay
        } else if words.count > 4, words[1] == "at", let target = Int64(words[2]), target > 0 {
            self = .end(.recorded(target: target, players: players(after: 4)))
        } else {
            self = .end(.without(players(after: 2)))
        }
        // A mark has one text.
        guard value == self.value else { return nil }
    }

    /// The mark as it is recorded: `end at 15 with ID ID…` or `replay`; as the first versions wrote
    /// it, `end` or `end without ID ID…`.
    var value: Value {
        switch self {
        case .end(.recorded(let target, let players)):
            .text("end at \(target) with \(TurnMark.list(players))")
        case .end(.without(let absent)) where absent.isEmpty: .text("end")
        case .end(.without(let absent)): .text("end without \(TurnMark.list(absent))")
        case .replay: .text("replay")
        }
    }

    private static func list(_ players: [PlayerID]) -> String {
        players.map(\.description).joined(separator: " ")
    }
}
