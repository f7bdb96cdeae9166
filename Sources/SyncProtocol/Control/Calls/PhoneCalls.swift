internal import SessionCRDT

/// What became of what a phone sent.
package struct PhoneReply<Reply: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// Whether it was here already, so that nothing was written.
    package var known: Bool
    /// What was written; null where it was known.
    @ExplicitNull package var reply: Reply?

    /// What was written now; nil where it was known.
    package init(_ reply: Reply?) {
        known = reply == nil
        self.reply = reply
    }
}

/// What one submission of a phone is called, by chance and for good: the same for each time that
/// it is sent, so that it is entered once.
package struct SubmissionID: Hashable, Sendable {
    /// 16 lower-case hexadecimal digits.
    package let text: String

    /// The id that a text is; nil where it is none.
    package init?(_ text: String) {
        guard text.utf8.count == 16, Hexadecimal.bytes(of: text) != nil else { return nil }
        self.text = text
    }
}

extension SubmissionID: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = SubmissionID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "an id of a submission has 16 lower-case hexadecimal digits"
            )
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
