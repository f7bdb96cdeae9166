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

/// How a piece of text stands out; every style says something that the text says too, because not
/// every terminal shows it.
enum Style: Hashable, Sendable {
    /// Like everything else.
    case plain
    /// What the eye should find first.
    case strong
    /// What may be overlooked.
    case faint
    /// All is well.
    case good
    /// Somebody should look at it.
    case warning
    /// Something failed.
    case bad
    /// A board, and what is on it beside pieces.
    case felt
    /// A piece of the first player.
    case firstPiece
    /// A piece of the second player.
    case secondPiece
    /// One of the lines of a chart, by its number from 0.
    case series(Int)

    /// The parameter of the escape sequence (ECMA-48, SGR) that switches it on.
    var code: String? {
        switch self {
        case .plain: nil
        case .strong: "1"
        case .faint: "2"
        case .good: "32"
        case .warning: "33"
        case .bad: "31"
        case .felt, .firstPiece: "30;42"
        case .secondPiece: "97;42"
        case .series(let number): Self.series[number % Self.series.count]
        }
    }

    /// The colours of lines, one after the other and from the first again.
    private static let series = ["36", "33", "35", "32", "34", "31", "96", "95"]
}

/// How many columns of a terminal text takes.
///
/// Counted by character, as people see them: an emoji of several code points is one of two columns,
/// a letter with accents one of one. Chinese, Japanese and Korean characters take two (Unicode
/// Standard Annex 11, classes W and F). Ambiguous ones are counted as one, as terminals do outside
/// East Asia.
enum TextWidth {
    /// The columns of a text.
    static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The text, or as much of it as fits with `…` after it.
    static func truncated(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        var result = ""
        var left = columns - 1
        for character in text {
            left -= of(character)
            guard left >= 0 else { break }
            result.append(character)
        }
        return columns > 0 ? result + "…" : ""
    }

    /// The words of a text in lines of at most so many columns; a longer word has its own line.
    static func wrapped(_ text: String, to columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, of(line) + 1 + of(String(word)) > columns {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        if isWide(first) { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return 1
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isEmojiPresentation { return true }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF,
            0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x16FE0...0x18AFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

/// Words that are written from right to left, among others.
///
/// A terminal that reorders them (Unicode Standard Annex 9) takes the numbers and spaces between
/// two such words for a part of them, so that scores would stand under other names. Isolates keep
/// each where it is; names themselves hold none, see `PrintableText`.
enum Bidirectional {
    /// The text with isolates around what is written from right to left.
    static func isolated(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isRightToLeft) else { return text }
        var (result, waiting) = (String.UnicodeScalarView(), String.UnicodeScalarView())
        var isOpen = false
        for scalar in text.unicodeScalars {
            if isRightToLeft(scalar) {
                // Spaces and signs between two words belong to them.
                if !isOpen { result += waiting + ["\u{2068}"] } else { result += waiting }
                result.append(scalar)
                waiting = String.UnicodeScalarView()
                isOpen = true
            } else {
                if isOpen, scalar.properties.isAlphabetic {
                    result.append("\u{2069}")
                    isOpen = false
                }
                waiting.append(scalar)
            }
        }
        if isOpen { result.append("\u{2069}") }
        return String(result + waiting)
    }

    /// Whether a character is of a script that is written from right to left.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
            0x1E800...0x1EFFF:
            true
        default: false
        }
    }
}
