/// What a game that is played move by move shows instead of rows.
///
/// In JSON an object whose `kind` is `board`, `table` or `text`, with the fields of that beside it.
package enum ShownPanel: Codable, Hashable, Sendable {
    /// A board with pieces.
    case board(ShownBoard)
    /// Lines with a label and cells.
    case table(ShownTable)
    /// Lines of text under a title.
    case text(ShownText)

    private enum CodingKeys: String, CodingKey {
        case kind
    }

    private enum Kind: String, Codable {
        case board
        case table
        case text
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Kind.self, forKey: .kind) {
        case .board: self = .board(try ShownBoard(from: decoder))
        case .table: self = .table(try ShownTable(from: decoder))
        case .text: self = .text(try ShownText(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .board(let board):
            try container.encode(Kind.board, forKey: .kind)
            try board.encode(to: encoder)
        case .table(let table):
            try container.encode(Kind.table, forKey: .kind)
            try table.encode(to: encoder)
        case .text(let text):
            try container.encode(Kind.text, forKey: .kind)
            try text.encode(to: encoder)
        }
    }
}

/// A board of squares.
package struct ShownBoard: Codable, Hashable, Sendable {
    /// The squares from the top row, a character each: `.` for an empty one, else a piece.
    package var squares: [String]
    /// What the pieces are, in the order of the seats.
    package var pieces: [ShownPiece]
    /// Where the player to move can move, as `play` takes it.
    package var legal: [String]
    /// The last move; null before the first.
    @ExplicitNull package var last: String?

    package init(squares: [String], pieces: [ShownPiece], legal: [String], last: String? = nil) {
        (self.squares, self.pieces, self.legal, self.last) = (squares, pieces, legal, last)
    }
}

/// A kind of piece.
package struct ShownPiece: Codable, Hashable, Sendable {
    /// The character of its squares.
    package var mark: String
    /// What it is called: `black`.
    package var name: String
    /// Who plays it, by name.
    package var player: String

    package init(mark: String, name: String, player: String) {
        (self.mark, self.name, self.player) = (mark, name, player)
    }
}

/// A table of texts.
package struct ShownTable: Codable, Hashable, Sendable {
    /// What stands above it; may be empty.
    package var title: String
    /// What stands above the cells; none or as many as cells.
    package var columns: [String]
    /// The lines.
    package var rows: [ShownTableRow]

    package init(title: String, columns: [String], rows: [ShownTableRow]) {
        (self.title, self.columns, self.rows) = (title, columns, rows)
    }
}

/// A line of a table.
package struct ShownTableRow: Codable, Hashable, Sendable {
    /// What stands before it.
    package var label: String
    /// Its cells.
    package var cells: [String]

    package init(label: String, cells: [String]) { (self.label, self.cells) = (label, cells) }
}

/// Lines of text.
package struct ShownText: Codable, Hashable, Sendable {
    /// What stands above them; may be empty.
    package var title: String
    /// The lines.
    package var lines: [String]

    package init(title: String, lines: [String]) { (self.title, self.lines) = (title, lines) }
}
