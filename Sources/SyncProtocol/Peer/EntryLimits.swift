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
    /// How a text is spelled in JSON does not matter: whatever passes here fits into a frame, with
    /// six bytes for each of its own (`Limits.frameBytes`).
    package static func violation(_ key: Key, _ value: Value) -> String? {
        if case .foreign(let text) = key,
            !(1...Limits.keyBytes).contains(text.string.utf8.count)
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
        text.string.utf8.count <= limit ? nil : "a text is longer than \(limit) bytes"
    }
}
