/// Writes `Encodable` documents into one buffer, with the fields of every object sorted by name.
///
/// Fields are written in the order in which they are encoded, and sorted in place when their object
/// ends.
///
/// Swift's `Encoder` does not report the end of a container. Here a container ends at the next
/// write to an enclosing one, so containers must be written one after the other. All documents of
/// this package do that.
final class DocumentWriter {
    private(set) var json: JSONWriter

    private struct Scope {
        enum Form {
            case nothing, value, array, object
        }

        var form = Form.nothing
        /// The number of members of the enclosing objects when the value began.
        let firstMember: Int
        var elements = 0
    }

    private struct Member {
        let name: String
        let start: Int
    }

    private var scopes: [Scope] = []
    private var members: [Member] = []

    init(_ json: JSONWriter) { self.json = json }

    func write(_ value: some Encodable) throws {
        let scope = begin()
        try value.encode(to: ValueEncoder(writer: self, scope: scope))
        end(scope)
    }

    /// Begins a value; returns its scope.
    func begin() -> Int {
        scopes.append(Scope(firstMember: members.count))
        return scopes.count - 1
    }

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

    /// Writes a null, Boolean, number or text as the value of a scope.
    func single(in scope: Int, _ write: (inout JSONWriter) -> Void) {
        resume(scope, .value)
        write(&json)
    }

    /// Begins an array unless the scope is one already; returns its current count.
    func array(in scope: Int) -> Int {
        if scopes[scope].form == .nothing { json.open("[") }
        resume(scope, .array)
        return scopes[scope].elements
    }

    func object(in scope: Int) {
        if scopes[scope].form == .nothing { json.open("{") }
        resume(scope, .object)
    }

    /// Begins the next element of an array; its value must follow.
    func element(of scope: Int) {
        resume(scope, .array)
        scopes[scope].elements += 1
    }

    /// Begins a field of an object; its value must follow, or is written here if it is simple.
    func member(_ name: String, of scope: Int, _ write: (inout JSONWriter) -> Void = { _ in }) {
        resume(scope, .object)
        json.separate()
        members.append(Member(name: name, start: json.bytes.count))
        json.quote(name)
        json.bytes.append(UInt8(ascii: ":"))
        write(&json)
    }

    /// Ends every value inside a scope and sets the form of the scope; traps if it has another
    /// form.
    private func resume(_ scope: Int, _ form: Scope.Form) {
        precondition(scope < scopes.count, "write to a container that has ended")
        end(scope + 1)
        precondition(
            scopes[scope].form == .nothing || scopes[scope].form == form,
            "one value encoded in two forms"
        )
        scopes[scope].form = form
    }

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
    fileprivate func precedes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension JSONWriter {
    fileprivate mutating func number<Number: FixedWidthInteger>(_ number: Number) {
        if Number.isSigned {
            integer(Int64(truncatingIfNeeded: number))
        } else {
            integer(UInt64(truncatingIfNeeded: number))
        }
    }

    /// Writes a document as the next value, with the fields of every object sorted by name.
    ///
    /// - Throws: `EncodingError` for a number that is not finite; the buffer is then invalid.
    package mutating func document(_ document: some Encodable) throws {
        let writer = DocumentWriter(self)
        // Makes the writer the only owner of the buffer, because a shared one would be copied.
        self = JSONWriter()
        defer { self = writer.json }
        try writer.write(document)
    }
}

/// Encodes one value, without coding paths: the only possible error is a number that is not finite.
private struct ValueEncoder: Encoder {
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

    func encode<Number: BinaryFloatingPoint & CustomStringConvertible & Encodable>(
        _ number: Number
    ) throws {
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

    func encode<Number: FixedWidthInteger & Encodable>(_ number: Number) {
        writer.single(in: scope) { $0.number(number) }
    }

    func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: self) }
}

private struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: DocumentWriter
    let scope: Int

    var codingPath: [any CodingKey] { [] }

    private func value(of key: some CodingKey) -> ValueEncoder {
        writer.member(key.stringValue, of: scope)
        return ValueEncoder(writer: writer, scope: writer.begin())
    }

    func encodeNil(forKey key: Key) { writer.member(key.stringValue, of: scope) { $0.null() } }

    func encode(_ boolean: Bool, forKey key: Key) {
        writer.member(key.stringValue, of: scope) { $0.boolean(boolean) }
    }

    func encode(_ text: String, forKey key: Key) {
        writer.member(key.stringValue, of: scope) { $0.text(text) }
    }

    func encode<Number: FixedWidthInteger & Encodable>(_ number: Number, forKey key: Key) {
        writer.member(key.stringValue, of: scope) { $0.number(number) }
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        writer.member(key.stringValue, of: scope)
        try writer.write(value)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Inner> { value(of: key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        value(of: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { value(of: JSONKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { value(of: key) }
}

private struct ArrayEncoder: UnkeyedEncodingContainer {
    let writer: DocumentWriter
    let scope: Int

    var codingPath: [any CodingKey] { [] }
    var count: Int { writer.array(in: scope) }

    private func next() -> ValueEncoder {
        writer.element(of: scope)
        return ValueEncoder(writer: writer, scope: writer.begin())
    }

    func encodeNil() { next().encodeNil() }

    func encode<Value: Encodable>(_ value: Value) throws {
        writer.element(of: scope)
        try writer.write(value)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type
    ) -> KeyedEncodingContainer<Inner> { next().container(keyedBy: type) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    func superEncoder() -> any Encoder { next() }
}
