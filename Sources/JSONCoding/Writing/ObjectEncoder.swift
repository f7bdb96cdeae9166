/// Swift's container of the fields of an object that is being written.
struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: DocumentWriter
    let scope: Int

    var codingPath: [any CodingKey] { [] }

    /// The value of the next field.
    private func value(of key: any CodingKey) -> ValueEncoder {
        writer.member(key.stringValue, of: scope)
        return ValueEncoder(writer: writer, scope: writer.begin())
    }

    func encodeNil(forKey key: Key) { value(of: key).encodeNil() }

    func encode(_ boolean: Bool, forKey key: Key) { value(of: key).encode(boolean) }

    func encode(_ text: String, forKey key: Key) { value(of: key).encode(text) }

    func encode(_ number: Double, forKey key: Key) throws { try value(of: key).encode(number) }

    func encode(_ number: Float, forKey key: Key) throws { try value(of: key).encode(number) }

    func encode<Number: FixedWidthInteger & Encodable>(_ number: Number, forKey key: Key) {
        value(of: key).encode(number)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        writer.member(key.stringValue, of: scope)
        try writer.write(value)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        value(of: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        value(of: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { value(of: JSONKey("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { value(of: key) }
}
