/// What Smash Up tells: of a move that was just made, and below the table.
package enum SmashUpNote: Hashable, Sendable {
    /// The factions that can be dealt, and the sets that they are of, each in words.
    case pool(count: Int, sets: [String])
    /// Factions are dealt to these players, and hidden.
    case dealt(to: [String])
    /// The factions are dealt, and hidden.
    case hidden
    /// What a player was dealt.
    case hand(player: String, factions: [String])
    /// A turn has ended, and another has begun.
    case turn(Int, player: String?)
    /// A turn has ended, and with it the game, which somebody wins.
    case ended(winner: String)
    /// A turn has ended, and these are tied at the target or above.
    case tied([String], points: Int64)
    /// These were tied when the last turn ended.
    case stillTied([String])
    /// What a base pays to each.
    case base([Pay])
    /// Another game begins.
    case again
    /// Who won, all with the same total.
    case won([String], total: Int64)
    /// What can follow a game.
    case next

    /// What a base pays to somebody.
    package struct Pay: Hashable, Sendable {
        /// The player.
        package let player: String
        /// What they gain; less than nothing where they lose.
        package let points: Int64

        /// So much for a player.
        package init(_ player: String, _ points: Int64) {
            self.player = player
            self.points = points
        }
    }
}

extension SmashUpNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .pool(let count, let sets):
            FactionChoice.words(ofPool: count)
                + (sets.isEmpty ? "" : ": " + sets.joined(separator: "; "))
        case .dealt(let players):
            "two factions each are dealt to \(players.together); show them: play reveal"
        case .hidden: "the factions are dealt; show them: play reveal"
        case .hand(let player, let factions): "\(player): \(factions.joined(separator: " + "))"
        case .turn(let turn, let player): "turn \(turn): \(player ?? "nobody")"
        case .ended(let winner):
            "\(winner) ends the game; Madness counts now, if there is any: play madness NAME=5"
        case .tied(let players, let points):
            "\(players.together) are tied at \(points): play on"
        case .stillTied(let players):
            "\(players.together) were tied when the last turn ended: play on"
        case .base(let pays):
            "the base pays "
                + pays.map { "\($0.player) \($0.points > 0 ? "+" : "")\($0.points)" }
                .joined(separator: ", ")
        case .again: "a new game begins with the same players and factions"
        case .won(let players, let total):
            players.together + (players.count == 1 ? " has won" : " share the win")
                + " with \(total)"
        case .next: "again: play replay (same factions), reset (choose again), session new --again"
        }
    }
}
