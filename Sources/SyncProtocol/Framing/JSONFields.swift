import JSONCoding
import SessionCRDT

/// Why a field of a message was refused.
struct JSONFieldError: Error, Hashable, Sendable {
    /// What is wrong, for people.
    let reason: String

    /// An error with this reason.
    init(_ reason: String) {
        self.reason = reason
    }
}

/// The fields of a message, read by name and form.
///
/// Fields that nobody asks for are ignored: a later version may have put them there. A field that
/// is left out reads as null.
extension JSONValue {
    /// A text of at most `limit` bytes of UTF-8.
    func text(_ name: String, limit: Int) throws(JSONFieldError) -> String {
        guard let text = self[name]?.string else { throw JSONFieldError("\(name) is no text") }
        guard text.utf8.count <= limit else {
            throw JSONFieldError("\(name) is longer than \(limit) bytes")
        }
        return text
    }

    /// A text for people of at most `limit` bytes, without what would upset a terminal.
    func printable(_ name: String, limit: Int) throws(JSONFieldError) -> String {
        PrintableText.cleaned(try text(name, limit: limit), limit: limit)
    }

    /// Yes or no.
    func boolean(_ name: String) throws(JSONFieldError) -> Bool {
        guard let flag = self[name]?.boolean else {
            throw JSONFieldError("\(name) is neither true nor false")
        }
        return flag
    }

    /// An integer within a range.
    func integer(
        _ name: String,
        in range: ClosedRange<Int64>
    ) throws(JSONFieldError) -> Int64 {
        try JSONValue.integer(self[name], name, in: range)
    }

    /// A TCP port, or zero for none.
    func port(_ name: String) throws(JSONFieldError) -> UInt16 {
        UInt16(truncatingIfNeeded: try integer(name, in: 0...65_535))
    }

    /// An id in its text form.
    func id<Tag>(_ name: String) throws(JSONFieldError) -> ID<Tag> {
        try JSONValue.id(self[name], name)
    }

    /// The elements of an array, at most `limit`.
    func array(_ name: String, limit: Int = .max) throws(JSONFieldError) -> JSONElements {
        try JSONValue.array(self[name], name, limit: limit)
    }

    /// The protocol versions, `{"max":1,"min":1}`.
    func versions(_ name: String) throws(JSONFieldError) -> ClosedRange<Int> {
        guard let range = self[name], range.isObject else {
            throw JSONFieldError("\(name) is no object")
        }
        let lowest = try range.integer("min", in: 1...65_535)
        let highest = try range.integer("max", in: 1...65_535)
        guard lowest <= highest else { throw JSONFieldError("\(name) is an empty range") }
        return Int(lowest)...Int(highest)
    }

    /// A version vector, `[["<actor>",12],…]`.
    func vector(_ name: String) throws(JSONFieldError) -> VersionVector {
        var sequences: [ActorID: UInt64] = [:]
        for element in try array(name, limit: Limits.actors) {
            var pair = try JSONValue.array(element, name, limit: 2)
            guard pair.count == 2 else { throw JSONFieldError("\(name) has a pair without end") }
            let actor: ActorID = try JSONValue.id(pair.next(), name)
            let sequence = try JSONValue.integer(pair.next(), name, in: 1...Limits.largestInteger)
            guard sequences.updateValue(UInt64(sequence), forKey: actor) == nil else {
                throw JSONFieldError("\(name) has an actor twice")
            }
        }
        return VersionVector(sequences)
    }

    /// A digest in its text form.
    func digest(_ name: String) throws(JSONFieldError) -> Digest {
        guard let digest = Digest(try text(name, limit: 32)) else {
            throw JSONFieldError("\(name) is no digest")
        }
        return digest
    }

    // MARK: Values

    /// The integer, if it is one within the range.
    static func integer(
        _ value: JSONValue?,
        _ name: String,
        in range: ClosedRange<Int64>
    ) throws(JSONFieldError) -> Int64 {
        guard let number = value?.integer, range.contains(number) else {
            let (lowest, highest) = (range.lowerBound, range.upperBound)
            throw JSONFieldError("\(name) is no integer from \(lowest) to \(highest)")
        }
        return number
    }

    /// The id, if it is one in its text form.
    static func id<Tag>(_ value: JSONValue?, _ name: String) throws(JSONFieldError) -> ID<Tag> {
        guard let text = value?.string, let id = ID<Tag>(text) else {
            throw JSONFieldError("\(name) is no id")
        }
        return id
    }

    /// The elements, if it is an array of at most `limit`.
    static func array(
        _ value: JSONValue?,
        _ name: String,
        limit: Int = .max
    ) throws(JSONFieldError) -> JSONElements {
        guard let value, value.isArray else { throw JSONFieldError("\(name) is no array") }
        let elements = value.elements
        guard limit == .max || elements.count <= limit else {
            throw JSONFieldError("\(name) has more than \(limit) elements")
        }
        return elements
    }
}

/// The fields of a message, written by form; who writes them gives them sorted by name.
extension JSONWriter {
    /// A field with a text.
    mutating func field(_ name: String, _ text: String) {
        self.name(name)
        self.text(text)
    }

    /// A field with a text for people, cut to `limit` bytes.
    mutating func field(_ name: String, printable text: String, limit: Int) {
        field(name, PrintableText.cleaned(text, limit: limit))
    }

    /// A field with an id.
    mutating func field<Tag>(_ name: String, _ id: ID<Tag>) {
        self.name(name)
        self.id(id)
    }

    /// A field with a whole number; one that is too large for JSON becomes the largest that is not.
    mutating func field(_ name: String, _ number: some FixedWidthInteger & UnsignedInteger) {
        self.name(name)
        limited(UInt64(truncatingIfNeeded: number))
    }

    /// A number that may be too large for JSON: then the largest that is not.
    mutating func limited(_ number: UInt64) {
        integer(min(number, UInt64(Limits.largestInteger)))
    }

    /// A field with the protocol versions.
    mutating func field(_ name: String, _ versions: ClosedRange<Int>) {
        self.name(name)
        object { json in
            json.name("max")
            json.integer(Int64(versions.upperBound))
            json.name("min")
            json.integer(Int64(versions.lowerBound))
        }
    }

    /// A field with a version vector.
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

    /// A field with texts.
    mutating func field(_ name: String, _ texts: some Sequence<String>) {
        self.name(name)
        array { json in
            for text in texts { json.text(text) }
        }
    }
}
