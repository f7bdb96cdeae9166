/// The word of the table on who has won: a tie that was settled, a player who retired, a game that
/// is won or lost by all together.
///
/// It overrules the rules of the game while the session is finished.
package enum Verdict: Hashable, Sendable {
    /// At least one player.
    case winners([PlayerID])
    case allWon, allLost
    /// The game counts for nobody.
    case noWinner
}

extension Verdict: LosslessStringConvertible {
    private static let winnersPrefix = "winners"

    /// Parses `winners ID…`, `all-won`, `all-lost` or `no-winner`.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        switch text {
        case "all-won": self = .allWon
        case "all-lost": self = .allLost
        case "no-winner": self = .noWinner
        default:
            let players = words.dropFirst().compactMap { PlayerID($0) }
            guard words.first.map(String.init) == Verdict.winnersPrefix, !players.isEmpty,
                players.count == words.count - 1
            else { return nil }
            self = .winners(players)
        }
    }

    package var description: String {
        switch self {
        case .winners(let players):
            ([Verdict.winnersPrefix] + players.map(\.description)).joined(separator: " ")
        case .allWon, .allLost, .noWinner: kind
        }
    }

    /// The text without the players.
    package var kind: String {
        switch self {
        case .winners: Verdict.winnersPrefix
        case .allWon: "all-won"
        case .allLost: "all-lost"
        case .noWinner: "no-winner"
        }
    }
}
