/// Text that a terminal shows and never obeys.
///
/// Names and titles come from other people. A control character in one of them could move the
/// cursor, change the window title or hide what follows.
enum HarmlessText {
    /// The text with every control character replaced by a visible one.
    static func of(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isDangerous) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(isDangerous(scalar) ? shown(scalar) : scalar)
        }
        return String(result)
    }

    /// The bytes of a JSON document without the control characters that JSON allows in texts.
    ///
    /// DEL and the C1 controls can only stand inside strings, where an escape means the same.
    static func json(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            if byte == 0x7F {
                result += Array(#"\u007f"#.utf8)
            } else if byte == 0xC2, (0x80...0x9F).contains(next) {
                result += Array((#"\u00"# + String(next, radix: 16)).utf8)
                index += 1
            } else {
                result.append(byte)
            }
            index += 1
        }
        return result
    }

    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F: true
        // Line and paragraph separators, and what reorders or overrides the direction of text.
        case 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // The pictures of the C0 controls: ␀ to ␟.
        (scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) : nil) ?? "\u{FFFD}"
    }
}
