/// What bowling tells.
package enum BowlingNote: Hashable, Sendable {
    /// What somebody bowled, and the latest running score that is known.
    case bowled(player: String, frame: String, number: Int, known: Known?)
    /// Who bowls next.
    case turn(player: String, frame: Int)
    /// How everybody ended, the best first.
    case over([Score])

    /// A running score after a frame.
    package struct Known: Hashable, Sendable {
        /// The score.
        package let score: Int
        /// The frame after which it is.
        package let frame: Int
    }

    /// What somebody has in the end.
    package struct Score: Hashable, Sendable {
        /// Who.
        package let player: String
        /// How much.
        package let score: Int
    }
}

extension BowlingNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .bowled(let player, let frame, let number, let known):
            "\(player): \(frame) in frame \(number)"
                + (known.map { ", \($0.score) after frame \($0.frame)" } ?? "")
        case .turn(let player, let frame): "\(player) to bowl, frame \(frame)"
        case .over(let scores):
            "final scores: " + scores.map { "\($0.player) \($0.score)" }.joined(separator: ", ")
        }
    }
}
