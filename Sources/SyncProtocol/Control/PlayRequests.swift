/// Plays a move in a game that is played move by move: `[--player NAME] MOVE…`, in one commit.
package struct PlayRequest: ControlRequest, Hashable {
    package typealias Reply = PlayReply
    package static let method = "play"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// What was typed after `play`.
    package var words: [String]
    /// Whose move it is; nil for this device's player, and where there is none for whoever is to
    /// move.
    package var player: String?
    /// What was said beside it, by the names of the options: `darts` is `2`.
    package var details: [String: String]

    package init(
        session: String? = nil,
        words: [String],
        player: String? = nil,
        details: [String: String] = [:]
    ) {
        self.session = session
        self.words = words
        self.player = player
        self.details = details
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

/// Takes back what the rules of the game call a leg or a game.
package struct ResetRequest: ConfirmableOfSession, Hashable {
    package typealias Reply = ResetReply
    package static let method = "reset"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    package var token: String?

    package init(session: String? = nil, token: String? = nil) {
        self.session = session
        self.token = token
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
