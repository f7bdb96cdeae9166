/// Swift's decoder of one value of a JSON text.
///
/// It tells what does not fit in the words of Foundation's decoder, which users know.
struct ValueDecoder: Decoder {
    let value: JSONValue
    let trail: CodingTrail

    var codingPath: [any CodingKey] { trail.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(
        keyedBy _: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        guard value.isObject else { throw mismatch([String: Any].self, "keyed decoding container") }
        return KeyedDecodingContainer(ObjectDecoder(value: value, trail: trail))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard value.isArray else { throw mismatch([Any].self, "unkeyed decoding container") }
        return ArrayDecoder(value: value, trail: trail)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// The error of a value that is none of this type.
    private func mismatch(_ type: Any.Type, _ wanted: String? = nil) -> DecodingError {
        if value.isNull {
            let wanted = wanted ?? "value of type \(type)"
            return .valueNotFound(type, context("Cannot get \(wanted) -- found null value instead"))
        }
        let found =
            switch value.kind {
            case .null: "null"
            case .no, .yes: "bool"
            case .integer, .fraction: "number"
            case .plainText, .text: "a string"
            case .array: "an array"
            case .object: "a dictionary"
            }
        return .typeMismatch(
            type,
            context("Expected to decode \(type) but found \(found) instead.")
        )
    }

    private func context(_ words: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath, debugDescription: words)
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard let boolean = value.boolean else { throw mismatch(type) }
        return boolean
    }

    func decode(_ type: String.Type) throws -> String {
        guard let text = value.string else { throw mismatch(type) }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double { try fraction() }

    func decode(_ type: Float.Type) throws -> Float { try fraction() }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        if let integer = value.integer, let number = Number(exactly: integer) { return number }
        guard value.isNumber else { throw mismatch(type) }
        // 1.0 and 1e2 are whole numbers too.
        let text = String(decoding: value.bytes, as: UTF8.self)
        guard let number = Number(text) ?? Double(text).flatMap(Number.init(exactly:)) else {
            throw DecodingError.dataCorrupted(
                context("\(text) is no whole number that fits in \(type)")
            )
        }
        return number
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try type.init(from: self) }

    private func fraction<Number: BinaryFloatingPoint & LosslessStringConvertible>()
        throws -> Number
    {
        guard value.isNumber else { throw mismatch(Number.self) }
        let text = String(decoding: value.bytes, as: UTF8.self)
        guard let number = Number(text), number.isFinite else {
            throw DecodingError.dataCorrupted(
                context("\(text) does not fit in \(Number.self)")
            )
        }
        return number
    }
}

extension JSONValue {
    /// The document that this value holds.
    ///
    /// - Throws: `DecodingError`, with the path from this value to the one that does not fit.
    package func decode<Document: Decodable>(_ type: Document.Type) throws -> Document {
        try ValueDecoder(value: self, trail: .root).decode(type)
    }
}
