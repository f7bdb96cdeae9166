internal import SessionCRDT

// Replies about scores and moves. `schema` is the version of the JSON documents.
//
// Fields of the same name mean the same everywhere: `row` is a row's id; `round` counts from 1 and
// is null if the row has no rounds; `label` is the cell as people call it, absent if that is its
// row and its round; `text` is the value as people read it, absent if it is read as it is; `by` is
// the name of the device that wrote it; `player` is a name; `replaced` are the values before, the
// latest first; `notes` are sentences for the user.

/// A write that is on disk.
package struct WrittenReply: Document {
    package var schema = 1
    /// The player's name; empty if the scores are of the whole table, as a deal is.
    package var player: String
    /// The cells, in the order typed.
    package var cells: [WrittenCell]
    /// The player's total now; null if the game has none.
    @ExplicitNull package var total: Int64?
    package var notes: [String]

    package init(player: String, cells: [WrittenCell], total: Int64? = nil, notes: [String] = []) {
        (self.player, self.cells, self.total, self.notes) = (player, cells, total, notes)
    }
}

package struct WrittenCell: Document {
    /// The player's name; absent if the reply itself names the player.
    package var player: String?
    package var row: String
    /// The row's name, with the round if it has one.
    package var label: String
    @ExplicitNull package var round: Int?
    package var value: Scalar
    package var text: String?
    /// The value as a number, which for a sum is its result; null if it is not a number.
    @ExplicitNull package var count: Int64?
    package var replaced: [Scalar] = []
    package var replacedTexts: [String]?

    package init(row: String, label: String, round: Int? = nil, value: Scalar) {
        (self.row, self.label, self.round, self.value) = (row, label, round, value)
    }
}

/// A cell with more than one value.
package struct ConflictSummary: Document {
    package var player: String
    package var row: String
    @ExplicitNull package var round: Int?
    package var label: String?
    /// The shown value first.
    package var values: [AttributedValue]

    package init(player: String, row: String, round: Int? = nil, values: [AttributedValue]) {
        (self.player, self.row, self.round, self.values) = (player, row, round, values)
    }
}

package struct AttributedValue: Document {
    package var value: Scalar
    package var by: String
    package var at: Timestamp
    package var text: String?
    /// The text that `resolve` accepts for the value; absent if it is the value itself.
    package var typed: String?

    package init(value: Scalar, by: String, at: Timestamp) {
        (self.value, self.by, self.at) = (value, by, at)
    }
}

/// One line of the journal.
package struct HistoryEntry: Document {
    package var player: String
    package var row: String
    @ExplicitNull package var round: Int?
    package var label: String?
    package var value: Scalar
    package var text: String?
    package var by: String
    package var at: Timestamp
    package var replaced: [Scalar] = []
    package var replacedTexts: [String]?
    /// True if a phone entered or undid it, else absent.
    package var phone: Bool?
    /// Whether the cell shows it now.
    package var winner = false

    package init(player: String, row: String, value: Scalar, by: String, at: Timestamp) {
        (self.player, self.row, self.value, self.by, self.at) = (player, row, value, by, at)
    }
}

/// A move that is on disk, and the state of the game after it.
package struct PlayReply: Document {
    package var schema = 1
    /// The name of the player who moved; null for a move of the whole table, as a deal is.
    @ExplicitNull package var player: String?
    /// The move as typed.
    package var move: String
    /// The cells that it wrote, each with its player.
    package var cells: [WrittenCell]
    /// The cells with which computer players answered in time, each with its player.
    ///
    /// The fields below have the state after them.
    package var answers: [WrittenCell] = []
    package var notes: [String] = []
    /// The name of the player to move; null in games without turns and at the end.
    @ExplicitNull package var turn: String?
    package var finished = false
    /// The names of the winners, in seat order.
    package var winners: [String] = []
    /// The unit of the totals: `Total`, `Discs`.
    package var totalLabel = "Total"
    /// The totals, in seat order.
    package var totals: [PlayerTotal]
    /// The board; absent in games without one.
    package var board: ShownBoard?

    package init(player: String?, move: String, cells: [WrittenCell], totals: [PlayerTotal]) {
        (self.player, self.move, self.cells, self.totals) = (player, move, cells, totals)
    }
}

package struct PlayerTotal: Document {
    package var player: String
    package var total: Int64
    /// The rank from 1; null if not ranked.
    @ExplicitNull package var rank: Int?

    package init(player: String, total: Int64, rank: Int? = nil) {
        (self.player, self.total, self.rank) = (player, total, rank)
    }
}

package struct ResetReply: ConfirmationReply {
    package var schema = 1
    package var question: Question?
    /// The number of cells that it changes, or has changed.
    package var cells: Int

    package init(question: Question? = nil, cells: Int) {
        (self.question, self.cells) = (question, cells)
    }
}

// MARK: Submissions of phones

/// The reply to a submission of a player's phone.
package struct PhoneReply<Reply: Document>: Document {
    package var schema = 1
    /// Whether the submission was already stored, so that nothing was written.
    package var known: Bool
    /// The reply; null if the submission was known.
    @ExplicitNull package var reply: Reply?

    /// Creates the reply to a submission that was written now, or nil to one that was known.
    package init(_ reply: Reply?) { (known, self.reply) = (reply == nil, reply) }
}

/// Identifies one submission of a phone in all attempts to send it, so that it is entered once.
package struct SubmissionID: TextDocument {
    /// 16 random lower-case hexadecimal digits.
    package let text: String
    package var description: String { text }

    static let expectation = "a submission id has 16 lower-case hexadecimal digits"

    package init?(_ text: String) {
        guard text.utf8.count == 16, Hexadecimal.bytes(of: text) != nil else { return nil }
        self.text = text
    }
}
