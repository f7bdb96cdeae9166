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
    /// One of the lines of a chart, by its number from 0.
    case series(Int)

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
        case .series(let number): Self.series[number % Self.series.count]
        }
    }

    /// The colours of lines, one after the other and from the first again.
    private static let series = ["36", "33", "35", "32", "34", "31", "96", "95"]
}
