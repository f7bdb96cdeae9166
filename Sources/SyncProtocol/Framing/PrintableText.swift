/// Texts of other devices that a terminal or a log will show: the one list of what may not reach
/// either.
///
/// Besides the control characters of ASCII and Latin-1 these are the line separators and the marks
/// that turn the direction of writing: with them a name could pretend to be another line.
package enum PrintableText {
    /// The text without dangerous characters, cut to `limit` bytes of UTF-8 between two characters.
    package static func cleaned(_ text: String, limit: Int) -> String {
        var cleaned = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars where !isDangerous(scalar) {
            bytes += UTF8.width(scalar)
            guard bytes <= limit else { break }
            cleaned.append(scalar)
        }
        return String(cleaned)
    }

    /// The text with a visible sign in place of each dangerous character: for C0 its picture,
    /// ␀ to ␟, for the others U+FFFD.
    package static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isDangerous) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(isDangerous(scalar) ? sign(of: scalar) : scalar)
        }
        return String(result)
    }

    /// Whether a terminal may obey the character instead of showing it.
    package static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func sign(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        (scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) : nil) ?? "\u{FFFD}"
    }
}
