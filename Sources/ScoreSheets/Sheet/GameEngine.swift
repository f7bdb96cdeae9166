/// What computes the standings of a game.
package enum GameEngine: String, Hashable, Sendable, CaseIterable {
    /// The rows, as the sheet describes them.
    case rows
    /// Ghost, letter by letter.
    case ghost
    /// The facts of a game of Smash Up: deals, turns, points and Madness.
    case smashup
    /// Darts: X01 in legs and sets.
    case darts
    /// The board of Reversi.
    case reversi
}
