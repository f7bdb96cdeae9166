/// Makes texts from other devices safe for terminals and logs.
///
/// Dangerous characters are the control characters of ASCII and Latin-1, line separators, and marks
/// of text direction, with which a name could imitate a line of output.
package enum PrintableText {
    /// Removes dangerous characters and truncates the text to `limit` bytes of UTF-8.
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

    /// Replaces C0 control characters by their symbols ␀ to ␟, other dangerous characters by
    /// U+FFFD.
    package static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isDangerous) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(isDangerous(scalar) ? sign(of: scalar) : scalar)
        }
        return String(result)
    }

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
