/// Decodes one value; its errors have the wording of Foundation's decoder, which developers know.
private struct ValueDecoder: Decoder {
    let value: JSONValue
    let path: CodingPath

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard value.isObject else { throw mismatch([String: Any].self, "keyed decoding container") }
        return KeyedDecodingContainer(ObjectDecoder(value: value, path: path))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard value.isArray else { throw mismatch([Any].self, "unkeyed decoding container") }
        return ArrayDecoder(value: value, path: path)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

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
        let words = "Expected to decode \(type) but found \(found) instead."
        return .typeMismatch(type, context(words))
    }

    private func context(_ words: String) -> DecodingError.Context { path.context(words) }
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

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        if let integer = value.integer, let number = Number(exactly: integer) { return number }
        guard value.isNumber else { throw mismatch(type) }
        // 1.0 and 1e2 are integers, too.
        let text = String(decoding: value.bytes, as: UTF8.self)
        guard let number = Number(text) ?? Double(text).flatMap(Number.init(exactly:)) else {
            let words = "\(text) is not an integer that fits in \(type)"
            throw DecodingError.dataCorrupted(context(words))
        }
        return number
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try type.init(from: self) }

    func decode<Number: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ type: Number.Type
    ) throws -> Number {
        guard value.isNumber else { throw mismatch(type) }
        let text = String(decoding: value.bytes, as: UTF8.self)
        guard let number = Number(text), number.isFinite else {
            throw DecodingError.dataCorrupted(context("\(text) does not fit in \(Number.self)"))
        }
        return number
    }
}

extension JSONValue {
    /// Decodes a document.
    ///
    /// - Throws: `DecodingError` with the coding path to the value that cannot be decoded.
    package func decode<Document: Decodable>(_ type: Document.Type) throws -> Document {
        try ValueDecoder(value: self, path: .root).decode(type)
    }
}

private struct ObjectDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// The maximum number of members that are searched linearly; only dictionaries have more.
    private static var maxLinearMembers: Int { 24 }

    private let value: JSONValue
    private let path: CodingPath
    private let members: [String: JSONValue]?

    init(value: JSONValue, path: CodingPath) {
        self.value = value
        self.path = path
        members =
            value.mayHaveMoreMembers(than: Self.maxLinearMembers)
                && value.members.count > Self.maxLinearMembers
            ? Dictionary(
                value.members.map { ($0.name.string ?? "", $0.value) },
                uniquingKeysWith: { first, _ in first }
            ) : nil
    }

    var codingPath: [any CodingKey] { path.keys }

    var allKeys: [Key] {
        value.members.compactMap { $0.name.string.flatMap { Key(stringValue: $0) } }
    }

    private func find(_ key: some CodingKey) -> JSONValue? {
        let name = key.stringValue
        return if let members { members[name] } else { value[name] }
    }

    private func member(_ key: some CodingKey) throws -> JSONValue {
        guard let member = find(key) else {
            let words = "No value associated with key \(key)."
            throw DecodingError.keyNotFound(key, path.context(words))
        }
        return member
    }

    private func decoder(of member: JSONValue, _ key: some CodingKey) -> ValueDecoder {
        ValueDecoder(value: member, path: .field(path, key.stringValue))
    }

    private func decoder(of key: some CodingKey) throws -> ValueDecoder {
        decoder(of: try member(key), key)
    }

    /// Returns a member; nil if there is none, or null.
    private func memberIfPresent(_ key: Key) -> JSONValue? {
        find(key).flatMap { $0.isNull ? nil : $0 }
    }

    // Simple values are read without a decoder, whose path is on the heap.

    private func boolean(_ member: JSONValue, _ key: Key) throws -> Bool {
        try member.boolean ?? decoder(of: member, key).decode(Bool.self)
    }

    private func text(_ member: JSONValue, _ key: Key) throws -> String {
        try member.string ?? decoder(of: member, key).decode(String.self)
    }

    private func number<Number: FixedWidthInteger & Decodable>(
        _ member: JSONValue,
        _ key: Key
    ) throws -> Number {
        try member.integer.flatMap(Number.init(exactly:))
            ?? decoder(of: member, key).decode(Number.self)
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNull }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try boolean(member(key), key)
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try text(member(key), key)
    }

    func decode<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type,
        forKey key: Key
    ) throws -> Number { try number(member(key), key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(of: key).decode(type)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try memberIfPresent(key).map { try boolean($0, key) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try memberIfPresent(key).map { try text($0, key) }
    }

    func decodeIfPresent<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type,
        forKey key: Key
    ) throws -> Number? { try memberIfPresent(key).map { try number($0, key) } }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try memberIfPresent(key).map { try decoder(of: $0, key).decode(type) }
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> { try decoder(of: key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(of: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(of: JSONKey("super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(of: key) }
}

private struct ArrayDecoder: UnkeyedDecodingContainer {
    private let path: CodingPath
    private var elements: JSONElements
    private var following: JSONValue?
    private(set) var currentIndex = 0

    init(value: JSONValue, path: CodingPath) {
        self.path = path
        elements = value.elements
        following = elements.next()
    }

    var codingPath: [any CodingKey] { path.keys }
    var count: Int? { currentIndex + (following == nil ? 0 : 1) + elements.count }
    var isAtEnd: Bool { following == nil }

    /// Reads the next element; if decoding fails, the container does not advance.
    private mutating func next<Result>(
        _ type: Any.Type,
        _ read: (ValueDecoder) throws -> Result
    ) throws -> Result {
        let path = CodingPath.element(path, currentIndex)
        guard let following else {
            throw DecodingError.valueNotFound(type, path.context("Unkeyed container is at end."))
        }
        let result = try read(ValueDecoder(value: following, path: path))
        self.following = elements.next()
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard following?.isNull == true else { return false }
        return try next(Never.self) { $0.decodeNil() }
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next(type) { try $0.decode(type) }
    }

    mutating func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type
    ) throws -> KeyedDecodingContainer<Inner> { try next(type) { try $0.container(keyedBy: type) } }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([Any].self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }
}

indirect enum CodingPath: Sendable {
    case root
    case field(CodingPath, String)
    case element(CodingPath, Int)

    var keys: [any CodingKey] {
        switch self {
        case .root: []
        case .field(let path, let name): path.keys + [JSONKey(name)]
        case .element(let path, let index): path.keys + [JSONKey(index)]
        }
    }

    func context(_ words: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: keys, debugDescription: words)
    }
}

package struct JSONKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?

    package init(_ name: String) { (stringValue, intValue) = (name, nil) }
    init(_ index: Int) { (stringValue, intValue) = ("Index \(index)", index) }
    package init?(stringValue: String) { self.init(stringValue) }
    package init?(intValue: Int) { self.init(intValue) }
}
