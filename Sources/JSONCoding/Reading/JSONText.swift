/// Bytes that hold one JSON value, read once, with an index of everything in them.
///
/// What this accepts is valid JSON (RFC 8259) in valid UTF-8, not deeper than the limit, with no
/// key twice in an object and no number that a reader could round. All readers of a frame go by
/// its index: none looks at the bytes between values again, and nothing that a stranger sends is
/// copied before somebody asks for it.
package final class JSONText: Sendable {
    /// The deepest nesting of arrays and objects that is read by default.
    package static let deepest = 32

    /// Which numbers are read.
    package enum Numbers: Sendable {
        /// Integers within ±(2⁵³ − 1) and fractions that are finite: what every reader keeps.
        case kept
        /// All, as in what people write by hand: whoever asks for one judges it.
        case any
    }

    let bytes: [UInt8]
    let tokens: [JSONToken]

    /// Reads one JSON value and nothing else.
    ///
    /// - Parameters:
    ///   - bytes: the JSON in UTF-8, without byte order mark.
    ///   - depth: how deep arrays and objects may nest.
    ///   - numbers: which numbers are read.
    /// - Throws: what is wrong, and at which byte.
    package init(
        _ bytes: [UInt8],
        depth: Int = JSONText.deepest,
        numbers: Numbers = .kept
    ) throws(JSONScanError) {
        var scanner = JSONScanner(bytes, depth: depth, numbers: numbers)
        try scanner.document()
        self.bytes = bytes
        tokens = scanner.tokens
    }

    /// The text `{}`.
    init() {
        bytes = Array("{}".utf8)
        tokens = [JSONToken(kind: .object, start: 0, end: 2, next: 1)]
    }

    /// The value.
    package var root: JSONValue { JSONValue(text: self, token: 0) }
}
