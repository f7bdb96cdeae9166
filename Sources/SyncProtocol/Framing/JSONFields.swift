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
/// Fields that nobody asks for are ignored: a later version may have put them there.
struct JSONFields {
    private let fields: [String: JSONTree]

    /// The fields of an object; anything else has none.
    init(_ tree: JSONTree) throws(JSONFieldError) {
        guard case .object(let fields) = tree else { throw JSONFieldError("not an object") }
        self.fields = fields
    }

    /// The field as it is; null when it is left out.
    subscript(name: String) -> JSONTree { fields[name] ?? .null }

    /// A text of at most `limit` bytes of UTF-8.
    func text(_ name: String, limit: Int) throws(JSONFieldError) -> String {
        guard case .text(let text) = self[name] else { throw JSONFieldError("\(name) is no text") }
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
        guard case .boolean(let flag) = self[name] else {
            throw JSONFieldError("\(name) is neither true nor false")
        }
        return flag
    }

    /// An integer within a range.
    func integer(
        _ name: String,
        in range: ClosedRange<Int64>
    ) throws(JSONFieldError) -> Int64 {
        try self[name].integer(name, in: range)
    }

    /// A TCP port, or zero for none.
    func port(_ name: String) throws(JSONFieldError) -> UInt16 {
        UInt16(truncatingIfNeeded: try integer(name, in: 0...65_535))
    }

    /// An id in its text form.
    func id<Tag>(_ name: String) throws(JSONFieldError) -> ID<Tag> {
        try self[name].id(name)
    }

    /// The elements of an array, at most `limit`.
    func array(_ name: String, limit: Int = .max) throws(JSONFieldError) -> [JSONTree] {
        try self[name].array(name, limit: limit)
    }

    /// The protocol versions, `{"max":1,"min":1}`.
    func versions(_ name: String) throws(JSONFieldError) -> ClosedRange<Int> {
        let range = try JSONFields(self[name])
        let lowest = try range.integer("min", in: 1...65_535)
        let highest = try range.integer("max", in: 1...65_535)
        guard lowest <= highest else { throw JSONFieldError("\(name) is an empty range") }
        return Int(lowest)...Int(highest)
    }

    /// A version vector, `[["<actor>",12],…]`.
    func vector(_ name: String) throws(JSONFieldError) -> VersionVector {
        var sequences: [ActorID: UInt64] = [:]
        for element in try array(name, limit: Limits.actors) {
            let pair = try element.array(name, limit: 2)
            guard pair.count == 2 else { throw JSONFieldError("\(name) has a pair without end") }
            let actor: ActorID = try pair[0].id(name)
            let sequence = try pair[1].integer(name, in: 1...Limits.largestInteger)
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
}

extension JSONTree {
    /// The integer, if it is one within the range.
    func integer(
        _ name: String,
        in range: ClosedRange<Int64>
    ) throws(JSONFieldError) -> Int64 {
        guard case .integer(let number) = self, range.contains(number) else {
            let (lowest, highest) = (range.lowerBound, range.upperBound)
            throw JSONFieldError("\(name) is no integer from \(lowest) to \(highest)")
        }
        return number
    }

    /// The id, if it is one in its text form.
    func id<Tag>(_ name: String) throws(JSONFieldError) -> ID<Tag> {
        guard case .text(let text) = self, let id = ID<Tag>(text) else {
            throw JSONFieldError("\(name) is no id")
        }
        return id
    }

    /// The elements, if it is an array of at most `limit`.
    func array(_ name: String, limit: Int = .max) throws(JSONFieldError) -> [JSONTree] {
        guard case .array(let elements) = self else { throw JSONFieldError("\(name) is no array") }
        guard elements.count <= limit else {
            throw JSONFieldError("\(name) has more than \(limit) elements")
        }
        return elements
    }

    /// The form of protocol versions.
    static func versions(_ range: ClosedRange<Int>) -> JSONTree {
        ["max": .integer(Int64(range.upperBound)), "min": .integer(Int64(range.lowerBound))]
    }

    /// The form of a version vector.
    static func vector(_ vector: VersionVector) -> JSONTree {
        .array(
            vector.sorted.map { dot in
                [.text(dot.actor.description), .integer(limited: dot.sequence)]
            }
        )
    }

    /// A number that may be too large for JSON: then the largest that is not.
    static func integer(limited number: UInt64) -> JSONTree {
        .integer(Int64(min(number, UInt64(Limits.largestInteger))))
    }
}
