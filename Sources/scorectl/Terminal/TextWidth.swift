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
