/// Swift's encoder of one value, which writes into a document.
///
/// It keeps no coding paths: nothing that is encoded here can fail but a number that is not finite.
struct ValueEncoder: Encoder {
    let writer: DocumentWriter
    let scope: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        writer.object(in: scope)
        return KeyedEncodingContainer(ObjectEncoder(writer: writer, scope: scope))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        _ = writer.array(in: scope)
        return ArrayEncoder(writer: writer, scope: scope)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { writer.single(in: scope) { $0.null() } }

    func encode(_ boolean: Bool) { writer.single(in: scope) { $0.boolean(boolean) } }

    func encode(_ text: String) { writer.single(in: scope) { $0.text(text) } }

    func encode(_ number: Double) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number,
                EncodingError.Context(codingPath: [], debugDescription: "JSON has no \(number)")
            )
        }
        let text = number.description
        let json = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        writer.single(in: scope) { $0.value(json.utf8) }
    }

    func encode(_ number: Float) throws {
        guard number.isFinite else { return try encode(Double(number)) }
        let text = number.description
        let json = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        writer.single(in: scope) { $0.value(json.utf8) }
    }

    func encode<Number: FixedWidthInteger & Encodable>(_ number: Number) {
        writer.single(in: scope) { json in
            if Number.isSigned {
                json.integer(Int64(truncatingIfNeeded: number))
            } else {
                json.integer(UInt64(truncatingIfNeeded: number))
            }
        }
    }

    func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: self) }
}
