/// Why bytes are not the JSON that this program reads.
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
        /// More bytes than an index can count.
        case length = "too long"
    }

    /// What was being read, for those who write JSON by hand.
    package enum Part: Hashable, Sendable {
        /// A value.
        case value
        /// The name of a field.
        case name
        /// The colon behind a name.
        case colon
        /// A comma or the end of an object.
        case memberEnd
        /// A comma or the end of an array.
        case elementEnd
        /// A text, in its quotes.
        case text
        /// What a backslash in a text begins.
        case escape
        /// A number.
        case number
    }

    /// What is wrong.
    package let reason: Reason
    /// The byte at which it was seen, counted from 0.
    package let offset: Int
    /// What was being read.
    package let part: Part
    /// The byte with which that begins.
    package let start: Int

    /// An error at a byte.
    package init(reason: Reason, offset: Int, part: Part = .value, start: Int? = nil) {
        self.reason = reason
        self.offset = offset
        self.part = part
        self.start = start ?? offset
    }
}

extension JSONScanError: CustomStringConvertible {
    package var description: String { "\(reason.rawValue) at byte \(offset)" }
}
