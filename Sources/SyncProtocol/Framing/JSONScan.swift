/// Looks through JSON before anything else reads it.
///
/// Foundation's decoder kills the process on arrays nested 513 deep and keeps one of two equal keys
/// without a word; a stranger must be able to do neither. What this accepts is valid JSON in valid
/// UTF-8, not deeper than the limit, with no key twice in an object and no number that a reader
/// could round. It costs less than 1 µs for a small frame and nothing is kept.
package enum JSONScan {
    /// Throws unless the bytes are one JSON value and nothing else.
    ///
    /// - Parameters:
    ///   - bytes: the JSON in UTF-8, without byte order mark.
    ///   - depth: how deep arrays and objects may nest.
    /// - Throws: what is wrong, and at which byte.
    package static func check(
        _ bytes: [UInt8],
        depth: Int = Limits.jsonDepth
    ) throws(JSONScanError) {
        var scanner = JSONScanner(bytes, depth: depth)
        try scanner.document()
    }
}

/// Why bytes were refused before decoding.
package struct JSONScanError: Error, Hashable, Sendable {
    /// What is wrong.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// It ends in the middle.
        case unfinished = "the JSON ends too early"
        /// A byte that JSON does not have in this place.
        case syntax = "not JSON"
        /// Not UTF-8: a stray byte, a longer form than needed, a surrogate.
        case encoding = "not UTF-8"
        /// A `\u` escape of half a surrogate pair.
        case surrogate = "half a surrogate pair"
        /// Arrays and objects nested deeper than the limit.
        case depth = "nested too deeply"
        /// An object that has a key twice, however it is spelled.
        case duplicateKey = "a key that is there twice"
        /// An integer past ±(2⁵³ − 1), or a fraction that may not be finite.
        case number = "a number out of range"
        /// More after the end.
        case trailing = "more after the end"
    }

    /// What is wrong.
    package let reason: Reason
    /// The byte at which it was seen, counted from 0.
    package let offset: Int

    /// An error at a byte.
    package init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONScanError: CustomStringConvertible {
    package var description: String { "\(reason.rawValue) at byte \(offset)" }
}
