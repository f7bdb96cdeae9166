import JSONCoding
import SessionCRDT

struct JSONFieldError: Error, Hashable, Sendable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Throws an error with the reason unless the condition holds.
func require(_ holds: Bool, _ reason: @autoclosure () -> String) throws(JSONFieldError) {
    if !holds { throw JSONFieldError(reason()) }
}

/// Typed access to the fields of a message.
///
/// Fields that are not read are ignored, because they may belong to a later version. An absent
/// field reads as null.
extension JSONValue {
    /// Returns a text of at most `limit` bytes of UTF-8.
    func text(_ name: String, limit: Int) throws(JSONFieldError) -> String {
        guard let text = self[name]?.string else { throw JSONFieldError("\(name) is not a text") }
        try require(text.utf8.count <= limit, "\(name) is longer than \(limit) bytes")
        return text
    }

    /// Returns a text for people of at most `limit` bytes, without characters that are dangerous in
    /// a terminal.
    func printable(_ name: String, limit: Int) throws(JSONFieldError) -> String {
        PrintableText.cleaned(try text(name, limit: limit), limit: limit)
    }

    func boolean(_ name: String) throws(JSONFieldError) -> Bool {
        guard let flag = self[name]?.boolean else {
            throw JSONFieldError("\(name) is neither true nor false")
        }
        return flag
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(JSONFieldError) -> Int64 {
        try JSONValue.integer(self[name], name, in: range)
    }

    /// Returns a TCP port; zero means none.
    func port(_ name: String) throws(JSONFieldError) -> UInt16 {
        UInt16(truncatingIfNeeded: try integer(name, in: 0...65_535))
    }

    func id<Tag>(_ name: String) throws(JSONFieldError) -> ID<Tag> {
        try JSONValue.id(self[name], name)
    }

    /// Returns the elements of an array, at most `limit`.
    func array(_ name: String, limit: Int = .max) throws(JSONFieldError) -> JSONElements {
        try JSONValue.array(self[name], name, limit: limit)
    }

    /// Returns the protocol versions, `{"max":1,"min":1}`.
    func versions(_ name: String) throws(JSONFieldError) -> ClosedRange<Int> {
        guard let range = self[name], range.isObject else {
            throw JSONFieldError("\(name) is not an object")
        }
        let lowest = try range.integer("min", in: 1...65_535)
        let highest = try range.integer("max", in: 1...65_535)
        try require(lowest <= highest, "\(name) is an empty range")
        return Int(lowest)...Int(highest)
    }

    func vector(_ name: String) throws(JSONFieldError) -> VersionVector {
        var sequences: [ActorID: UInt64] = [:]
        for element in try array(name, limit: Limits.actors) {
            var pair = try JSONValue.array(element, name, limit: 2)
            try require(pair.count == 2, "\(name) has an incomplete pair")
            let actor: ActorID = try JSONValue.id(pair.next(), name)
            let sequence = try JSONValue.integer(pair.next(), name, in: 1...Limits.largestInteger)
            guard sequences.updateValue(UInt64(sequence), forKey: actor) == nil else {
                throw JSONFieldError("\(name) has an actor twice")
            }
        }
        return VersionVector(sequences)
    }

    func digest(_ name: String) throws(JSONFieldError) -> Digest {
        guard let digest = Digest(try text(name, limit: 32)) else {
            throw JSONFieldError("\(name) is not a digest")
        }
        return digest
    }

    static func integer(
        _ value: JSONValue?,
        _ name: String,
        in range: ClosedRange<Int64>
    ) throws(JSONFieldError) -> Int64 {
        guard let number = value?.integer, range.contains(number) else {
            let (lowest, highest) = (range.lowerBound, range.upperBound)
            throw JSONFieldError("\(name) is not an integer from \(lowest) to \(highest)")
        }
        return number
    }

    static func id<Tag>(_ value: JSONValue?, _ name: String) throws(JSONFieldError) -> ID<Tag> {
        guard let text = value?.string, let id = ID<Tag>(text) else {
            throw JSONFieldError("\(name) is not an id")
        }
        return id
    }

    static func array(
        _ value: JSONValue?,
        _ name: String,
        limit: Int = .max
    ) throws(JSONFieldError) -> JSONElements {
        guard let value, value.isArray else { throw JSONFieldError("\(name) is not an array") }
        let elements = value.elements
        guard limit == .max || elements.count <= limit else {
            throw JSONFieldError("\(name) has more than \(limit) elements")
        }
        return elements
    }
}

/// Typed writing of the fields of a message; the caller must write them sorted by name.
extension JSONWriter {
    mutating func field(_ name: String, _ text: String) {
        self.name(name)
        self.text(text)
    }

    /// Writes a text for people, cleaned and truncated to `limit` bytes.
    mutating func field(_ name: String, printable text: String, limit: Int) {
        field(name, PrintableText.cleaned(text, limit: limit))
    }

    mutating func field<Tag>(_ name: String, _ id: ID<Tag>) {
        self.name(name)
        self.id(id)
    }

    /// Writes an integer, clamped to the largest that JSON readers represent exactly.
    mutating func field(_ name: String, _ number: some FixedWidthInteger & UnsignedInteger) {
        self.name(name)
        limited(UInt64(truncatingIfNeeded: number))
    }

    mutating func limited(_ number: UInt64) { integer(min(number, UInt64(Limits.largestInteger))) }

    mutating func field(_ name: String, _ versions: ClosedRange<Int>) {
        self.name(name)
        object { json in
            json.name("max")
            json.integer(Int64(versions.upperBound))
            json.name("min")
            json.integer(Int64(versions.lowerBound))
        }
    }

    mutating func field(_ name: String, _ vector: VersionVector) {
        self.name(name)
        array { json in
            for dot in vector.sorted {
                json.array { json in
                    json.id(dot.actor)
                    json.limited(dot.sequence)
                }
            }
        }
    }

    mutating func field(_ name: String, _ texts: some Sequence<String>) {
        self.name(name)
        array { json in
            for text in texts { json.text(text) }
        }
    }
}
