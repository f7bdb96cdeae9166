internal import FoundationEssentials

/// A moment as JSON shows it: ISO 8601 in UTC with milliseconds, `2026-11-20T19:04:05.123Z`.
package struct Timestamp: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The text form.
    package let description: String

    /// The form of a moment in milliseconds since 1970.
    package init(milliseconds: UInt64) {
        // Half a millisecond more, because the style cuts and a Double is a hair below or above.
        let date = Date(timeIntervalSince1970: (Double(milliseconds) + 0.5) / 1000)
        description = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    package init(from decoder: any Decoder) throws {
        description = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
