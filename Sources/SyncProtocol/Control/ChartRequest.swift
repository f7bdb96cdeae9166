/// Asks how everybody came to stand as they do.
package struct ChartRequest: ReadingRequest, Hashable {
    package typealias Reply = ChartReply
    package static let method = "chart"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?

    package init(session: String? = nil) {
        self.session = session
    }
}

/// What everybody had after each step of a game: the lines of a chart.
///
/// It is the same on every device with the same state.
package struct ChartReply: Codable, Hashable, Sendable {
    /// What the steps are.
    package enum Unit: String, Codable, Hashable, Sendable {
        /// Rounds that everybody enters.
        case round
        /// Moves, one after the other.
        case move
        /// Moments at which something was entered.
        case time
    }

    /// What a step stands behind.
    package struct Step: Codable, Hashable, Sendable {
        /// The round, or the move of the game, 0 before the first; left out where the game goes by
        /// none.
        package var round: Int?
        /// The moment up to which everything counts; left out where the game goes by rounds.
        package var at: Timestamp?

        package init(round: Int) {
            self.round = round
        }

        package init(at moment: Timestamp) {
            at = moment
        }
    }

    /// What somebody had.
    package struct Line: Codable, Hashable, Sendable {
        /// The player's id; left out of a team.
        package var id: String?
        /// What they are called.
        package var name: String
        /// A number for each step.
        package var totals: [Int64]

        package init(id: String? = nil, name: String, totals: [Int64]) {
            self.id = id
            self.name = name
            self.totals = totals
        }
    }

    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The session.
    package var session: ShownSession
    /// What the numbers count: `Total`, or `Points`, `Discs`.
    package var label: String
    /// Whether the lowest leads.
    package var lowestWins: Bool
    /// What the steps are.
    package var unit: Unit
    /// The steps, the first first: all with a round, or all with a moment.
    package var steps: [Step]
    /// The players who take part, in seat order.
    package var players: [Line]
    /// The teams from the best; empty where nobody is in one.
    package var teams: [Line]

    package init(
        session: ShownSession,
        label: String,
        lowestWins: Bool,
        unit: Unit,
        steps: [Step],
        players: [Line],
        teams: [Line] = []
    ) {
        self.session = session
        self.label = label
        self.lowestWins = lowestWins
        self.unit = unit
        self.steps = steps
        self.players = players
        self.teams = teams
    }
}
