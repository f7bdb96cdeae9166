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
