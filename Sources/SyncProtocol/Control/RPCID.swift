/// What ties an answer to its call (JSON-RPC 2.0, section 4).
package enum RPCID: Codable, Hashable, Sendable {
    /// A number, as this program uses.
    case number(Int64)
    /// A text, as other clients may use.
    case text(String)
    /// In answers to what had no readable id.
    case null

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let number = try? container.decode(Int64.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .null: try container.encodeNil()
        }
    }
}
