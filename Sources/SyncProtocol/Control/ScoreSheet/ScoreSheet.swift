// Fields of cells are described in `ScoreReplies.swift`.

package import SessionCRDT

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
/// Players are in seat order, cells in the order of the sheet and then of rounds, so that two
/// devices with the same state print the same bytes.
package struct ShowDocument: Document {
    /// The version of the JSON documents.
    package var schema = 1
    package var session: ShownSession
    /// All players in seat order, including removed ones.
    package var players: [ShownPlayer]
    /// The teams, the best first; empty if there are none.
    package var teams: [ShownTeam] = []
    package var finished = false
    /// The id of the player to move; null in games without turns.
    @ExplicitNull package var turn: String?
    /// The number of the next turn; absent in games without turns and after the end.
    package var turnNumber: Int?
    /// The ids of the winners, in seat order.
    package var winners: [String] = []
    /// The entries that do not count, each with a reason.
    package var flags: [ShownFlag] = []
    /// The views that the game shows in place of rows; empty for sheets of rows.
    package var panels: [ShownPanel] = []
    /// The darts of the last visit, such as `T20`; absent in games other than darts, and if only
    /// the total of the visit was entered.
    package var darts: [String]?

    package init(session: ShownSession, players: [ShownPlayer]) {
        (self.session, self.players) = (session, players)
    }
}

package struct ShownSession: Document {
    package var id: String
    package var title: String
    package var game: String
    /// The status, `open` or `finished`.
    package var status: String
    /// The word of the table on who has won, `winners`, `all-won`, `all-lost` or `no-winner`; absent
    /// if the rules decide.
    package var verdict: String?

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
    /// The total according to the rules of the game.
    package var total: Points = 0
    /// The rank from 1; null if not ranked.
    @ExplicitNull package var rank: Int?
    /// The reason for the order of players with equal totals, as a text; null if there is none.
    @ExplicitNull package var tieBreak: String?
    package var winner = false
    package var removed = false
    /// The first round of a player who joined late; absent for one who plays from the beginning.
    package var since: Int?
    /// The points with which the player started; absent for those of the game.
    package var start: Points?
    /// The cells that were written, in sheet order.
    package var cells: [ShownCell] = []
    /// The points of rows without an entry of a player, in the order of the sheet.
    package var computed: [ShownPoints] = []
    /// The number to show instead of the total; absent if the total is shown.
    package var headline: ShownHeadline?
    /// A hint for the player's next move: `To finish: T20 T20 BULL`.
    package var advice: String?

    package init(id: String, name: String, seat: Int) {
        (self.id, self.name, self.seat) = (id, name, seat)
    }
}

/// The number to show next to a player, with its unit, such as `121` and `left` in darts.
package struct ShownHeadline: Document {
    package var value: String
    package var label: String
    /// The points left from which those of typed darts are taken off; absent if they do not count
    /// yet, and in other games.
    package var left: Int?

    package init(value: String, label: String) { (self.value, self.label) = (value, label) }
}

/// The points of a row without an entry: a computed row, or an empty row that counts.
package struct ShownPoints: Document {
    package var row: String
    /// The points, added to the total if the row scores.
    package var points: Points

    package init(row: String, points: Points) { (self.row, self.points) = (row, points) }
}

package struct ShownCell: Document {
    package var row: String
    @ExplicitNull package var round: Int?
    package var label: String?
    /// The value as entered; for a sum the text of the sum, such as `3+4`.
    package var value: Scalar
    package var text: String?
    /// The text with which `resolve` chooses the value; absent if that is the value itself.
    package var typed: String?
    /// The value as a number; null if it is not a number.
    @ExplicitNull package var count: Points?
    /// The points; null if the value does not count.
    @ExplicitNull package var points: Points?
    package var by: String
    package var at: Timestamp
    /// Identifies the content of the cell: 16 hexadecimal digits that differ after every write.
    package var revision: String?
    /// The concurrent values that are not shown.
    package var conflict: [AttributedValue] = []

    package init(row: String, round: Int? = nil, value: Scalar, by: String, at: Timestamp) {
        (self.row, self.round, self.value, self.by, self.at) = (row, round, value, by, at)
    }

    /// The shown value in the form of the values of a conflict.
    package var shown: AttributedValue {
        AttributedValue(value: value, by: by, at: at).with { ($0.text, $0.typed) = (text, typed) }
    }
}

/// An entry that does not count, with the reason.
package struct ShownFlag: Document {
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
    package var total: Points
    package var rank: Int
    package var winner: Bool
    /// The ids of the team's players who take part, in seat order.
    package var players: [String]
    /// True if the team is one scorer, so that each player has its total; absent if their totals are
    /// added.
    package var together: Bool?

    package init(name: String, total: Points, rank: Int, winner: Bool, players: [String]) {
        (self.name, self.total, self.rank) = (name, total, rank)
        (self.winner, self.players) = (winner, players)
    }
}

// MARK: The context

/// The data for displaying a score sheet that it does not contain or that differs between devices.
package struct ShowContext: Document {
    package var gameName: String
    /// The rules by which the sheet is evaluated: `rows`, or a coded game such as `darts`.
    package var engine = "rows"
    /// The rows that can be entered; empty in games that are played by moves.
    package var pad: [ShownPadRow] = []
    /// The ids of rows in which anything but 0 puts a player out; absent if there are none.
    package var out: [String]?
    /// The input of moves; absent in games that are not played by moves.
    package var moves: ShownMoves?
    /// The rows of the table in order, one per round; empty if the game shows panels.
    package var rows: [ShownRow] = []
    /// The ids of rows in the order in which cells and table rows are sorted; rows that are not
    /// listed follow by id.
    package var order: [String] = []
    /// The unit of the totals: `Total`, `Discs`.
    package var totalLabel = "Total"
    package var lowestWins = false
    /// `together` if a team is one scorer, `none` if the game has no teams; absent if the totals of
    /// members are added.
    package var teams: String?
    @ExplicitNull package var me: String?
    package var leaders: [String] = []
    package var peers: [PeerSummary] = []
    /// Whether the user paused links and announcements.
    package var offline = false
    /// The number of this device's writes that no linked peer is known to have.
    package var unsynced = 0
    /// Sentences for the user.
    package var notes: [String] = []
    /// The laptops that wait to be admitted; absent if there are none.
    package var knocks: [KnockSummary]?
    /// The next game of the same people, which clients switch to; see ``SessionFollower``.
    @ExplicitNull package var next: NamedSession?
    /// The current session of this device, unless it is this session or `next`.
    @ExplicitNull package var inUse: NamedSession?

    package init(gameName: String) { self.gameName = gameName }
}

package struct ShownRow: Document {
    package var row: String
    @ExplicitNull package var round: Int?
    package var label: String
    package var scores = true
    /// Whether the row is computed from other rows.
    package var computed = false
    /// The id of the row with rounds of which this row is a field; absent if it is not a field.
    package var group: String?

    package init(row: String, round: Int? = nil, label: String) {
        (self.row, self.round, self.label) = (row, round, label)
    }
}

/// The input of a game that is played by moves, from which a phone builds its keypad.
package struct ShownMoves: Document {
    package enum Input: String, Document {
        /// Up to three darts at the `numbers`, or their total if `totals` is true.
        case darts
        /// The pins knocked down by each ball of a frame.
        case pins
        /// One of the squares that the board lists as legal moves.
        case squares
        case letters
        /// The side that won a point, one of `words`; any player may enter it at any time.
        case sides
        /// A line of text, typically one of `words`.
        case text
    }

    package var input: Input
    /// The title above the keys: `Your visit`.
    package var title: String
    /// A sentence about the input; may be empty.
    package var help = ""
    /// The numbers on the dartboard that get keys; absent for other inputs.
    package var numbers: [Int]?
    /// Further prefixes of a number, beside `S`, `D` and `T`: `DD`; absent if there are none.
    package var rings: [String]?
    /// Whether darts can also be entered as a total; absent for other inputs.
    package var totals: Bool?
    /// The words that get keys; absent if there are none.
    package var words: [String]?
    /// The darts that finish, by the points left: none if no visit finishes from there, and null
    /// for points that a visit cannot leave; absent for other inputs.
    package var routes: [[String]?]?

    package init(_ input: Input, title: String) { (self.input, self.title) = (input, title) }
}

/// A row of the sheet that can be entered, from which a phone builds its keypad.
package struct ShownPadRow: Document {
    package var row: String
    package var label: String
    /// The kind of row, as in the sheet: `number`, `rounds`, `tokens`, `flag`, `choice`, `order`,
    /// `text` or, in a match, `moves`.
    package var kind: String
    /// A description of the accepted values: `a whole number from 0 to 20`.
    package var takes: String
    /// A sentence about the entry; may be empty.
    package var help = ""
    /// The minimum; absent if there is none.
    package var from: Int64?
    /// The maximum; absent if there is none.
    package var to: Int64?
    /// True if numbers may have a half; otherwise absent.
    package var halves: Bool?
    /// The last round; absent if the row has no rounds.
    package var last: Int?
    /// The words to choose from or to order; absent if other text is accepted.
    package var words: [String]?
    /// The values of the tokens, or the possible points of an entry in a match; absent for other
    /// rows.
    package var tokens: [Int64]?
    /// The id of the row with rounds of which this row is a field; absent if it is not a field.
    package var group: String?
    /// True if one entry counts for the whole team of a player; otherwise absent.
    package var shared: Bool?
    /// True if a round counts even without this field; otherwise absent.
    package var optional: Bool?
    /// The ids of flags that cannot be yes in a round in which this flag is; absent if there are
    /// none.
    package var excludes: [String]?

    package init(row: String, label: String, kind: String, takes: String) {
        (self.row, self.label, self.kind, self.takes) = (row, label, kind, takes)
    }
}

extension ShowContext {
    /// The rows as shown: the fields of a round together, followed by the points of the round.
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
