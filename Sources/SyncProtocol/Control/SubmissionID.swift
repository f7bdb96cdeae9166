internal import SessionCRDT

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
