/// A rule of a coded game, each in the words of its game.
package enum GameRule: Error, Hashable, Sendable {
    /// A rule of every game in which everybody moves in turn, with the words of the game.
    case turns(TurnRule, TurnWords)
    /// A rule of cricket.
    case cricket(CricketRule)
    /// A rule of darts.
    case darts(DartsRule)
    /// A rule of Ghost.
    case ghost(GhostRule)
    /// Why a word list cannot be used.
    case wordList(WordListFault)
    /// A rule of Reversi.
    case reversi(ReversiRule)
    /// A rule of a match of two sides.
    case sport(SportRule)
    /// A rule of bowling.
    case bowling(BowlingRule)
    /// A rule of Smash Up.
    case smashUp(SmashUpRule)
    /// Why words are no move of Smash Up.
    case smashUpMove(SmashUpWording)
}

extension GameRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .turns(let rule, let words): rule.description(words)
        case .cricket(let rule): rule.description
        case .darts(let rule): rule.description
        case .ghost(let rule): rule.description
        case .wordList(let fault): fault.description
        case .reversi(let rule): rule.description
        case .sport(let rule): rule.description
        case .bowling(let rule): rule.description
        case .smashUp(let rule): rule.description
        case .smashUpMove(let wording): wording.description
        }
    }
}
