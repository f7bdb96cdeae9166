/// Why a disc cannot be put somewhere, or why one that somebody recorded does not count.
package enum ReversiRule: Error, Hashable {
    /// There is no such square; the text is in quotation marks where it is not short.
    case noSquare(String)
    /// Nothing was named.
    case nothingNamed
    /// There is a disc already.
    case taken(ReversiSquare)
    /// No disc of the other side would be turned.
    case turnsNothing(ReversiSquare)
    /// The other player made this move.
    case moved(Int, by: String)
    /// Neither side can move.
    case over
    /// A pass was typed.
    case pass
    /// Only two play.
    case noSeat(String, players: String)
    /// Moves were made, so that nobody else can play.
    case sidesFixed(players: String)
    /// Who plays black and white is not chosen.
    case recorded
    /// What is recorded does not say who plays.
    case wrongSides
    /// One of several moves is illegal.
    indirect case inTranscript(Int, ReversiRule)
}

extension ReversiRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noSquare(let text): "\(text) is not a square; squares are a1 to h8"
        case .nothingNamed: "say which square, as in play d3"
        case .taken(let square): "\(square) is taken"
        case .turnsNothing(let square): "\(square) turns no disc"
        case .moved(let number, let name): "move \(number) was \(name)'s"
        case .over: "the game is over"
        case .pass: "nobody passes by hand: a side without a move is passed over"
        case .noSeat(let name, let players): "\(name) only watches: \(players) play"
        case .sidesFixed(let players):
            "the sides are fixed once moves are made: \(players) play, and a computer that comes "
                + "now would only watch; take the moves back first with: scorectl reset"
        case .recorded:
            "sides is recorded by the first move; choose who is black before it, with player order"
        case .wrongSides:
            "this does not say who plays black and white; the game writes it by itself"
        case .inTranscript(let number, let rule): "move \(number): \(rule)"
        }
    }

    /// The rule as the reason of a refusal or a flag.
    var violation: RuleViolation { .game(.reversi(self)) }
}
