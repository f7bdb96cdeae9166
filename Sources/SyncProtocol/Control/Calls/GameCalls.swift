/// The games that this device can begin.
package struct GameListReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The games, by id; those that were looked for by what it took to find them.
    package var games: [GameSummary]

    package init(games: [GameSummary]) {
        self.games = games
    }
}

/// Where a word stands in a game that was looked for by it.
package struct GameFinding: Codable, Hashable, Sendable {
    /// The part of its sheet: `name`, `summary`, `group`, `row`, `help`.
    package var place: String
    /// What stands there, or some words of it.
    package var text: String

    package init(place: String, text: String) {
        self.place = place
        self.text = text
    }
}

/// A game, as lists show it.
package struct GameSummary: Codable, Hashable, Sendable {
    /// What programs call it.
    package var id: String
    /// What people call it.
    package var name: String
    /// The edition of its sheet, from 1.
    package var version: Int64
    /// What it is, in a line.
    package var summary: String
    /// Where lists show it; left out of one that belongs to no group.
    package var group: String?
    /// How many can play it.
    package var players: PlayerCount
    /// Whether the user of this device added it.
    package var own: Bool
    /// Where the words stand that are not in its name; only in answers of `game.search`.
    package var found: [GameFinding]?

    package init(
        id: String,
        name: String,
        version: Int64,
        summary: String,
        group: String? = nil,
        players: PlayerCount,
        own: Bool,
        found: [GameFinding]? = nil
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.summary = summary
        self.group = group
        self.players = players
        self.own = own
        self.found = found
    }
}

/// How many can play a game.
package struct PlayerCount: Codable, Hashable, Sendable {
    /// The fewest.
    package var from: Int64
    /// The most; null where there is no such number.
    @ExplicitNull package var to: Int64?

    package init(from: Int64, to: Int64? = nil) {
        self.from = from
        self.to = to
    }
}

/// One game.
package struct GameReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The game.
    package var game: GameSummary
    /// Its sheet as JSON: as it was written, or as the session carries it.
    package var sheet: String

    package init(game: GameSummary, sheet: String) {
        self.game = game
        self.sheet = sheet
    }
}

/// A game that was added or removed, or with a question one that would be removed.
package struct GameChangeReply: Asking, Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The game.
    package var game: GameSummary
    /// The version that was here before; null of none.
    @ExplicitNull package var before: Int64?
    package var question: Question?

    package init(game: GameSummary, before: Int64? = nil) {
        self.game = game
        self.before = before
    }
}

/// The options of a session's game.
package struct SessionOptionReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The options, in the order of the sheet.
    package var options: [OptionSummary]
    /// What the user should know, in sentences.
    package var notes: [String]?

    package init(options: [OptionSummary], notes: [String]? = nil) {
        self.options = options
        self.notes = notes
    }
}

/// An option of a session's game.
package struct OptionSummary: Codable, Hashable, Sendable {
    /// Its name.
    package var name: String
    /// What holds; null where the option is off.
    package var value: Scalar
    /// What holds where nobody chose.
    package var `default`: Scalar
    /// What can be chosen, in words.
    package var takes: String
    /// What it does.
    package var help: String

    package init(
        name: String,
        value: Scalar,
        default usual: Scalar,
        takes: String,
        help: String
    ) {
        self.name = name
        self.value = value
        self.default = usual
        self.takes = takes
        self.help = help
    }
}
