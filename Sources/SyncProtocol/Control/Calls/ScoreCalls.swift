/// What was written and is on disk.
package struct WrittenReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// Whose scores, by name; empty where they are of the whole table, as a deal is.
    package var player: String
    /// The cells, in the order typed.
    package var cells: [WrittenCell]
    /// The player's total now; null where the game has none.
    @ExplicitNull package var total: Int64?
    /// What the user should know, in sentences.
    package var notes: [String]

    package init(player: String, cells: [WrittenCell], total: Int64? = nil, notes: [String] = []) {
        self.player = player
        self.cells = cells
        self.total = total
        self.notes = notes
    }
}

/// One cell that was written.
package struct WrittenCell: Codable, Hashable, Sendable {
    /// Whose cell, by name; left out where the answer says it.
    package var player: String?
    /// The row's id.
    package var row: String
    /// What to call it: the row's name, with the round where it has one.
    package var label: String
    /// The round, from 1; null where the row has none.
    @ExplicitNull package var round: Int?
    /// What it says now.
    package var value: Scalar
    /// What people read in place of the value; left out where they read the value.
    package var text: String?
    /// The number that it says, of a sum what it comes to; null where it says none.
    @ExplicitNull package var count: Int64?
    /// What it said before, the latest first.
    package var replaced: [Scalar]
    /// What people read in place of each of these; left out where they read the values.
    package var replacedTexts: [String]?

    package init(
        player: String? = nil,
        row: String,
        label: String,
        round: Int? = nil,
        value: Scalar,
        text: String? = nil,
        count: Int64? = nil,
        replaced: [Scalar],
        replacedTexts: [String]? = nil
    ) {
        self.player = player
        self.row = row
        self.label = label
        self.round = round
        self.value = value
        self.text = text
        self.count = count
        self.replaced = replaced
        self.replacedTexts = replacedTexts
    }
}

/// The cells that say different things.
package struct ConflictsReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The cells, in sheet order.
    package var conflicts: [ConflictSummary]

    package init(conflicts: [ConflictSummary]) {
        self.conflicts = conflicts
    }
}

/// A cell that says different things.
package struct ConflictSummary: Codable, Hashable, Sendable {
    /// Whose cell, by name.
    package var player: String
    /// The row's id.
    package var row: String
    /// The round, from 1; null where the row has none.
    @ExplicitNull package var round: Int?
    /// What people call the cell; left out where that is its row and its round.
    package var label: String?
    /// What it says, the shown value first.
    package var values: [AttributedValue]

    package init(
        player: String,
        row: String,
        round: Int? = nil,
        label: String? = nil,
        values: [AttributedValue]
    ) {
        self.player = player
        self.row = row
        self.round = round
        self.label = label
        self.values = values
    }
}

/// A value, who wrote it and when.
package struct AttributedValue: Codable, Hashable, Sendable {
    /// The value.
    package var value: Scalar
    /// The device that wrote it, by name.
    package var by: String
    /// When it was written.
    package var at: Timestamp
    /// What people read in its place; left out where they read the value.
    package var text: String?
    /// What `resolve` takes for it; left out where that is the value.
    package var typed: String?

    package init(
        value: Scalar,
        by: String,
        at: Timestamp,
        text: String? = nil,
        typed: String? = nil
    ) {
        self.value = value
        self.by = by
        self.at = at
        self.text = text
        self.typed = typed
    }
}

/// What this device wrote and saw.
package struct HistoryReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The lines, the latest first.
    package var entries: [HistoryEntry]

    package init(entries: [HistoryEntry]) {
        self.entries = entries
    }
}

/// One line of the journal.
package struct HistoryEntry: Codable, Hashable, Sendable {
    /// Whose cell, by name.
    package var player: String
    /// The row's id.
    package var row: String
    /// The round, from 1; null where the row has none.
    @ExplicitNull package var round: Int?
    /// What people call the cell; left out where that is its row and its round.
    package var label: String?
    /// What was written.
    package var value: Scalar
    /// What people read in place of the value; left out where they read the value.
    package var text: String?
    /// The device that wrote it, by name.
    package var by: String
    /// When it was written.
    package var at: Timestamp
    /// What it replaced here, the latest first.
    package var replaced: [Scalar]
    /// What people read in place of each of these; left out where they read the values.
    package var replacedTexts: [String]?
    /// True where a phone entered it, or took it back; left out otherwise.
    package var phone: Bool?
    /// Whether it is what the cell shows now.
    package var winner: Bool

    package init(
        player: String,
        row: String,
        round: Int? = nil,
        label: String? = nil,
        value: Scalar,
        text: String? = nil,
        by: String,
        at: Timestamp,
        replaced: [Scalar],
        replacedTexts: [String]? = nil,
        phone: Bool? = nil,
        winner: Bool
    ) {
        self.player = player
        self.row = row
        self.round = round
        self.label = label
        self.value = value
        self.text = text
        self.by = by
        self.at = at
        self.replaced = replaced
        self.replacedTexts = replacedTexts
        self.phone = phone
        self.winner = winner
    }
}

/// A move that is on disk, and how the game stands after it.
package struct PlayReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// Whose move it was, by name; null for one of the whole table, as a deal is.
    @ExplicitNull package var player: String?
    /// The move as it was typed.
    package var move: String
    /// What was written, each cell with its player.
    package var cells: [WrittenCell]
    /// What computers answered with in time, each cell with its player; how the game stands is told
    /// as it is after that.
    package var answers: [WrittenCell]
    /// What the player is told beside that, in sentences.
    package var notes: [String]
    /// Who is to move now, by name; null in games without turns and at the end.
    @ExplicitNull package var turn: String?
    /// Whether the game is over.
    package var finished: Bool
    /// The names of the winners, in seat order.
    package var winners: [String]
    /// What the totals count: `Total`, or `Discs`.
    package var totalLabel: String
    /// The totals now, in seat order.
    package var totals: [PlayerTotal]
    /// The board now; left out in games without one.
    package var board: ShownBoard?

    package init(
        player: String?,
        move: String,
        cells: [WrittenCell],
        answers: [WrittenCell] = [],
        notes: [String] = [],
        turn: String? = nil,
        finished: Bool,
        winners: [String] = [],
        totalLabel: String = "Total",
        totals: [PlayerTotal],
        board: ShownBoard? = nil
    ) {
        self.player = player
        self.move = move
        self.cells = cells
        self.answers = answers
        self.notes = notes
        self.turn = turn
        self.finished = finished
        self.winners = winners
        self.totalLabel = totalLabel
        self.totals = totals
        self.board = board
    }
}

/// What somebody has now.
package struct PlayerTotal: Codable, Hashable, Sendable {
    /// Who, by name.
    package var player: String
    /// The total, by the rules of the game.
    package var total: Int64
    /// The rank, from 1; null for who is not ranked.
    @ExplicitNull package var rank: Int?

    package init(player: String, total: Int64, rank: Int? = nil) {
        self.player = player
        self.total = total
        self.rank = rank
    }
}

/// What a reset takes back, or has taken back.
package struct ResetReply: Asking, Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    package var question: Question?
    /// How many cells it changes.
    package var cells: Int

    package init(question: Question? = nil, cells: Int) {
        self.question = question
        self.cells = cells
    }
}
