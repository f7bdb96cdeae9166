/// What cricket tells.
package enum CricketNote: Hashable, Sendable {
    /// A visit made so many marks, scored, and closed these numbers.
    case scored(player: String, marks: Int, points: Int, closed: [String])
    /// These have won.
    case won([String])
    /// Who throws.
    case turn(String)
}

extension CricketNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .scored(let player, let marks, let points, let closed):
            "\(player): \(marks == 1 ? "1 mark" : "\(marks) marks")"
                + (points > 0 ? ", \(points) points" : "")
                + (closed.isEmpty ? "" : ", closed " + closed.joined(separator: ", "))
        case .won(let winners): winners.joined(separator: " and ") + " won the game"
        case .turn(let player): "\(player) to throw"
        }
    }
}
