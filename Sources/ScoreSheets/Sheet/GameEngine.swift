/// What computes the standings of a game.
package enum GameEngine: String, Hashable, Sendable, CaseIterable {
    /// The rows, as the sheet describes them.
    case rows
    /// Ghost, letter by letter.
    case ghost
    /// The facts of a game of Smash Up: deals, turns, points and Madness.
    case smashup
    /// Cricket, the game of darts: marks and points.
    case cricket
    /// Darts: X01 in legs and sets.
    case darts
    /// The board of Reversi.
    case reversi
    /// A match of two sides, point by point: table tennis, tennis and others, as the options say.
    case match
    /// Ten-pin bowling, frame by frame.
    case bowling
}
