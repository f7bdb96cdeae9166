import JSONCoding
package import SessionCRDT

/// What an entry may say so that every peer takes it.
///
/// One entry that breaks these rules makes peers refuse the whole delta, for ever; so the same
/// check stands before a local write and behind the wire.
package enum EntryLimits {
    /// The longest kind of a value of a later version, in bytes of UTF-8.
    package static let kindBytes = 64

    /// Why no peer takes an entry that says `value` under `key`, in words; nil when all do.
    ///
    /// A text may take at most twice its limit in JSON. Only control characters take more, and with
    /// them a sheet would not fit into any frame.
    package static func violation(_ key: Key, _ value: Value) -> String? {
        if case .foreign(let text) = key,
            !(1...Limits.keyBytes).contains(text.string.utf8.count)
                || JSONWriter.length(of: text.string) > 2 * Limits.keyBytes
        {
            return "a key is empty or longer than \(Limits.keyBytes) bytes"
        }
        let isSheet = key == .session(Field.sheet)
        let limit = isSheet ? Limits.sheetBytes : Limits.textBytes
        switch value {
        case .null, .boolean: return nil
        case .integer(let number):
            guard number.magnitude > UInt64(Limits.largestInteger) else { return nil }
            return "an integer is outside ±\(Limits.largestInteger)"
        case .text(let text): return violation(text, limit: limit)
        case .foreign(let kind, let text):
            guard (1...kindBytes).contains(kind.string.utf8.count) else {
                return "the kind of a value is empty or longer than \(kindBytes) bytes"
            }
            return violation(text, limit: limit)
        }
    }

    private static func violation(_ text: ExactText, limit: Int) -> String? {
        let count = text.string.utf8.count
        guard count <= limit else { return "a text is longer than \(limit) bytes" }
        // Each byte takes six in JSON at most: nearly all texts need no second look.
        let isLong = count > limit / 3 && JSONWriter.length(of: text.string) > 2 * limit
        guard isLong else { return nil }
        return "a text has too many control characters"
    }
}
