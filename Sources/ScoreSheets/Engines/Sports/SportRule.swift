/// Why a point cannot be entered or does not count, in words.
package enum SportRule: Error, Hashable, Sendable {
    /// Nobody was named who could have won it.
    case winnerMissing(players: [String])
    /// Nobody of the match is called so.
    case unknownWinner(String, players: [String])
    /// Both sides could be meant.
    case ambiguousWinner(String)
    /// Somebody who only watches.
    case watches(String, players: String)
    /// How many points it were is not said, where it can be several.
    case countMissing(String)
    /// More points than one entry can bring, or none.
    case tooMany(Int, most: Int)
    /// What is written is no number of points.
    case misspelled(String)
    /// A later entry says otherwise.
    case laterEntry(UInt32, winner: String?)

    /// The rule as the other parts of the program pass it on.
    var violation: RuleViolation { .game(.sport(self)) }
}

extension SportRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .winnerMissing(let players):
            "say who won the point: " + SportRule.plays(players)
        case .unknownWinner(let name, let players):
            "\(name.quoted) does not play this match; say who won: " + SportRule.plays(players)
        case .ambiguousWinner(let name): "\(name.quoted) could be either side"
        case .watches(let name, let players): "\(name) only watches: \(players) play"
        case .countMissing(let name): "say how many points \(name) won, as in play \(name) 3"
        case .tooMany(let count, most: 1): "a point counts 1, not \(count); enter one at a time"
        case .tooMany(let count, let most):
            "one end brings 1 to \(most) points, not \(count)"
        case .misspelled(let text): "\(text) is no number of points as it is written: 1"
        case .laterEntry(let turn, .some(let winner)):
            "a later entry says that point \(turn) was \(winner)'s"
        case .laterEntry(let turn, nil): "point \(turn) is nobody's"
        }
    }

    private static func plays(_ players: [String]) -> String {
        players.map { "play \($0)" }.joined(separator: ", or ")
    }
}
