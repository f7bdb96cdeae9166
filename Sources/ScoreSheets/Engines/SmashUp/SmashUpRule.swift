/// Why something cannot be done in Smash Up, or does not count.
package enum SmashUpRule: Error, Hashable {
    /// Nothing would change.
    case noPoints
    /// A base pays nothing to anybody.
    case basePaysNobody
    /// It is the turn of somebody else, whichever turn of the game.
    case notTheTurn(of: String)
    /// The turn has not begun.
    case turnNotBegun(UInt32, now: UInt32)
    /// The turn is past, and a new score in it could end the game in hindsight.
    case turnPast(UInt32, now: UInt32)
    /// A turn has no more places for points.
    case turnFull(UInt32)
    /// What is written is not what ends a turn.
    case notATurnMark(String)
    /// The end of a turn that somebody writes by hand.
    case endByHand
    /// The game is over.
    case over
    /// The game is not over.
    case notOver
    /// So few played that nobody has won.
    case tooFewPlayed(game: Int, of: Int, allowed: Bounds)
    /// The game of the Madness has not begun.
    case gameNotBegun(UInt32, now: Int)
    /// Two devices entered the same gain in one place.
    case enteredAtOnce
    /// The factions are dealt.
    case dealt
    /// The factions are not dealt.
    case notDealt
    /// The deal is shown.
    case revealed
    /// There are too few factions to deal.
    case tooFewFactions(chosen: Int, players: Int)
    /// What is written is no deal.
    case notADeal
    /// Another deal counts.
    case otherDeal
    /// What is revealed is not the deal that counts.
    case otherDealRevealed

    /// The rule as everybody outside is told it.
    var violation: RuleViolation { .game(.smashUp(self)) }
}

extension SmashUpRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noPoints: "0 points would change nothing"
        case .basePaysNobody: "the base pays nobody anything"
        case .notTheTurn(let name): "it is the turn of \(name)"
        case .turnNotBegun(let turn, let now):
            "turn \(turn) has not begun: this is turn \(now)"
        case .turnPast(let turn, let now):
            "turn \(turn) is past: this is turn \(now); write: play NAME +3"
        case .turnFull(let turn): "turn \(turn) has no place left for points"
        case .notATurnMark(let found): "a turn takes end or replay, not \(found)"
        case .endByHand: "a turn ends with: play end"
        case .over:
            "the game is over; play replay begins another with the same factions, undo takes the "
                + "last move back"
        case .notOver: "the game is not over; 'scorectl reset' clears it"
        case .tooFewPlayed(let game, let count, let allowed):
            (count > 1 ? "game \(game)" : "the game") + " has no result: it takes "
                + "\(allowed.playerCount), and fewer played"
        case .gameNotBegun(let game, let now):
            "game \(game) has not begun: this is game \(now); write: play madness NAME=5"
        case .enteredAtOnce: "two devices entered this at once; it counts once"
        case .dealt: "the factions are dealt; a reset takes the deal and the points back"
        case .notDealt: "the factions are not dealt yet; write: play deal"
        case .revealed: "the deal is shown already"
        case .tooFewFactions(let chosen, let players):
            "\(chosen) \(chosen == 1 ? "faction is" : "factions are") chosen and "
                + "\(players) players need "
                + "\(players * FactionDeal.factionsEach); choose more with: play use SET"
        case .notADeal: "this is no deal of two factions to each of these players"
        case .otherDeal: "another deal counts"
        case .otherDealRevealed: "this reveals a deal that does not count"
        }
    }
}
