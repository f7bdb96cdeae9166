/// Swift's container of the elements of an array that is being written.
struct ArrayEncoder: UnkeyedEncodingContainer {
    let writer: DocumentWriter
    let scope: Int

    var codingPath: [any CodingKey] { [] }
    var count: Int { writer.array(in: scope) }

    /// The value of the next element.
    private func next() -> ValueEncoder {
        writer.element(of: scope)
        return ValueEncoder(writer: writer, scope: writer.begin())
    }

    func encodeNil() { next().encodeNil() }

    func encode(_ boolean: Bool) { next().encode(boolean) }

    func encode(_ text: String) { next().encode(text) }

    func encode(_ number: Double) throws { try next().encode(number) }

    func encode(_ number: Float) throws { try next().encode(number) }

    func encode<Number: FixedWidthInteger & Encodable>(_ number: Number) { next().encode(number) }

    func encode<Value: Encodable>(_ value: Value) throws {
        writer.element(of: scope)
        try writer.write(value)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type
    ) -> KeyedEncodingContainer<Inner> {
        next().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

    func superEncoder() -> any Encoder { next() }
}
