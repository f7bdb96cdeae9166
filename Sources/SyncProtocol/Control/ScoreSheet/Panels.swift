/// A view that a game shows in place of rows.
///
/// Its JSON is the object of the board, table or text, with an additional field `kind`.
package enum ShownPanel: Document {
    case board(ShownBoard)
    case table(ShownTable)
    case text(ShownText)

    private enum CodingKeys: String, CodingKey { case kind }
    private enum Kind: String, Codable { case board, table, text }

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

package struct ShownBoard: Document {
    /// The squares row by row from the top, one character each: `.` for an empty one, else a piece.
    package var squares: [String]
    /// The pieces in the order of the seats.
    package var pieces: [ShownPiece]
    /// The legal moves of the player to move, in the form that `play` accepts.
    package var legal: [String]
    /// The last move; null before the first.
    @ExplicitNull package var last: String?

    package init(squares: [String], pieces: [ShownPiece], legal: [String], last: String? = nil) {
        (self.squares, self.pieces, self.legal, self.last) = (squares, pieces, legal, last)
    }
}

package struct ShownPiece: Document {
    /// The character for the piece in `squares`.
    package var mark: String
    /// The name of the piece, such as `black`.
    package var name: String
    /// The name of the player whose piece it is.
    package var player: String

    package init(mark: String, name: String, player: String) {
        (self.mark, self.name, self.player) = (mark, name, player)
    }
}

package struct ShownTable: Document {
    /// The title, which may be empty.
    package var title: String
    /// The headings of the columns, as many as cells; empty if there are none.
    package var columns: [String]
    package var rows: [ShownTableRow]
    /// True if the table is the score of the whole game, to be shown large; otherwise absent.
    package var large: Bool?

    package init(title: String, columns: [String], rows: [ShownTableRow], large: Bool? = nil) {
        (self.title, self.columns, self.rows, self.large) = (title, columns, rows, large)
    }
}

package struct ShownTableRow: Document {
    package var label: String
    package var cells: [String]

    package init(label: String, cells: [String]) { (self.label, self.cells) = (label, cells) }
}

package struct ShownText: Document {
    /// The title, which may be empty.
    package var title: String
    package var lines: [String]

    package init(title: String, lines: [String]) { (self.title, self.lines) = (title, lines) }
}
