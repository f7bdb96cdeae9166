/// Writes `Encodable` documents into one buffer, the fields of every object sorted by name.
///
/// A document names its fields in any order: they are written as they come, and an object that
/// ends with its fields in disorder has their bytes put in order where they stand.
///
/// The containers of Swift's `Encoder` do not say when they end. Here one ends as soon as
/// something is written around it: containers that are written one inside the other, as all of
/// ours are, need no more.
final class DocumentWriter {
    /// The output.
    private(set) var json: JSONWriter

    /// A value that is being written.
    private struct Scope {
        enum Form {
            case nothing
            case value
            case array
            case object
        }

        var form = Form.nothing
        /// How many members the objects around it have.
        let firstMember: Int
        var elements = 0
    }

    /// A field of an object that is being written.
    private struct Member {
        let name: String
        let start: Int
    }

    private var scopes: [Scope] = []
    private var members: [Member] = []

    /// A writer that goes on behind another.
    init(_ json: JSONWriter) {
        self.json = json
    }

    /// Writes a value as the next of what it belongs to.
    func write(_ value: some Encodable) throws {
        let scope = begin()
        try value.encode(to: ValueEncoder(writer: self, scope: scope))
        end(scope)
    }

    /// Begins a value; the number of its scope.
    func begin() -> Int {
        scopes.append(Scope(firstMember: members.count))
        return scopes.count - 1
    }

    /// Ends a value, and all in it.
    func end(_ scope: Int) {
        while scopes.count > scope, let last = scopes.popLast() {
            switch last.form {
            case .nothing:
                json.open("{")
                json.bytes.append(UInt8(ascii: "}"))
            case .value: break
            case .array: json.bytes.append(UInt8(ascii: "]"))
            case .object:
                sortMembers(from: last.firstMember)
                members.removeSubrange(last.firstMember...)
                json.bytes.append(UInt8(ascii: "}"))
            }
        }
    }

    /// Writes a value without parts as the whole of a scope.
    func single(in scope: Int, _ write: (inout JSONWriter) -> Void) {
        reach(scope, .value)
        write(&json)
    }

    /// Makes a scope an array; how many elements it has.
    func array(in scope: Int) -> Int {
        if scopes[scope].form == .nothing { json.open("[") }
        reach(scope, .array)
        return scopes[scope].elements
    }

    /// Makes a scope an object.
    func object(in scope: Int) {
        if scopes[scope].form == .nothing { json.open("{") }
        reach(scope, .object)
    }

    /// Begins the next element of an array; its value is written next.
    func element(of scope: Int) {
        reach(scope, .array)
        scopes[scope].elements += 1
    }

    /// Begins a field of an object; its value is written next.
    func member(_ name: String, of scope: Int) {
        reach(scope, .object)
        json.separate()
        members.append(Member(name: name, start: json.bytes.count))
        json.quote(name)
        json.bytes.append(UInt8(ascii: ":"))
    }

    /// Ends everything that was begun inside of a scope, which is or becomes of a form.
    private func reach(_ scope: Int, _ form: Scope.Form) {
        precondition(scope < scopes.count, "a container is written to that has ended")
        end(scope + 1)
        precondition(
            scopes[scope].form == .nothing || scopes[scope].form == form,
            "a value is encoded in two forms"
        )
        scopes[scope].form = form
    }

    /// Puts the bytes of the members of the object that ends here in the order of their names.
    private func sortMembers(from first: Int) {
        let members = members[first...]
        guard zip(members, members.dropFirst()).contains(where: { $1.name.precedes($0.name) })
        else { return }
        let end = json.bytes.count
        let ends = members.dropFirst().map { $0.start - 1 } + [end]
        let start = members[first].start
        let sorted = zip(members, ends).sorted { $0.0.name.precedes($1.0.name) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(end - start)
        for (member, end) in sorted {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: json.bytes[member.start..<end])
        }
        json.bytes.replaceSubrange(start..., with: bytes)
    }
}

extension String {
    /// Whether the bytes of this name come before those of another.
    fileprivate func precedes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension JSONWriter {
    /// Writes a document as the next value: fields sorted by name, slashes as they are.
    ///
    /// - Throws: `EncodingError` of a number that is not finite; what was written then is no JSON.
    package mutating func document(_ document: some Encodable) throws {
        let writer = DocumentWriter(self)
        // So that the buffer has one owner and is not copied.
        self = JSONWriter()
        defer { self = writer.json }
        try writer.write(document)
    }
}

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
