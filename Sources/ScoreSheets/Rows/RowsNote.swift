package import SessionCRDT

/// What a sheet of rows tells: results first, then what is missing.
package enum RowsNote: Hashable, Sendable {
    /// How a team stands.
    case team(TeamStanding)
    /// A side has won at once, by a row of this label.
    case victory(side: String, row: String)
    /// These sides have reached the target; where others have still to complete a round, who.
    case reached([String], target: Int64, waiting: Waiting?)
    /// Too few play, or too many.
    case crowd(RuleViolation)
    /// A player has still to enter these rows, in a round or at all, or what they entered beside
    /// them is worth nothing; `what` is called so.
    case gap(player: String, missing: [Symbol], round: UInt32?, what: String)
    /// A player has still to enter a row, of which the rules ask for some number.
    case needed(player: String, row: Symbol, Bounds)

    /// How many rounds are told of a row in which a player misses something.
    static let maxRounds = 8

    /// A round that the end of a game waits for.
    package struct Waiting: Hashable, Sendable {
        /// The round.
        package let round: Int64
        /// The players and teams that have not entered it, or one before it.
        package let sides: [String]
    }
}

extension RowsNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .team(let team): team.words
        case .victory(let side, let row): "\(side): \(row)"
        case .reached(let sides, let target, let waiting):
            "\(sides.joined(separator: ", ")) reached \(target)"
                + (waiting.map(RowsNote.words) ?? "")
        case .crowd(let violation): violation.description
        case .gap(let player, let missing, let round, let what):
            "\(player): enter "
                + missing.map { id in round.map { "\(id).\($0)" } ?? "\(id)" }
                .joined(separator: ", ") + ", or \(what) is worth nothing"
        case .needed(let player, let row, let bounds):
            "\(player): enter \(row), \(bounds.wholeNumber)"
        }
    }

    private static func words(of waiting: Waiting) -> String {
        ": the game ends when round \(waiting.round) is complete "
            + "(\(waiting.sides.joined(separator: ", ")))"
    }
}
