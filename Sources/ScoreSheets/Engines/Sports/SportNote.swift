/// What a match of two sides tells.
package enum SportNote: Hashable, Sendable {
    /// The score of what is in progress: `Ann 30–15 Bob`.
    case score(Sides)
    /// Forty all, or more.
    case deuce
    /// Forty all where the next point decides.
    case decidingPoint
    /// One point ahead after deuce.
    case advantage(String)
    /// A game of a set was won, with the games of the set since.
    case game(String, Sides)
    /// A part was won: which one, by whom, and how, the winner's first.
    case part(String, number: Int, winner: String, score: String)
    /// The match was won, with the parts of the winner and of the other, and all of them.
    case match(winner: String, won: Int, lost: Int, scores: [String])
    /// The sides change ends.
    case ends
    /// The next point can win a part or the match: what, and for whom.
    case stake(String, String)
    /// Who serves next.
    case serve(String)
    /// Who throws the jack.
    case jack(String)

    /// A figure of each side.
    package struct Sides: Hashable, Sendable {
        /// The players, and what each has.
        package let first: String, firstHas: String, second: String, secondHas: String
    }
}

extension SportNote.Sides: CustomStringConvertible {
    package var description: String { "\(first) \(firstHas)–\(secondHas) \(second)" }
}

extension SportNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .score(let sides): sides.description
        case .deuce: "deuce"
        case .decidingPoint: "deuce, the next point decides"
        case .advantage(let player): "advantage \(player)"
        case .game(let player, let sides): "game \(player): \(sides)"
        case .part(let word, let number, let winner, let score):
            "\(winner) won \(word) \(number), \(score)"
        case .match(let winner, _, _, let scores) where scores.count == 1:
            "\(winner) won the match \(scores[0])"
        case .match(let winner, let won, let lost, let scores):
            "\(winner) won the match \(won)–\(lost): \(scores.joined(separator: ", "))"
        case .ends: "change ends"
        case .stake(let stake, let player): "\(stake) point \(player)"
        case .serve(let player): "\(player) to serve"
        case .jack(let player): "\(player) to throw the jack"
        }
    }
}
