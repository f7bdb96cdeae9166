/// Where a list of games shows one.
///
/// It says what the game is played with, so that people find one among many; nothing is computed
/// from it.
package enum GameGroup: String, Hashable, Sendable, CaseIterable {
    /// A board, or tiles.
    case board
    /// Cards.
    case cards
    /// Dice.
    case dice
    /// Darts, and whatever is played by moving.
    case sport
    /// Letters and words.
    case letters
    /// Anything: sheets that only add up.
    case plain

    /// What people see above the games of the group.
    package var heading: String {
        switch self {
        case .board: "Board games"
        case .cards: "Cards"
        case .dice: "Dice"
        case .sport: "Darts and sport"
        case .letters: "Letters"
        case .plain: "Plain sheets"
        }
    }
}
