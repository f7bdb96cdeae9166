package import JSONCoding

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
