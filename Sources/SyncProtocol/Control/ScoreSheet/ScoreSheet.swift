// Fields of cells have the meaning that `ScoreReplies.swift` describes.

/// The score sheet, and what only this device knows about it.
///
/// The `document` is the same on every device with the same state; the `context` is not.
package struct ShowReply: Document {
    package var document: ShowDocument
    package var context: ShowContext

    package init(document: ShowDocument, context: ShowContext) {
        (self.document, self.context) = (document, context)
    }
}

// MARK: The document

/// The score sheet, as `show --json` prints it.
///
/// Players are in seat order, cells in sheet order and then by round, so two devices with the same
/// state print the same bytes.
package struct ShowDocument: Document {
    /// The version of the JSON documents.
    package var schema = 1
    package var session: ShownSession
    /// All players in seat order, removed ones too.
    package var players: [ShownPlayer]
    /// The teams from the best; empty if there are none.
    package var teams: [ShownTeam] = []
    package var finished = false
    /// The id of the player to move; null in games without turns.
    @ExplicitNull package var turn: String?
    /// The ids of the winners, in seat order.
    package var winners: [String] = []
    /// The entries that do not count.
    package var flags: [ShownFlag] = []
    /// The views that the game shows in place of rows; empty for sheets of rows.
    package var panels: [ShownPanel] = []
    /// The darts of the last visit, such as `T20`; absent in other games, and if only its total
    /// was entered.
    package var darts: [String]?

    package init(session: ShownSession, players: [ShownPlayer]) {
        (self.session, self.players) = (session, players)
    }
}

package struct ShownSession: Document {
    package var id: String
    package var title: String
    /// The id of its sheet.
    package var game: String
    /// The status, `open` or `finished`.
    package var status: String

    package init(id: String, title: String, game: String, status: String) {
        (self.id, self.title, self.game, self.status) = (id, title, game, status)
    }
}

package struct ShownPlayer: Document {
    package var id: String
    package var name: String
    /// The position in the order, from 1.
    package var seat: Int
    @ExplicitNull package var team: String?
    /// The total, by the rules of the game.
    package var total: Int64 = 0
    /// The rank from 1; null if not ranked.
    @ExplicitNull package var rank: Int?
    /// The reason for the order among equal totals, in words; null if there is none.
    @ExplicitNull package var tieBreak: String?
    package var winner = false
    package var removed = false
    /// The cells that were written, in sheet order.
    package var cells: [ShownCell] = []
    /// The points of rows that no player entered, in sheet order.
    package var computed: [ShownPoints] = []
    /// The number to show in place of the total; absent if that is the total.
    package var headline: ShownHeadline?
    /// Advice for this player's next move: `To finish: T20 T20 BULL`.
    package var advice: String?

    package init(id: String, name: String, seat: Int) {
        (self.id, self.name, self.seat) = (id, name, seat)
    }
}

/// The number to show next to a player, as in darts: `121`, `left`.
package struct ShownHeadline: Document {
    package var value: String
    package var label: String

    package init(value: String, label: String) { (self.value, self.label) = (value, label) }
}

/// The points of a row that no player entered: of a computed one, or of an empty one that counts.
package struct ShownPoints: Document {
    package var row: String
    /// The points, added to the total if the row scores.
    package var points: Int64

    package init(row: String, points: Int64) { (self.row, self.points) = (row, points) }
}

package struct ShownCell: Document {
    package var row: String
    @ExplicitNull package var round: Int?
    package var label: String?
    /// The value as it was entered; for a sum its text, such as `3+4`.
    package var value: Scalar
    package var text: String?
    /// The text that `resolve` accepts for the value; absent if it is the value itself.
    package var typed: String?
    /// The value as a number; null if it is not a number.
    @ExplicitNull package var count: Int64?
    /// The points; null if the value does not count.
    @ExplicitNull package var points: Int64?
    package var by: String
    package var at: Timestamp
    /// The other values, written without knowledge of the shown one.
    package var conflict: [AttributedValue] = []

    package init(row: String, round: Int? = nil, value: Scalar, by: String, at: Timestamp) {
        (self.row, self.round, self.value, self.by, self.at) = (row, round, value, by, at)
    }

    /// The shown value, in the same form as the values of a conflict.
    package var shown: AttributedValue {
        AttributedValue(value: value, by: by, at: at).with { ($0.text, $0.typed) = (text, typed) }
    }
}

/// An entry that does not count, and why.
package struct ShownFlag: Document {
    /// The player's id.
    package var player: String
    package var row: String
    @ExplicitNull package var round: Int?
    package var label: String?
    package var reason: String

    package init(player: String, row: String, round: Int? = nil, reason: String) {
        (self.player, self.row, self.round, self.reason) = (player, row, round, reason)
    }
}

package struct ShownTeam: Document {
    package var name: String
    package var total: Int64
    /// The rank from 1.
    package var rank: Int
    package var winner: Bool
    /// The ids of the members who take part, in seat order.
    package var players: [String]

    package init(name: String, total: Int64, rank: Int, winner: Bool, players: [String]) {
        (self.name, self.total, self.rank) = (name, total, rank)
        (self.winner, self.players) = (winner, players)
    }
}

// MARK: The context

/// Facts in addition to a score sheet that are needed to draw it, or that differ between devices.
package struct ShowContext: Document {
    package var gameName: String
    /// The rules, as sheets name them: `rows`, or a coded game such as `darts`.
    package var engine = "rows"
    /// The rows that can be entered; empty if the game is played move by move.
    package var pad: [ShownPadRow] = []
    /// The input of moves; absent if scores are entered in rows.
    package var moves: ShownMoves?
    /// The rows of the table in order, rounds spread out; empty if the game shows panels.
    package var rows: [ShownRow] = []
    /// The ids of rows, by which cells and table rows are sorted; unlisted rows follow by id.
    package var order: [String] = []
    /// The unit of the totals: `Total`, `Discs`.
    package var totalLabel = "Total"
    /// Whether the lowest total leads.
    package var lowestWins = false
    /// The id of the player of this device.
    @ExplicitNull package var me: String?
    /// The ids of the players who lead now.
    package var leaders: [String] = []
    package var peers: [PeerSummary] = []
    /// Whether the user paused links and announcements.
    package var offline = false
    /// The number of writes of this device that no linked peer is known to have.
    package var unsynced = 0
    /// Sentences for the user.
    package var notes: [String] = []
    /// The next game of these people, which clients follow; see ``SessionFollower``.
    @ExplicitNull package var next: NamedSession?
    /// The current session of this device, if it is neither this one nor the next.
    @ExplicitNull package var inUse: NamedSession?

    package init(gameName: String) { self.gameName = gameName }
}

package struct ShownRow: Document {
    package var row: String
    @ExplicitNull package var round: Int?
    package var label: String
    /// Whether it adds to the total.
    package var scores = true
    /// Whether it is computed from other rows.
    package var computed = false
    /// The id of the row of rounds that this row is a field of; absent if it is not a field.
    package var group: String?

    package init(row: String, round: Int? = nil, label: String) {
        (self.row, self.round, self.label) = (row, round, label)
    }
}

/// The input of a game that is played move by move, from which a phone builds its keys.
package struct ShownMoves: Document {
    package enum Input: String, Document {
        /// Up to three darts at `numbers`, or their total if `totals`.
        case darts
        /// The pins of each ball of a frame.
        case pins
        /// One of the squares that the board lists as legal.
        case squares
        case letters
        /// The side that won a point: one of `words`, entered by any player at any time.
        case sides
        /// A line of text, often one of `words`.
        case text
    }

    package var input: Input
    /// The title above the keys: `Your visit`.
    package var title: String
    /// A sentence about the input; may be empty.
    package var help = ""
    /// The numbers of the darts that have keys; absent for other inputs.
    package var numbers: [Int]?
    /// Whether darts can be entered as a total; absent for other inputs.
    package var totals: Bool?
    /// The words that have keys; absent if there are none.
    package var words: [String]?

    package init(_ input: Input, title: String) { (self.input, self.title) = (input, title) }
}

/// A row of the sheet that can be entered, from which a phone builds its keys.
package struct ShownPadRow: Document {
    package var row: String
    package var label: String
    /// The kind of row, as sheets name it: `number`, `rounds`, `tokens`, `flag`, `choice`,
    /// `order`, `text` or, of a match, `moves`.
    package var kind: String
    /// The accepted values, in words: `a whole number from 0 to 20`.
    package var takes: String
    /// A sentence about the entry; may be empty.
    package var help = ""
    /// The minimum; absent if there is none.
    package var from: Int64?
    /// The last round; absent if the row has no rounds.
    package var last: Int?
    /// The words to choose from or to put in order; absent if other text is accepted.
    package var words: [String]?
    /// The values of the tokens, or the possible points of one entry of a match; else absent.
    package var tokens: [Int64]?
    /// The id of the row of rounds that this row is a field of; absent if it is not a field.
    package var group: String?
    /// True if a round counts without this field; else absent.
    package var optional: Bool?

    package init(row: String, label: String, kind: String, takes: String) {
        (self.row, self.label, self.kind, self.takes) = (row, label, kind, takes)
    }
}

extension ShowContext {
    /// The rows as they are shown: the fields of a round together, followed by its points.
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
