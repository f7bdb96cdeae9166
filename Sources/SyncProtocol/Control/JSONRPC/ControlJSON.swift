package import JSONCoding
package import SessionCRDT

/// The one way in which documents of the control interface become bytes, and back.
///
/// Keys are sorted, so that the same document always has the same bytes.
package enum ControlJSON {
    /// The document as one line of JSON.
    package static func encode(_ document: some Encodable) throws(ControlError) -> [UInt8] {
        try encode(document, behind: [])
    }

    /// The document as one line of JSON, behind bytes that are there already.
    static func encode(
        _ document: some Encodable,
        behind bytes: [UInt8]
    ) throws(ControlError) -> [UInt8] {
        var json = JSONWriter(bytes)
        do {
            try json.document(document)
            return json.bytes
        } catch {
            throw ControlError(.failed, "cannot write \(type(of: document)) as JSON: \(error)")
        }
    }

    /// The document that bytes hold.
    package static func decode<Document: Decodable>(
        _ type: Document.Type,
        from bytes: some Collection<UInt8>
    ) throws(ControlError) -> Document {
        let text: JSONText
        do { text = try JSONText(Array(bytes)) } catch {
            throw ControlError(.usage, "the document cannot be read: \(error)")
        }
        return try decode(type, from: text.root)
    }

    /// The document that a value of a JSON text holds.
    package static func decode<Document: Decodable>(
        _ type: Document.Type,
        from value: JSONValue
    ) throws(ControlError) -> Document {
        do {
            return try value.decode(type)
        } catch let error as DecodingError {
            throw ControlError(.usage, describe(error))
        } catch {
            throw ControlError(.usage, "\(error)")
        }
    }

    /// What is wrong, and where, in a few words.
    private static func describe(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context):
            "\(path(context.codingPath + [key])) is missing"
        case .typeMismatch(_, let context):
            "\(path(context.codingPath)) is of another type than expected"
        case .valueNotFound(_, let context): "\(path(context.codingPath)) must not be null"
        case .dataCorrupted(let context):
            "\(path(context.codingPath)) cannot be read: \(context.debugDescription)"
        @unknown default: "\(error)"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.isEmpty ? "the document" : keys.map(\.stringValue).joined(separator: ".")
    }
}

/// An optional that is written as `null` where it is nil; the synthesized coding leaves it out.
@propertyWrapper
package struct ExplicitNull<Wrapped: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The optional itself.
    package var wrappedValue: Wrapped?

    /// The wrapper of an optional.
    package init(wrappedValue: Wrapped?) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Wrapped.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue)
        } else {
            try container.encodeNil()
        }
    }
}

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
