package import SessionCRDT

/// A value as JSON shows it: null, true or false, a whole number, a text.
package enum Scalar: Codable, Hashable, Sendable {
    /// Nothing.
    case null
    /// Yes or no.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// A text.
    case text(String)

    /// The form of an entry's value; one of a later version shows as its text.
    package init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(number)
        case .text(let text): self = .text(text.string)
        case .foreign(_, let text): self = .text(text.string)
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }
}

extension Scalar: CustomStringConvertible {
    /// The form that tables show; nothing shows as a dash.
    package var description: String {
        switch self {
        case .null: "–"
        case .boolean(let flag): flag ? "yes" : "no"
        case .integer(let number): String(number)
        case .text(let text): text
        }
    }
}
