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
