// Replies about games, their results and statistics. `schema` is the version of the JSON documents.
// `game` is the id of a sheet and `name` the game's name for people; `computer` is whether a
// computer moved for the player; `teams` are sorted by rank, the best first, and empty if there are
// none.

package import SessionCRDT

// MARK: Games

package struct GameSummary: Document {
    package var id: String
    package var name: String
    /// The edition of its sheet, from 1.
    package var version: Int64
    /// A description in one line.
    package var summary: String
    /// The group of games to which the game belongs; absent if it belongs to none.
    package var group: String?
    package var players: PlayerCount
    /// Whether the user added the game to this device.
    package var own = false
    /// The texts that matched a search if the name did not; only in replies of `game.search`.
    package var found: [GameFinding]?

    package init(id: String, name: String, version: Int64, summary: String, players: PlayerCount) {
        (self.id, self.name, self.version) = (id, name, version)
        (self.summary, self.players) = (summary, players)
    }
}

package struct GameFinding: Document {
    /// The part of the sheet: `name`, `summary`, `group`, `row`, `help`.
    package var place: String
    /// The text of that part, or an excerpt.
    package var text: String

    package init(place: String, text: String) { (self.place, self.text) = (place, text) }
}

package struct PlayerCount: Document {
    package var from: Int64
    /// The maximum; null if there is none.
    @ExplicitNull package var to: Int64?

    package init(from: Int64, to: Int64? = nil) { (self.from, self.to) = (from, to) }
}

package struct GameReply: Document {
    package var schema = 1
    package var game: GameSummary
    /// The game's sheet as JSON: as its author wrote it, or as the session stores it.
    package var sheet: String
    /// The rules for winning, the end of the game and ties, a sentence each.
    package var rules: [String]?
    package var rows: [RowExplanation]?
    /// The options that people choose; the value is the one that the next game on this device would
    /// have, which is remembered from the last one.
    package var options: [OptionSummary]?
    /// Whether computers can play the game.
    package var computer: Bool?

    package init(game: GameSummary, sheet: String) { (self.game, self.sheet) = (game, sheet) }
}

/// A row of a sheet with what it accepts and is worth, in sentences.
package struct RowExplanation: Document {
    package var label: String
    package var text: String

    package init(label: String, text: String) { (self.label, self.text) = (label, text) }
}

/// A game that was added or removed; with a question, the game that would be removed.
package struct GameChangeReply: ConfirmationReply {
    package var schema = 1
    package var game: GameSummary
    /// The version of the game that this device had before; null if there was none.
    @ExplicitNull package var before: Int64?
    package var question: Question?

    package init(game: GameSummary, before: Int64? = nil) {
        (self.game, self.before) = (game, before)
    }
}

// MARK: Results

/// A finished game, or a finished leg of one.
package struct ResultSummary: Document {
    /// The id of the session, which may have been left since.
    package var session: String
    package var title: String
    package var game: String
    package var name: String
    /// The number of the result within its session, from 1.
    package var number: Int
    /// The time at which the game ended; null if nothing was entered.
    @ExplicitNull package var at: Timestamp?
    /// The time of the first entry; absent if it is not known.
    package var began: Timestamp?
    /// The word of the table on who has won, as in `show`; absent if the rules decide.
    package var verdict: String?
    /// The players in seat order; in a match without a winner yet, with the current score.
    package var players: [ResultLine] = []
    /// The name of a part of the game, such as `leg`; null if it has no parts.
    @ExplicitNull package var part: String?
    /// The parts of the game in order.
    package var parts: [ResultPart] = []
    package var teams: [ShownTeam] = []
    /// Everybody at the table in seat order, those who entered nothing among them; absent if they
    /// are just the players, without teams.
    package var seats: [ResultSeat]?
    /// Whether the lowest total wins; absent if this device no longer knows.
    package var lowestWins: Bool?
    /// The number of the game at BoardGameGeek; absent if its sheet has none.
    package var bggId: Int64?

    package init(session: String, title: String, game: String, name: String, number: Int) {
        (self.session, self.title, self.game) = (session, title, game)
        (self.name, self.number) = (name, number)
    }
}

package struct ResultSeat: Document {
    /// The id of the player.
    package var id: String
    package var name: String
    package var team: String?

    package init(id: String, name: String, team: String? = nil) {
        (self.id, self.name, self.team) = (id, name, team)
    }
}

package struct ResultPart: Document {
    /// The number of the part, from 1.
    package var number: Int
    @ExplicitNull package var at: Timestamp?
    /// The players, in seat order.
    package var players: [ResultLine]

    package init(number: Int, at: Timestamp? = nil, players: [ResultLine]) {
        (self.number, self.at, self.players) = (number, at, players)
    }
}

package struct ResultLine: Document {
    package var id: String
    package var name: String
    package var computer = false
    package var total: Points
    /// The rank from 1; null if not ranked.
    @ExplicitNull package var rank: Int?
    /// Whether the player won, alone or together with others.
    package var winner = false

    package init(id: String, name: String, total: Points) {
        (self.id, self.name, self.total) = (id, name, total)
    }
}

/// The players with the most wins of a game.
package struct GameLeaders: Document {
    package var game: String
    package var name: String
    /// The unit in which wins are counted: `game` or `match`.
    package var unit: String
    /// The part whose wins are counted as well, such as `leg`; null for games without parts.
    @ExplicitNull package var part: String?
    /// The leaders, the one with the most wins first.
    package var leaders: [Leader]

    package init(game: String, name: String, unit: String, leaders: [Leader]) {
        (self.game, self.name, self.unit, self.leaders) = (game, name, unit, leaders)
    }
}

package struct Leader: Document {
    /// The rank from 1; players with equal wins share a rank, and the ranks after it are skipped.
    package var place: Int
    package var name: String
    package var computer = false
    package var wins: Int
    /// The number of games played to the end.
    package var played: Int
    /// The count of parts, such as legs; null for games without parts.
    @ExplicitNull package var parts: PartCount?

    package init(place: Int, name: String, wins: Int, played: Int) {
        (self.place, self.name, self.wins, self.played) = (place, name, wins, played)
    }
}

package struct PartCount: Document {
    package var wins: Int
    package var played: Int

    package init(wins: Int, played: Int) { (self.wins, self.played) = (wins, played) }
}

// MARK: Statistics

package struct GameStatistics: Document {
    package var game: String
    package var name: String
    /// The time from which games count; null if the statistics were never reset.
    @ExplicitNull package var since: Timestamp?
    /// The people who finished a game, by name.
    package var people: [PersonStatistics]

    package init(game: String, name: String, people: [PersonStatistics]) {
        (self.game, self.name, self.people) = (game, name, people)
    }
}

package struct PersonStatistics: Document {
    package var name: String
    package var computer: Bool
    /// The statistics in the order that the game's rules define.
    package var statistics: [ShownStatistic]
    /// The same statistics of each single game, the earliest first; absent unless asked for.
    package var history: [SingleStatistics]?

    package init(name: String, computer: Bool, statistics: [ShownStatistic]) {
        (self.name, self.computer, self.statistics) = (name, computer, statistics)
    }
}

/// The statistics of one game of a person.
package struct SingleStatistics: Document {
    @ExplicitNull package var at: Timestamp?
    /// The values in the order of the person's statistics; null if there is no data.
    package var values: [String?]

    package init(at moment: Timestamp?, values: [String?]) { (at, self.values) = (moment, values) }
}

package struct ShownStatistic: Document {
    package var id: String
    package var label: String
    /// The value as text for people; null if there is no data yet.
    @ExplicitNull package var value: String?

    package init(id: String, label: String, value: String? = nil) {
        (self.id, self.label, self.value) = (id, label, value)
    }
}

package struct AddedResultsReply: Document {
    package var schema = 1
    /// The number of results that were added or, in a dry run, would be.
    package var added: Int
    /// The number of plays whose results this device had.
    package var known: Int

    package init(added: Int, known: Int) { (self.added, self.known) = (added, known) }
}

package struct StatsResetReply: ConfirmationReply {
    package var schema = 1
    /// The number of results that were removed or, with a question, would be.
    package var forgotten: Int
    package var question: Question?

    package init(forgotten: Int, question: Question? = nil) {
        (self.forgotten, self.question) = (forgotten, question)
    }
}

// MARK: Chart

/// The totals after each step of a game: the lines of a chart.
///
/// Equal on all devices with the same state.
package struct ChartReply: Document {
    package enum Unit: String, Document {
        /// Rounds that all players enter.
        case round
        case move
        /// Times at which entries were made.
        case time
    }

    package struct Step: Document {
        /// The round, or the number of the move, 0 before the first; absent for `time`.
        package var round: Int?
        /// The time up to which entries count; absent for `round` and `move`.
        package var at: Timestamp?

        package init(round: Int) { self.round = round }
        package init(at moment: Timestamp) { at = moment }
    }

    /// The totals of a player or a team.
    package struct Line: Document {
        /// The player's id; absent for a team.
        package var id: String?
        package var name: String
        /// The total after each step.
        package var totals: [Points]

        package init(id: String? = nil, name: String, totals: [Points]) {
            (self.id, self.name, self.totals) = (id, name, totals)
        }
    }

    package var schema = 1
    package var session: ShownSession
    /// The unit of the totals: `Total`, `Points`, `Discs`.
    package var label: String
    /// Whether the lowest total leads.
    package var lowestWins = false
    package var unit: Unit
    /// The steps in order, either all with a round or all with a time.
    package var steps: [Step]
    /// The players who take part, in seat order.
    package var players: [Line] = []
    package var teams: [Line] = []

    package init(session: ShownSession, label: String, unit: Unit, steps: [Step]) {
        (self.session, self.label, self.unit, self.steps) = (session, label, unit, steps)
    }
}
