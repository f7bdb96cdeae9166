/// How a piece of text stands out; every style says something that the text says too, because not
/// every terminal shows it.
enum Style: Hashable, Sendable {
    /// Like everything else.
    case plain
    /// What the eye should find first.
    case strong
    /// What may be overlooked.
    case faint
    /// All is well.
    case good
    /// Somebody should look at it.
    case warning
    /// Something failed.
    case bad
    /// A board, and what is on it beside pieces.
    case felt
    /// A piece of the first player.
    case firstPiece
    /// A piece of the second player.
    case secondPiece

    /// The parameter of the escape sequence (ECMA-48, SGR) that switches it on.
    var code: String? {
        switch self {
        case .plain: nil
        case .strong: "1"
        case .faint: "2"
        case .good: "32"
        case .warning: "33"
        case .bad: "31"
        case .felt, .firstPiece: "30;42"
        case .secondPiece: "97;42"
        }
    }
}
