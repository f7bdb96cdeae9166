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

/// Swift's container of the members of an object that is read.
struct ObjectDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// How many members are searched one by one; no type of ours has more, but dictionaries have.
    private static var fewMembers: Int { 24 }

    private let value: JSONValue
    private let trail: CodingTrail
    private let members: [String: JSONValue]?

    /// The container of an object.
    init(value: JSONValue, trail: CodingTrail) {
        self.value = value
        self.trail = trail
        var count = 0
        var names = value.members
        while count <= Self.fewMembers, names.next() != nil { count += 1 }
        members =
            count <= Self.fewMembers
            ? nil
            : Dictionary(
                value.members.map { ($0.name.string ?? "", $0.value) },
                uniquingKeysWith: { first, _ in first }
            )
    }

    var codingPath: [any CodingKey] { trail.keys }

    var allKeys: [Key] {
        value.members.compactMap { $0.name.string.flatMap { Key(stringValue: $0) } }
    }

    private func find(_ key: some CodingKey) -> JSONValue? {
        let name = key.stringValue
        return if let members { members[name] } else { value[name] }
    }

    /// The decoder of the value of a key that must be there.
    private func decoder(of key: some CodingKey) throws -> ValueDecoder {
        guard let member = find(key) else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "No value associated with key \(key)."
                )
            )
        }
        return ValueDecoder(value: member, trail: .field(trail, key.stringValue))
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(of: key).decodeNil() }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try decoder(of: key).decode(type)
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoder(of: key).decode(type)
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decoder(of: key).decode(type)
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try decoder(of: key).decode(type)
    }

    func decode<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type,
        forKey key: Key
    ) throws -> Number {
        try decoder(of: key).decode(type)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(of: key).decode(type)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        try decoder(of: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(of: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(of: JSONKey("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(of: key) }
}

/// Swift's container of the elements of an array that is read.
struct ArrayDecoder: UnkeyedDecodingContainer {
    private let trail: CodingTrail
    private var elements: JSONElements
    private var following: JSONValue?
    private(set) var currentIndex = 0
    let count: Int?

    /// The container of an array.
    init(value: JSONValue, trail: CodingTrail) {
        self.trail = trail
        elements = value.elements
        count = elements.count
        following = elements.next()
    }

    var codingPath: [any CodingKey] { trail.keys }
    var isAtEnd: Bool { following == nil }

    /// Reads the next element; one that does not fit is still there afterwards.
    private mutating func next<Result>(
        _ type: Any.Type,
        _ read: (ValueDecoder) throws -> Result
    ) throws -> Result {
        let place = CodingTrail.element(trail, currentIndex)
        guard let following else {
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: place.keys,
                    debugDescription: "Unkeyed container is at end."
                )
            )
        }
        let result = try read(ValueDecoder(value: following, trail: place))
        self.following = elements.next()
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard following?.isNull == true else { return false }
        return try next(Never.self) { $0.decodeNil() }
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool {
        try next(type) { try $0.decode(type) }
    }

    mutating func decode(_ type: String.Type) throws -> String {
        try next(type) { try $0.decode(type) }
    }

    mutating func decode(_ type: Double.Type) throws -> Double {
        try next(type) { try $0.decode(type) }
    }

    mutating func decode(_ type: Float.Type) throws -> Float {
        try next(type) { try $0.decode(type) }
    }

    mutating func decode<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type
    ) throws -> Number {
        try next(type) { try $0.decode(type) }
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next(type) { try $0.decode(type) }
    }

    mutating func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type
    ) throws -> KeyedDecodingContainer<Inner> {
        try next(type) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([Any].self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }
}

/// The way from the value that is decoded to one in it, for errors.
indirect enum CodingTrail: Sendable {
    /// The value itself.
    case root
    /// A field of an object.
    case field(CodingTrail, String)
    /// An element of an array.
    case element(CodingTrail, Int)

    /// The way as Swift's errors tell it.
    var keys: [any CodingKey] {
        switch self {
        case .root: []
        case .field(let trail, let name): trail.keys + [JSONKey(name)]
        case .element(let trail, let index): trail.keys + [JSONKey(index)]
        }
    }
}

/// A name in an object or a place in an array, in the path to what could not be read.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    /// A name.
    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    /// A place, from 0.
    init(_ index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { self.init(intValue) }
}
