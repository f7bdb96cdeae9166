package import SessionCRDT

/// Why the words that somebody typed after `play` are no move of Smash Up.
package enum SmashUpWording: Error, Hashable {
    /// The words are no move.
    case notAMove(String)
    /// The name is nobody's.
    case unknownName(String, known: [String])
    /// The name could be several players'.
    case ambiguousName(String, known: [String])
    /// Two players have one name.
    case sameName(String)
    /// The move says one player and is made for another.
    case twoPlayers(String, String)
    /// The same player is named twice.
    case namedTwice(String)
    /// A number without a sign could be a change or a total.
    case signMissing(String)
    /// A base needs three numbers and somebody's power.
    case notABase
    /// A word is not of the form NAME=NUMBER.
    case equalsMissing(String)
    /// The number is none or too large.
    case badNumber(String)
    /// No set or faction was named.
    case nothingNamed(FactionSwitch, known: [Symbol])
    /// There is no such set or faction.
    case unknownFaction(String, known: [Symbol])
    /// Several sets or factions could be meant.
    case ambiguousFaction(String, candidates: [String])

    /// The rule as everybody outside is told it.
    var violation: RuleViolation { .game(.smashUpMove(self)) }
}

extension SmashUpWording: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAMove(let text):
            "\(text.quoted) is no move; there are: NAME +3, base 4 2 1 NAME=10 NAME=8, end, "
                + "madness NAME=5, deal, reveal, replay, use SET or FACTION, also without, only"
        case .unknownName(let name, let known):
            "there is no player \(name.quoted); there are: \(known.joined(separator: ", "))"
        case .ambiguousName(let name, let known):
            "\(name.quoted) could be any of: \(known.joined(separator: ", "))"
        case .sameName(let name): "two players are called \(name.quoted); rename one of them"
        case .twoPlayers(let one, let other): "is it for \(one) or for \(other)?"
        case .namedTwice(let name): "\(name) is there twice"
        case .signMissing(let text): "write +\(text) or -\(text), to say up or down"
        case .notABase:
            "say the three numbers printed on the base, then everybody's power: base 4 2 1 NAME=10"
        case .equalsMissing(let text): "write NAME=NUMBER, not \(text.quoted)"
        case .badNumber(let text): "\(text.quoted) is not a whole number from 0 to 999"
        case .nothingNamed(let change, let known):
            "say which set or faction, as in: play \(change.rawValue) SET; there are: "
                + "all, \(known.list)"
        case .unknownFaction(let name, let known):
            "there is no set or faction \(name.quoted); the sets are: all, \(known.list)"
        case .ambiguousFaction(let name, let candidates):
            "\(name.quoted) could be any of: \(candidates.joined(separator: ", "))"
        }
    }
}
