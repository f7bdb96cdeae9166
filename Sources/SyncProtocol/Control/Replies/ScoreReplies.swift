package import SessionCRDT

// Replies about scores and moves. `schema` is the version of the JSON documents.
//
// Fields of the same name mean the same everywhere: `row` is a row's id; `round` counts from 1 and
// is null if the row has no rounds; `label` is the name of the cell for people, absent if it is
// just the row's name and the round; `text` is the value as shown to people, absent if it equals
// the value; `by` is the name of the device that wrote it; `player` is a name; `replaced` are the
// previous values, the latest first; `notes` are sentences for the user.

/// A write that is on disk.
package struct WrittenReply: Document {
    package var schema = 1
    /// The player's name; empty if the scores belong to the whole table, such as a deal.
    package var player: String
    /// The written cells, in the order in which they were typed.
    package var cells: [WrittenCell]
    /// The player's total now; null if the game has none.
    @ExplicitNull package var total: Points?
    package var notes: [String]

    package init(player: String, cells: [WrittenCell], total: Points? = nil, notes: [String] = []) {
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
    /// The value as a number, such as the result of a typed sum; null if it is not a number.
    @ExplicitNull package var count: Points?
    package var replaced: [Scalar] = []
    package var replacedTexts: [String]?

    package init(row: String, label: String, round: Int? = nil, value: Scalar) {
        (self.row, self.label, self.round, self.value) = (row, label, round, value)
    }
}

/// The content of a cell that is not as the caller of a write expected, and what it typed.
package struct WriteConflict: Document {
    package var player: String
    package var row: String
    @ExplicitNull package var round: Int?
    /// The row's name, with the round if it has one.
    package var label: String
    /// The value that the cell shows now; null if it is empty.
    package var value: Scalar
    package var text: String?
    /// The writer of the value or of the clearing, and the time; absent if nothing was written.
    package var by: String?
    package var at: Timestamp?
    /// The revision to expect if the call is repeated; null if the cell is empty.
    @ExplicitNull package var revision: String?
    /// The value that was not written; absent for a clearing, and if the turn allows no such move.
    package var typed: Scalar?
    package var typedText: String?
    /// The words with which `score` writes what was typed into this cell; absent if that is not
    /// allowed or would change nothing.
    package var words: [String]?
    /// The number of the next turn now; absent if no turn was expected, and after the end.
    package var turn: Int?

    package init(player: String, row: String, round: Int? = nil, label: String, value: Scalar) {
        (self.player, self.row, self.round, self.label) = (player, row, round, label)
        self.value = value
    }
}

/// A cell with several concurrent values.
package struct ConflictSummary: Document {
    package var player: String
    package var row: String
    @ExplicitNull package var round: Int?
    package var label: String?
    /// The values, the one that is shown first.
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
    /// The text with which `resolve` chooses the value; absent if that is the value itself.
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
    /// True if a phone entered or undid the value, otherwise absent.
    package var phone: Bool?
    /// Whether this is the value that the cell shows.
    package var winner = false

    package init(player: String, row: String, value: Scalar, by: String, at: Timestamp) {
        (self.player, self.row, self.value, self.by, self.at) = (player, row, value, by, at)
    }
}

/// A move that is on disk, and the state of the game after it.
package struct PlayReply: Document {
    package var schema = 1
    /// The name of the player who moved; null for a move of the whole table, such as a deal.
    @ExplicitNull package var player: String?
    package var move: String
    /// The cells that the move wrote, each with its player.
    package var cells: [WrittenCell]
    /// The cells that computer players wrote in reply before the time limit, each with its player.
    ///
    /// The fields below have the state after these replies.
    package var answers: [WrittenCell] = []
    package var notes: [String] = []
    /// The name of the player to move; null in games without turns and after the end.
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
    package var total: Points
    /// The rank from 1; null if not ranked.
    @ExplicitNull package var rank: Int?

    package init(player: String, total: Points, rank: Int? = nil) {
        (self.player, self.total, self.rank) = (player, total, rank)
    }
}

package struct ResetReply: ConfirmationReply {
    package var schema = 1
    package var question: Question?
    /// The number of cells that were changed or, with a question, would be.
    package var cells: Int

    package init(question: Question? = nil, cells: Int) {
        (self.question, self.cells) = (question, cells)
    }
}

/// The reply to a submission of a player's phone.
package struct PhoneReply<Reply: Document>: Document {
    package var schema = 1
    /// Whether the submission was already stored, so that nothing was written.
    package var known: Bool
    /// The reply of the call; null if the submission was known.
    @ExplicitNull package var reply: Reply?

    /// Creates the reply to a submission that was carried out now; nil for a known submission.
    package init(_ reply: Reply?) { (known, self.reply) = (reply == nil, reply) }
}

/// Identifies one submission of a phone in all attempts to send it, so that it is entered only
/// once.
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
