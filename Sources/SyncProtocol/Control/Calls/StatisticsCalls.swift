/// Who has won most often, game by game.
package struct LeadersReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The games of which something has ended, by name.
    package var games: [GameLeaders]

    package init(games: [GameLeaders]) {
        self.games = games
    }
}

/// Who has won a game most often.
package struct GameLeaders: Codable, Hashable, Sendable {
    /// The id of the game's sheet.
    package var game: String
    /// What people call the game.
    package var name: String
    /// What is counted: `game` or `match`.
    package var unit: String
    /// What is counted beside it: `leg`; null of games without parts.
    @ExplicitNull package var part: String?
    /// The people, the one with the most wins first.
    package var leaders: [Leader]

    package init(
        game: String,
        name: String,
        unit: String,
        part: String? = nil,
        leaders: [Leader]
    ) {
        self.game = game
        self.name = name
        self.unit = unit
        self.part = part
        self.leaders = leaders
    }
}

/// How often somebody has won a game.
package struct Leader: Codable, Hashable, Sendable {
    /// The place from 1; equals share it and the next ones are skipped.
    package var place: Int
    /// The name.
    package var name: String
    /// Whether a computer moved for them.
    package var computer: Bool
    /// How many they won.
    package var wins: Int
    /// How many they played to the end.
    package var played: Int
    /// The same of the parts, legs say; null of games without parts.
    @ExplicitNull package var parts: PartCount?

    package init(
        place: Int,
        name: String,
        computer: Bool,
        wins: Int,
        played: Int,
        parts: PartCount? = nil
    ) {
        self.place = place
        self.name = name
        self.computer = computer
        self.wins = wins
        self.played = played
        self.parts = parts
    }
}

/// How many parts of games somebody won.
package struct PartCount: Codable, Hashable, Sendable {
    /// How many they won.
    package var wins: Int
    /// How many they played to the end.
    package var played: Int

    package init(wins: Int, played: Int) {
        self.wins = wins
        self.played = played
    }
}

/// What people's finished games come to, game by game.
package struct StatsReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The games of which something has ended, by name.
    package var games: [GameStatistics]

    package init(games: [GameStatistics]) {
        self.games = games
    }
}

/// What a game comes to for everybody who has played it to the end.
package struct GameStatistics: Codable, Hashable, Sendable {
    /// The id of the game's sheet.
    package var game: String
    /// What people call the game.
    package var name: String
    /// Since when it is counted; null for ever.
    @ExplicitNull package var since: Timestamp?
    /// The people, by name.
    package var people: [PersonStatistics]

    package init(
        game: String,
        name: String,
        since: Timestamp? = nil,
        people: [PersonStatistics]
    ) {
        self.game = game
        self.name = name
        self.since = since
        self.people = people
    }
}

/// What a game comes to for somebody.
package struct PersonStatistics: Codable, Hashable, Sendable {
    /// The name.
    package var name: String
    /// Whether a computer moved for them.
    package var computer: Bool
    /// The numbers, in the order of the game's rules.
    package var statistics: [ShownStatistic]

    package init(name: String, computer: Bool, statistics: [ShownStatistic]) {
        self.name = name
        self.computer = computer
        self.statistics = statistics
    }
}

/// One number about somebody's finished games.
package struct ShownStatistic: Codable, Hashable, Sendable {
    /// What programs call it.
    package var id: String
    /// What people call it.
    package var label: String
    /// The number as people read it; null where there is none yet.
    @ExplicitNull package var value: String?

    package init(id: String, label: String, value: String? = nil) {
        self.id = id
        self.label = label
        self.value = value
    }
}

/// Whether it was done, or what to ask before.
package struct StatsResetReply: Asking, Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// How many ended games or legs are forgotten, or would be.
    package var forgotten: Int
    package var question: Question?

    package init(forgotten: Int, question: Question? = nil) {
        self.forgotten = forgotten
        self.question = question
    }
}

/// What has ended.
package struct ResultsReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The games and legs, the latest first.
    package var results: [ResultSummary]

    package init(results: [ResultSummary]) {
        self.results = results
    }
}

/// A game that has ended, or a leg of one.
package struct ResultSummary: Codable, Hashable, Sendable {
    /// The id of the session, which may have been left.
    package var session: String
    /// The session's title.
    package var title: String
    /// The id of the game's sheet.
    package var game: String
    /// What people call the game.
    package var name: String
    /// Which one of the session, from 1.
    package var number: Int
    /// When it ended; null where nothing was entered.
    @ExplicitNull package var at: Timestamp?
    /// The players, in seat order; of a match that nobody has won yet, how it stands.
    package var players: [ResultLine]
    /// What its parts are called: `leg`; null of a game that has none.
    @ExplicitNull package var part: String?
    /// Its parts, the first first.
    package var parts: [ResultPart]
    /// The teams from the best; empty where nobody was in one.
    package var teams: [ShownTeam]

    package init(
        session: String,
        title: String,
        game: String,
        name: String,
        number: Int,
        at: Timestamp? = nil,
        players: [ResultLine],
        part: String? = nil,
        parts: [ResultPart] = [],
        teams: [ShownTeam] = []
    ) {
        self.part = part
        self.parts = parts
        self.session = session
        self.title = title
        self.game = game
        self.name = name
        self.number = number
        self.at = at
        self.players = players
        self.teams = teams
    }
}

/// A part of a match that ended.
package struct ResultPart: Codable, Hashable, Sendable {
    /// Which one, from 1.
    package var number: Int
    /// When it ended.
    @ExplicitNull package var at: Timestamp?
    /// The players, in seat order.
    package var players: [ResultLine]

    package init(number: Int, at: Timestamp? = nil, players: [ResultLine]) {
        self.number = number
        self.at = at
        self.players = players
    }
}

/// How somebody did in it.
package struct ResultLine: Codable, Hashable, Sendable {
    /// The player's id.
    package var id: String
    /// The name.
    package var name: String
    /// Whether a computer moved for them.
    package var computer: Bool
    /// The total.
    package var total: Int64
    /// The place from 1; null of none.
    @ExplicitNull package var rank: Int?
    /// Whether they won, perhaps with others.
    package var winner: Bool

    package init(
        id: String,
        name: String,
        computer: Bool,
        total: Int64,
        rank: Int? = nil,
        winner: Bool
    ) {
        self.id = id
        self.name = name
        self.computer = computer
        self.total = total
        self.rank = rank
        self.winner = winner
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
