/// A rule of a coded game, each in the words of its game.
package enum GameRule: Error, Hashable, Sendable {
    /// A rule of darts.
    case darts(DartsRule)
    /// A rule of Ghost.
    case ghost(GhostRule)
    /// Why a word list cannot be used.
    case wordList(WordListFault)
    /// A rule of Reversi.
    case reversi(ReversiRule)
    /// A rule of Smash Up.
    case smashUp(SmashUpRule)
    /// Why words are no move of Smash Up.
    case smashUpMove(SmashUpWording)
}

extension GameRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .darts(let rule): rule.description
        case .ghost(let rule): rule.description
        case .wordList(let fault): fault.description
        case .reversi(let rule): rule.description
        case .smashUp(let rule): rule.description
        case .smashUpMove(let wording): wording.description
        }
    }
}
