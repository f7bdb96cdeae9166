/// What Reversi tells.
package enum ReversiNote: Hashable, Sendable {
    /// A side has to pass, and the other moves again; nil where a move was just made.
    case passes(String, next: String?)
    /// A side had to pass after one of several moves.
    case passed(String, afterMove: Int)
    /// A player of the game was removed.
    case absent(String)
    /// The game is over.
    case over([Result])

    /// How a side stands at the end.
    package struct Result: Hashable, Sendable {
        /// The player.
        package let player: String
        /// The discs on the board.
        package let discs: Int
        /// The result as tournaments count it: with the empty squares for the winner.
        package let result: Int
    }
}

extension ReversiNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .passes(let player, nil): "\(player) must pass"
        case .passes(let player, let next?): "\(player) must pass: \(next) moves again"
        case .passed(let player, let number): "\(player) had to pass after move \(number)"
        case .absent(let player):
            "\(player) was removed: restore the player to go on, or finish the session"
        case .over(let results):
            "the game is over: "
                + results.map { "\($0.player) \($0.discs)" }.joined(separator: ", ")
                + "; tournament result: "
                + results.map { "\($0.player) \($0.result)" }.joined(separator: ", ")
        }
    }
}
