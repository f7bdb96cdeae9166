internal import SessionCRDT
internal import SyncProtocol

/// A line of output: pieces of text with their styles.
///
/// All output to a terminal is made of lines: texts are made printable first, and escape sequences
/// are added afterwards.
package struct Line: Hashable, Sendable {
    package struct Piece: Hashable, Sendable {
        package var text: String
        package var style: Style
    }

    package private(set) var pieces: [Piece]

    package init(_ text: String = "", _ style: Style = .plain) {
        let shown = PrintableText.visible(text)
        pieces = shown.isEmpty ? [] : [Piece(text: shown, style: style)]
    }

    package init(_ lines: [Line], separator: String) {
        self.init()
        for (index, line) in lines.enumerated() {
            pieces += (index > 0 ? Line(separator).pieces : []) + line.pieces
        }
    }

    package var width: Int { pieces.reduce(0) { $0 + TextWidth.of($1.text) } }

    package var text: String { pieces.map(\.text).joined() }

    /// Renders the line, with escape sequences if `inColor`, and with isolates around right-to-left
    /// words if `isolated`, so that these do not reorder the rest.
    package func rendered(inColor: Bool, isolated: Bool = false) -> String {
        pieces.map { piece in
            let text = isolated ? Bidirectional.isolated(piece.text) : piece.text
            guard inColor, let code = piece.style.code else { return text }
            return "\u{1B}[\(code)m\(text)\u{1B}[0m"
        }.joined()
    }

    /// Pads the line to a width, with spaces before or after it.
    package func padded(to columns: Int, _ alignment: Alignment) -> Line {
        let space = Line(String(repeating: " ", count: max(0, columns - width)))
        return alignment == .left ? self + space : space + self
    }

    /// Returns the part of the line from a column on that fits into a width.
    package func cropped(from start: Int = 0, to columns: Int) -> Line {
        guard start > 0 || width > columns else { return self }
        var result = Line()
        var (position, left) = (0, columns)
        for piece in pieces {
            var text = ""
            for character in piece.text {
                let width = TextWidth.of(String(character))
                defer { position += width }
                guard position >= start else { continue }
                guard left >= width else { return result + Line(text, piece.style) }
                left -= width
                text.append(character)
            }
            result += Line(text, piece.style)
        }
        return result
    }

    /// Wraps a sentence between words, as `TextWidth.wrapped` does; a line that is indented, or whose
    /// words are aligned by spaces, stays as it is.
    package func wrapped(to columns: Int) -> [Line] {
        let text = text
        guard width > columns, !text.hasPrefix(" "), !text.contains("  ") else { return [self] }
        var rest = pieces.flatMap { piece in piece.text.map { ($0, piece.style) } }[...]
        return TextWidth.wrapped(text, to: columns).map { words in
            var characters = rest.prefix(words.count)
            // Without the space at which the line is broken.
            rest = rest.dropFirst(words.count + 1)
            var line = Line()
            while let style = characters.first?.1 {
                let run = characters.prefix { $0.1 == style }
                line += Line(String(run.map(\.0)), style)
                characters = characters.dropFirst(run.count)
            }
            return line
        }
    }

    package static func + (left: Line, right: Line) -> Line {
        var line = left
        line.pieces += right.pieces
        return line
    }

    package static func += (left: inout Line, right: Line) { left.pieces += right.pieces }
}

package enum Alignment: Hashable, Sendable {
    case left, right
}

/// The style of a text.
///
/// It adds no information to the text, since not every terminal shows it.
package enum Style: Hashable, Sendable {
    case plain, strong, faint, good, warning, bad
    /// The surface of a board, and its pieces.
    case felt, firstPiece, secondPiece
    /// A line of a chart, by its number from 0.
    case series(Int)

    /// The parameter of the escape sequence (ECMA-48, SGR) that enables it.
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

    private static let series = ["36", "33", "35", "32", "34", "31", "96", "95"]
}

/// The width of text on a terminal.
///
/// An emoji of several code points takes two columns, a letter with accents one. Chinese, Japanese
/// and Korean characters take two (Unicode Standard Annex 11, classes W and F). Ambiguous characters
/// take one, as on terminals outside East Asia.
package enum TextWidth {
    package static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// Cuts a text and appends `…` if it does not fit.
    package static func truncated(_ text: String, to columns: Int) -> String {
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

    /// Wraps a text between words; a word that does not fit has its own line.
    ///
    /// A command to type stays in one line if it fits, so that it can be copied.
    package static func wrapped(_ text: String, to columns: Int) -> [String] {
        guard text.utf8.contains(UInt8(ascii: " ")) else { return text.isEmpty ? [] : [text] }
        var lines: [String] = []
        var line = ""
        for part in parts(of: text, upTo: columns) {
            if !line.isEmpty, of(line) + 1 + of(part) > columns {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? part : " " + part
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Splits a text into words and whole commands, which end with the next punctuation mark.
    private static func parts(of text: String, upTo columns: Int) -> [String] {
        var parts: [[Substring]] = []
        var isCommand = false
        for word in text.split(separator: " ") {
            if isCommand { parts[parts.count - 1].append(word) } else { parts.append([word]) }
            let isStart = word.drop { "'`(“".contains($0) } == "scorectl"
            let isEnd = word.last.map { ".,;:?)'`”".contains($0) } ?? false
            isCommand = isStart || isCommand && !isEnd
        }
        return parts.flatMap { words -> [String] in
            let whole = words.joined(separator: " ")
            return of(whole) <= columns ? [whole] : words.map(String.init)
        }
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

/// Isolation of right-to-left words.
///
/// A terminal that reorders them (Unicode Standard Annex 9) moves the numbers and spaces between two
/// such words too, so that scores would appear under other names. Isolates prevent this; names
/// themselves contain none, see `PrintableText`.
package enum Bidirectional {
    package static func isolated(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isRightToLeft) else { return text }
        var (result, waiting) = (String.UnicodeScalarView(), String.UnicodeScalarView())
        var isOpen = false
        for scalar in text.unicodeScalars {
            if isRightToLeft(scalar) {
                // Spaces and signs between two such words belong to the isolated text.
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

    package static func withoutIsolates(_ text: String) -> String {
        String(text.unicodeScalars.filter { !(0x2066...0x2069).contains($0.value) })
    }

    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
            0x1E800...0x1EFFF:
            true
        default: false
        }
    }
}
