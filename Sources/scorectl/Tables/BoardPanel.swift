import SyncProtocol

/// A board with its coordinates on all sides.
///
/// The last move stands in brackets, the moves that are allowed are dots. Shapes tell the pieces
/// apart; colours, where there are any, only add to that.
struct BoardPanel {
    private let board: ShownBoard
    private let page: PageForm
    private let squares: [[Character]]
    private let size: Int

    /// The picture of a board.
    init(_ board: ShownBoard, _ page: PageForm) {
        self.board = board
        self.page = page
        squares = board.squares.map { Array($0) }
        size = squares.map(\.count).max() ?? 0
    }

    /// The lines from the letters above the board to those below.
    var lines: [Line] {
        let letters = Line(pad("") + "   " + (0..<size).map(Self.letter).joined(separator: " "))
        let (left, right, bar) = page.isUnicode ? ("┌", "┐", "─") : ("+", "+", "-")
        let (below, end) = page.isUnicode ? ("└", "┘") : ("+", "+")
        let edge = String(repeating: bar, count: size * 2 + 1)
        let rows = squares.indices.map(row)
        return [letters, Line(pad("") + " " + left + edge + right, .faint)] + rows
            + [Line(pad("") + " " + below + edge + end, .faint), letters]
    }

    /// The piece as the board shows it: a full circle for the first player's, an empty one for the
    /// second's.
    static func glyph(_ mark: Character, _ pieces: [ShownPiece], _ page: PageForm) -> String {
        let circles = ["●", "○"]
        let place = pieces.firstIndex { $0.mark == String(mark) }
        guard let place, page.isUnicode, place < circles.count else { return String(mark) }
        return circles[place]
    }

    private func row(_ index: Int) -> Line {
        let wall = Line(page.isUnicode ? "│" : "|", .faint)
        var line = Line(pad("\(index + 1)") + " ") + wall
        for column in 0..<size {
            let isAfterLast = column > 0 && isLast(column - 1, index)
            let space = isLast(column, index) ? "[" : isAfterLast ? "]" : " "
            line += Line(space, .felt) + square(column, index)
        }
        line += Line(size > 0 && isLast(size - 1, index) ? "]" : " ", .felt) + wall
        return line + Line(" \(index + 1)")
    }

    private func square(_ column: Int, _ row: Int) -> Line {
        let mark = column < squares[row].count ? squares[row][column] : "."
        guard mark == "." else {
            let place = board.pieces.firstIndex { $0.mark == String(mark) }
            let style: Style = place == 0 ? .firstPiece : place == 1 ? .secondPiece : .felt
            return Line(Self.glyph(mark, board.pieces, page), style)
        }
        let isLegal = board.legal.contains(Self.name(column, row))
        return Line(isLegal ? page.isUnicode ? "·" : "." : " ", .felt)
    }

    private func isLast(_ column: Int, _ row: Int) -> Bool {
        board.last == Self.name(column, row)
    }

    private func pad(_ number: String) -> String {
        String(repeating: " ", count: max(0, 3 - number.utf8.count)) + number
    }

    private static func name(_ column: Int, _ row: Int) -> String { letter(column) + "\(row + 1)" }

    private static func letter(_ column: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        return column < letters.count ? String(letters[column]) : " "
    }
}
