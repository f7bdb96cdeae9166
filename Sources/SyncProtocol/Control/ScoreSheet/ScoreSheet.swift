/// The score sheet, and what only this device knows about it.
///
/// The `document` is the same on every device with the same state; the `context` is not.
package struct ShowReply: Codable, Hashable, Sendable {
    /// What `show --json` prints.
    package var document: ShowDocument
    /// What a table shows around it.
    package var context: ShowContext

    package init(document: ShowDocument, context: ShowContext) {
        (self.document, self.context) = (document, context)
    }
}

/// The score sheet, as `show --json` prints it.
///
/// Players stand in seat order, cells in sheet order and then by round; two devices with the same
/// state print the same bytes.
package struct ShowDocument: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The session.
    package var session: ShownSession
    /// All players in seat order, removed ones too.
    package var players: [ShownPlayer]
    /// The teams from the best; empty where nobody is in one.
    package var teams: [ShownTeam]
    /// Whether the game is over.
    package var finished: Bool
    /// The id of the player to move; null where the game has no turns.
    @ExplicitNull package var turn: String?
    /// The ids of the winners, in seat order.
    package var winners: [String]
    /// Entries that do not count, and why.
    package var flags: [ShownFlag]
    /// What the game shows instead of rows; empty for sheets of rows.
    package var panels: [ShownPanel]

    package init(
        session: ShownSession,
        players: [ShownPlayer],
        teams: [ShownTeam] = [],
        finished: Bool,
        turn: String? = nil,
        winners: [String],
        flags: [ShownFlag] = [],
        panels: [ShownPanel] = []
    ) {
        (self.session, self.players, self.teams) = (session, players, teams)
        (self.finished, self.turn, self.winners) = (finished, turn, winners)
        (self.flags, self.panels) = (flags, panels)
    }
}

/// The session in a score sheet.
package struct ShownSession: Codable, Hashable, Sendable {
    /// Its public id.
    package var id: String
    /// Its title.
    package var title: String
    /// The id of its sheet.
    package var game: String
    /// `open` or `finished`.
    package var status: String

    package init(id: String, title: String, game: String, status: String) {
        (self.id, self.title, self.game, self.status) = (id, title, game, status)
    }
}

/// A player in a score sheet.
package struct ShownPlayer: Codable, Hashable, Sendable {
    /// The player's id.
    package var id: String
    /// The name.
    package var name: String
    /// The place in the order, from 1.
    package var seat: Int
    /// The team; null of none.
    @ExplicitNull package var team: String?
    /// The total, by the rules of the game.
    package var total: Int64
    /// The rank, from 1; null for who is not ranked.
    @ExplicitNull package var rank: Int?
    /// What decided between this and an equal total, in words; null where nothing had to.
    @ExplicitNull package var tieBreak: String?
    /// Whether the player has won.
    package var winner: Bool
    /// Whether the player was removed.
    package var removed: Bool
    /// The cells that somebody has written, in sheet order.
    package var cells: [ShownCell]
    /// What rows are worth that nobody entered, in sheet order.
    package var computed: [ShownPoints]

    package init(
        id: String,
        name: String,
        seat: Int,
        team: String? = nil,
        total: Int64,
        rank: Int? = nil,
        tieBreak: String? = nil,
        winner: Bool,
        removed: Bool,
        cells: [ShownCell],
        computed: [ShownPoints] = []
    ) {
        (self.team, self.id, self.name, self.seat) = (team, id, name, seat)
        (self.total, self.rank, self.tieBreak, self.winner) = (total, rank, tieBreak, winner)
        (self.removed, self.cells, self.computed) = (removed, cells, computed)
    }
}

/// What a row is worth that nobody entered: one that is worked out, or an empty one that counts.
package struct ShownPoints: Codable, Hashable, Sendable {
    /// The row's id.
    package var row: String
    /// What it is worth; it adds to the total where the row scores.
    package var points: Int64

    package init(row: String, points: Int64) { (self.row, self.points) = (row, points) }
}

/// A cell in a score sheet.
package struct ShownCell: Codable, Hashable, Sendable {
    /// The row's id.
    package var row: String
    /// The round, from 1; null where the row has none.
    @ExplicitNull package var round: Int?
    /// What people call it; left out where that is its row and its round.
    package var label: String?
    /// What it says, as it was entered: a sum is its text.
    package var value: Scalar
    /// What people read in its place; left out where they read the value.
    package var text: String?
    /// What `resolve` takes for it; left out where that is the value.
    package var typed: String?
    /// The number that it says; null where it says none.
    @ExplicitNull package var count: Int64?
    /// What that is worth; null where it does not count.
    @ExplicitNull package var points: Int64?
    /// The device that wrote it, by name.
    package var by: String
    /// When it was written.
    package var at: Timestamp
    /// What else it says, written without knowledge of the shown value.
    package var conflict: [AttributedValue]

    package init(
        row: String,
        round: Int? = nil,
        label: String? = nil,
        value: Scalar,
        text: String? = nil,
        typed: String? = nil,
        count: Int64? = nil,
        points: Int64? = nil,
        by: String,
        at: Timestamp,
        conflict: [AttributedValue]
    ) {
        (self.row, self.round, self.label, self.value) = (row, round, label, value)
        (self.text, self.typed, self.count, self.points) = (text, typed, count, points)
        (self.by, self.at, self.conflict) = (by, at, conflict)
    }

    /// The value that is shown, as one of those of a conflict.
    package var shown: AttributedValue {
        AttributedValue(value: value, by: by, at: at, text: text, typed: typed)
    }
}

/// An entry that does not count, and why.
package struct ShownFlag: Codable, Hashable, Sendable {
    /// The player's id.
    package var player: String
    /// The row's id.
    package var row: String
    /// The round, from 1; null where the row has none.
    @ExplicitNull package var round: Int?
    /// What people call the cell; left out where that is its row and its round.
    package var label: String?
    /// Why, in words.
    package var reason: String

    package init(
        player: String,
        row: String,
        round: Int? = nil,
        label: String? = nil,
        reason: String
    ) {
        (self.player, self.row, self.round) = (player, row, round)
        (self.label, self.reason) = (label, reason)
    }
}

/// What only this device knows about a score sheet.
package struct ShowContext: Codable, Hashable, Sendable {
    /// The name of the game.
    package var gameName: String
    /// What computes it, as sheets name it: `rows`, or a coded game such as `darts`.
    package var engine: String
    /// What can be entered, row by row; none where the game is played move by move.
    package var pad: [ShownPadRow]
    /// The rows of the table, in order, rounds spread out; none where the game shows panels.
    package var rows: [ShownRow]
    /// The ids of the rows in the order in which cells and rows of the table come; those that are
    /// not among them follow by their id.
    package var order: [String]
    /// What the totals count: `Total`, or `Discs`.
    package var totalLabel: String
    /// Whether the lowest total leads.
    package var lowestWins: Bool
    /// The id of the player of this device.
    @ExplicitNull package var me: String?
    /// The ids of who leads now.
    package var leaders: [String]
    /// Who else holds the session.
    package var peers: [PeerSummary]
    /// Whether the user took this device offline.
    package var offline: Bool
    /// How many writes of this device no linked peer is known to have.
    package var unsynced: Int
    /// What the user should know, in sentences.
    package var notes: [String]
    /// The next game of these people, to which the evening goes on; see `Evening`.
    @ExplicitNull package var next: NamedSession?
    /// The session that commands mean on this device, where it is neither this one nor the next.
    @ExplicitNull package var inUse: NamedSession?

    package init(
        gameName: String,
        engine: String = "rows",
        pad: [ShownPadRow] = [],
        rows: [ShownRow],
        order: [String] = [],
        totalLabel: String = "Total",
        lowestWins: Bool,
        me: String? = nil,
        leaders: [String],
        peers: [PeerSummary],
        offline: Bool,
        unsynced: Int,
        notes: [String],
        next: NamedSession? = nil,
        inUse: NamedSession? = nil
    ) {
        (self.gameName, self.engine, self.pad) = (gameName, engine, pad)
        (self.rows, self.order, self.totalLabel) = (rows, order, totalLabel)
        (self.lowestWins, self.me, self.leaders) = (lowestWins, me, leaders)
        (self.peers, self.offline, self.unsynced) = (peers, offline, unsynced)
        (self.notes, self.next, self.inUse) = (notes, next, inUse)
    }
}

/// A row of the table.
package struct ShownRow: Codable, Hashable, Sendable {
    /// The row's id.
    package var row: String
    /// The round, from 1; null where the row has none.
    @ExplicitNull package var round: Int?
    /// What to call it.
    package var label: String
    /// Whether it adds to the total.
    package var scores: Bool
    /// Whether it is worked out from other rows.
    package var computed: Bool
    /// The rounds of which it is a field; absent of a row of its own.
    package var group: String?

    package init(
        row: String,
        round: Int? = nil,
        label: String,
        scores: Bool = true,
        computed: Bool = false,
        group: String? = nil
    ) {
        (self.group, self.row, self.round) = (group, row, round)
        (self.label, self.scores, self.computed) = (label, scores, computed)
    }
}

/// How a team stands, or did: its members win or lose together.
package struct ShownTeam: Codable, Hashable, Sendable {
    /// What it is called.
    package var name: String
    /// The points of all members together.
    package var total: Int64
    /// The place from 1.
    package var rank: Int
    /// Whether it has won.
    package var winner: Bool
    /// The ids of its members who have a place, in seat order.
    package var players: [String]

    package init(name: String, total: Int64, rank: Int, winner: Bool, players: [String]) {
        (self.name, self.total, self.rank) = (name, total, rank)
        (self.winner, self.players) = (winner, players)
    }
}

/// A row of the sheet that can be entered, and what it takes: of these a score pad is made.
package struct ShownPadRow: Codable, Hashable, Sendable {
    /// The row's id.
    package var row: String
    /// What to call it.
    package var label: String
    /// Its kind, as sheets have it: `number`, `rounds`, `tokens`, `flag`, `choice`, `order`,
    /// `text` or, of a match, `moves`.
    package var kind: String
    /// What it takes, in words: `a whole number from 0 to 20`.
    package var takes: String
    /// What to enter, in a sentence; may be empty.
    package var help: String
    /// The least number; left out where there is none.
    package var from: Int64?
    /// The last round; left out where the row has none.
    package var last: Int?
    /// The words to choose from or to put in order; left out where any other text is taken.
    package var words: [String]?
    /// What the tokens are worth, or how many points one entry of a match can bring where those can
    /// be several; left out of all else.
    package var tokens: [Int64]?
    /// The rounds of which it is a field; left out of a row of its own.
    package var group: String?
    /// Whether a round counts without this field; left out where it does not.
    package var optional: Bool?

    package init(
        row: String,
        label: String,
        kind: String,
        takes: String,
        help: String = "",
        from: Int64? = nil,
        last: Int? = nil,
        words: [String]? = nil,
        tokens: [Int64]? = nil,
        group: String? = nil,
        optional: Bool? = nil
    ) {
        (self.optional, self.group, self.row, self.label) = (optional, group, row, label)
        (self.kind, self.takes, self.help, self.from) = (kind, takes, help, from)
        (self.last, self.words, self.tokens) = (last, words, tokens)
    }
}

extension ShowContext {
    /// The rows as they are shown: the fields of a round stand together, and behind them what it is
    /// worth.
    package var lines: [ShownRow] {
        guard rows.contains(where: { $0.group != nil }) else { return rows }
        var lines: [ShownRow] = []
        var rest = rows[...]
        while let first = rest.first {
            guard let group = first.group else {
                lines.append(first)
                rest = rest.dropFirst()
                continue
            }
            let fields = rest.prefix { $0.group == group || $0.row == group }
            let order = fields.enumerated().sorted { left, right in
                (left.element.round ?? 0, left.offset) < (right.element.round ?? 0, right.offset)
            }
            lines += order.map(\.element)
            rest = rest.dropFirst(fields.count)
        }
        return lines
    }
}
