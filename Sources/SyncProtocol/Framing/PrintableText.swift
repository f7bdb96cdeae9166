/// Texts of other devices that a terminal or a log will show.
package enum PrintableText {
    /// The text without control characters, cut to `limit` bytes of UTF-8 between two characters.
    ///
    /// Besides the control characters of ASCII and Latin-1 it drops the line separators and the
    /// marks that turn the direction of writing: with these a name could pretend to be another
    /// line.
    package static func cleaned(_ text: String, limit: Int) -> String {
        var cleaned = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars where isPrintable(scalar) {
            bytes += UTF8.width(scalar)
            guard bytes <= limit else { break }
            cleaned.append(scalar)
        }
        return String(cleaned)
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: false
        default: true
        }
    }
}
