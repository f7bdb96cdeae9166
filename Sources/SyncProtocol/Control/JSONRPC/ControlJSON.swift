package import JSONCoding
package import SessionCRDT

/// The coding of all documents of the control socket.
///
/// Keys are sorted, so that equal documents have equal bytes.
package enum ControlJSON {
    /// Encodes a document as one line of JSON.
    package static func encode(_ document: some Encodable) throws(ControlError) -> [UInt8] {
        try encode(document, behind: [])
    }

    /// Encodes a document as one line of JSON and appends it to bytes.
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

    /// Returns a short message with the path of the offending value.
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

/// An optional that is encoded as `null` if it is nil; the synthesized coding omits such a field.
@propertyWrapper
package struct ExplicitNull<Wrapped: Codable & Hashable & Sendable>: Document {
    package var wrappedValue: Wrapped?

    package init(wrappedValue: Wrapped? = nil) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws { wrappedValue = try Wrapped?(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// A JSON value that is neither an array nor an object.
package enum Scalar: Document, CustomStringConvertible {
    case null
    case boolean(Bool)
    case integer(Int64)
    case text(String)

    /// Creates the JSON form of an entry's value; a value of a later version becomes its text.
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
        // The most frequent first, because a failed attempt takes longer than a successful one.
        if container.decodeNil() {
            self = .null
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .boolean(try container.decode(Bool.self))
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

    /// The form shown in tables; null is a dash.
    package var description: String {
        switch self {
        case .null: "–"
        case .boolean(let flag): flag ? "yes" : "no"
        case .integer(let number): String(number)
        case .text(let text): text
        }
    }
}
