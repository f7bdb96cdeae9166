import SyncProtocol

/// A line of output: pieces of text with their styles.
///
/// It is the only way to a terminal. Escape sequences are added here and nowhere else, after every
/// piece was made printable.
struct Line: Hashable, Sendable {
    /// A piece of text in one style.
    struct Piece: Hashable, Sendable {
        var text: String
        var style: Style
    }

    private(set) var pieces: [Piece]

    /// A line of one piece.
    init(_ text: String = "", _ style: Style = .plain) {
        let shown = PrintableText.visible(text)
        pieces = shown.isEmpty ? [] : [Piece(text: shown, style: style)]
    }

    /// Lines one after the other, with a text between each two.
    init(_ lines: [Line], separator: String) {
        self.init()
        for (place, line) in lines.enumerated() {
            pieces += (place > 0 ? Line(separator).pieces : []) + line.pieces
        }
    }

    /// The columns that it takes.
    var width: Int { pieces.reduce(0) { $0 + TextWidth.of($1.text) } }

    /// The text without styles.
    var text: String { pieces.map(\.text).joined() }

    /// The line for a terminal, or for a file, which gets no escape sequences; isolated, words that
    /// are written from right to left leave everything else in its place.
    func rendered(inColor: Bool, isolated: Bool = false) -> String {
        pieces.map { piece in
            let text = isolated ? Bidirectional.isolated(piece.text) : piece.text
            guard inColor, let code = piece.style.code else { return text }
            return "\u{1B}[\(code)m\(text)\u{1B}[0m"
        }.joined()
    }

    /// The line with spaces before or after it, to so many columns.
    func padded(to columns: Int, _ alignment: Alignment) -> Line {
        let space = Line(String(repeating: " ", count: max(0, columns - width)))
        return alignment == .left ? self + space : space + self
    }

    /// As much of the line as fits into so many columns, from a column on.
    func cropped(from start: Int = 0, to columns: Int) -> Line {
        guard start > 0 || width > columns else { return self }
        var result = Line()
        var (place, left) = (0, columns)
        for piece in pieces {
            var text = ""
            for character in piece.text {
                let width = TextWidth.of(String(character))
                defer { place += width }
                guard place >= start else { continue }
                guard left >= width else { return result + Line(text, piece.style) }
                left -= width
                text.append(character)
            }
            result += Line(text, piece.style)
        }
        return result
    }

    static func + (left: Line, right: Line) -> Line {
        var line = left
        line.pieces += right.pieces
        return line
    }

    static func += (left: inout Line, right: Line) { left.pieces += right.pieces }
}

/// The side on which the cells of a column stand.
enum Alignment: Hashable, Sendable {
    /// Words.
    case left
    /// Numbers.
    case right
}
