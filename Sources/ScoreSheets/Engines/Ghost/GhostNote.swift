/// What Ghost tells.
package enum GhostNote: Hashable, Sendable {
    /// Somebody lost a round by completing a word; where several rounds are played, with what
    /// that leaves.
    case completed(String, by: String, Stakes?)
    /// Somebody lost a round by a beginning that no word has, or none of so many letters.
    case noWord(beginning: String, by: String, minimum: Int64?, Stakes?)
    /// So few are left that the game cannot go on.
    case tooFewLeft

    /// What the loss of a round leaves.
    package enum Stakes: Hashable, Sendable {
        /// The loser is out.
        case out
        /// The loser has these letters of G-H-O-S-T, and is out with the last.
        case letters(String, isOut: Bool)
    }
}

extension GhostNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .completed(let word, let player, let stakes):
            "\(player) completed \(word.uppercased())" + GhostNote.words(stakes)
        case .noWord(let beginning, let player, let minimum, let stakes):
            (minimum.map { "no word of \($0) letters or more" } ?? "no word")
                + " begins with \(beginning.uppercased()), which \(player) made"
                + GhostNote.words(stakes)
        case .tooFewLeft:
            "fewer than two players are left: restore one to go on, or finish the session"
        }
    }

    private static func words(_ stakes: Stakes?) -> String {
        switch stakes {
        case nil: ""
        case .out: ": out"
        case .letters(let letters, let isOut): ": \(letters)" + (isOut ? ", and out" : "")
        }
    }
}
