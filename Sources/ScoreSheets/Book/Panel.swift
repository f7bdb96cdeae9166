/// Something that a game shows beside or instead of its rows.
package enum Panel: Hashable, Sendable {
    /// A board with pieces.
    case board(Board)
    /// Lines with a label and cells: the throws of a leg, the factions of each player.
    case table(Grid)
    /// Lines of text under a title.
    case text(title: String, lines: [String])

    /// A board of squares.
    package struct Board: Hashable, Sendable {
        /// The squares from the top row, a character each: `.` for an empty one, else a piece.
        package let squares: [String]
        /// What the pieces are, in the order of the seats: `x` is Ann.
        package let pieces: [Piece]
        /// Where the player to move can move, as `play` takes it.
        package let legal: [String]
        /// The last move.
        package let last: String?

        package init(squares: [String], pieces: [Piece], legal: [String], last: String?) {
            self.squares = squares
            self.pieces = pieces
            self.legal = legal
            self.last = last
        }
    }

    /// A kind of piece.
    package struct Piece: Hashable, Sendable {
        /// The character of its squares.
        package let mark: Character
        /// What it is called: `black`.
        package let name: String
        /// Who plays it.
        package let player: String

        package init(mark: Character, name: String, player: String) {
            self.mark = mark
            self.name = name
            self.player = player
        }
    }

    /// A table of texts.
    package struct Grid: Hashable, Sendable {
        /// What stands above it; may be empty.
        package let title: String
        /// What stands above the cells; none or as many as cells.
        package let columns: [String]
        /// The lines.
        package let rows: [GridRow]
        /// Whether it should be readable from afar, like the score of a match.
        package var isLarge = false

        package init(title: String, columns: [String], rows: [GridRow]) {
            self.title = title
            self.columns = columns
            self.rows = rows
        }
    }

    /// A line of a table.
    package struct GridRow: Hashable, Sendable {
        /// What stands before it.
        package let label: String
        /// Its cells.
        package let cells: [String]

        /// A line of these parts.
        package init(_ label: String, _ cells: [String]) {
            self.label = label
            self.cells = cells
        }
    }
}

extension Panel {
    /// A table under a title; without headings if no columns are given.
    static func table(_ title: String, columns: [String] = [], _ rows: [GridRow]) -> Panel {
        .table(Grid(title: title, columns: columns, rows: rows))
    }
}
