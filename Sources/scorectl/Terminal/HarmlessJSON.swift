import SyncProtocol

/// A JSON document that a terminal shows and never obeys.
///
/// JSON escapes the control characters below U+0020; the other dangerous ones can only stand inside
/// strings, where an escape means the same.
enum HarmlessJSON {
    /// The bytes of a document with escapes in place of dangerous characters.
    static func of(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x7F }) else { return bytes }
        var result = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar.value >= 0x7F, PrintableText.isDangerous(scalar) {
                let digits = String(scalar.value, radix: 16)
                let padding = String(repeating: "0", count: 4 - digits.count)
                result.append(contentsOf: (#"\u"# + padding + digits).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return Array(String(result).utf8)
    }
}
