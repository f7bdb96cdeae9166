/// Something that a game shows in addition to its rows, or instead of them.
package enum Panel: Hashable, Sendable {
    case board(Board)
    case table(Grid)
    case text(title: String, lines: [String])

    package struct Board: Hashable, Sendable {
        /// The rows of squares from the top, a character each: `.` for an empty square, else a
        /// piece.
        package let squares: [String]
        /// The pieces of the players in seat order: `x` is Ann.
        package let pieces: [Piece]
        /// The legal moves of the player to move, in the form that `play` parses.
        package let legal: [String]
        package let last: String?

        package init(squares: [String], pieces: [Piece], legal: [String], last: String?) {
            (self.squares, self.pieces, self.legal, self.last) = (squares, pieces, legal, last)
        }
    }

    package struct Piece: Hashable, Sendable {
        package let mark: Character
        /// The name of the color: `black`.
        package let name: String
        package let player: String

        package init(mark: Character, name: String, player: String) {
            (self.mark, self.name, self.player) = (mark, name, player)
        }
    }

    package struct Grid: Hashable, Sendable {
        /// The title; may be empty.
        package let title: String
        /// The headings: none, or one for each cell of a row.
        package let columns: [String]
        package let rows: [GridRow]
        /// Whether it should be readable from afar, like the score of a match.
        package var isLarge = false

        package init(title: String, columns: [String], rows: [GridRow]) {
            (self.title, self.columns, self.rows) = (title, columns, rows)
        }
    }

    package struct GridRow: Hashable, Sendable {
        package let label: String
        package let cells: [String]

        package init(_ label: String, _ cells: [String]) {
            (self.label, self.cells) = (label, cells)
        }
    }

    /// Returns a table with a title, without headings if no columns are given.
    static func table(_ title: String, columns: [String] = [], _ rows: [GridRow]) -> Panel {
        .table(Grid(title: title, columns: columns, rows: rows))
    }
}
