/// One value of a JSON text: a place in its index.
///
/// Asking it for something that it is not gives nil; nothing traps, whoever wrote the text.
package struct JSONValue: Sendable {
    let text: JSONText
    let token: Int

    /// The value at a token.
    init(text: JSONText, token: Int) {
        self.text = text
        self.token = token
    }

    var kind: JSONToken.Kind { text.tokens[token].kind }

    /// Where the value stands among the bytes of the text.
    package var range: Range<Int> {
        let token = text.tokens[token]
        return Int(token.start)..<Int(token.end)
    }

    /// The value as it is written.
    package var bytes: ArraySlice<UInt8> { text.bytes[range] }

    /// Whether it is `null`.
    package var isNull: Bool { kind == .null }

    /// Whether it is an array.
    package var isArray: Bool { kind == .array }

    /// Whether it is an object.
    package var isObject: Bool { kind == .object }

    /// Whether it is a number.
    package var isNumber: Bool { kind == .integer || kind == .fraction }

    /// Yes or no.
    package var boolean: Bool? {
        switch kind {
        case .yes: true
        case .no: false
        case .null, .integer, .fraction, .plainText, .text, .array, .object: nil
        }
    }

    /// The number, where it is whole, written so, and within ±(2⁵³ − 1).
    package var integer: Int64? {
        guard kind == .integer else { return nil }
        var number: Int64 = 0
        var index = range.lowerBound
        let end = range.upperBound
        let isNegative = text.bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        while index < end {
            number = number * 10 + Int64(text.bytes[index] & 15)
            index += 1
        }
        return isNegative ? 0 - number : number
    }

    /// The text.
    package var string: String? {
        switch kind {
        case .plainText, .text: JSONString.text(of: text.tokens[token], in: text.bytes)
        case .null, .no, .yes, .integer, .fraction, .array, .object: nil
        }
    }

    /// Whether another value, of this text or of another, is written with the same bytes.
    package func isSpelled(like other: JSONValue) -> Bool {
        let (mine, others) = (range, other.range)
        guard mine.count == others.count else { return false }
        let distance = others.lowerBound - mine.lowerBound
        // Backwards, because names differ at their ends.
        var index = mine.upperBound
        while index > mine.lowerBound {
            index -= 1
            guard text.bytes[index] == other.text.bytes[index + distance] else { return false }
        }
        return true
    }

    /// The elements of an array, none of anything else.
    package var elements: JSONElements {
        let end = isArray ? Int(text.tokens[token].next) : token + 1
        return JSONElements(text: text, token: token + 1, end: end)
    }

    /// The members of an object in the order of the text, none of anything else.
    package var members: JSONMembers {
        let end = isObject ? Int(text.tokens[token].next) : token + 1
        return JSONMembers(elements: JSONElements(text: text, token: token + 1, end: end))
    }

    /// The member of an object with this name.
    package subscript(name: String) -> JSONValue? {
        guard isObject else { return nil }
        let end = Int(text.tokens[token].next)
        var key = token + 1
        while key < end {
            if isName(text.tokens[key], name) { return JSONValue(text: text, token: key + 1) }
            key = Int(text.tokens[key + 1].next)
        }
        return nil
    }

    private func isName(_ key: JSONToken, _ name: String) -> Bool {
        guard key.kind == .plainText else {
            return JSONString.text(of: key, in: text.bytes) == name
        }
        var index = Int(key.start) + 1
        guard Int(key.end) - 1 - index == name.utf8.count else { return false }
        for byte in name.utf8 {
            guard byte == text.bytes[index] else { return false }
            index += 1
        }
        return true
    }
}

extension JSONValue: Hashable {
    /// The value `{}`.
    package static let emptyObject = JSONValue(text: JSONText(), token: 0)

    /// Whether both are written with the same bytes.
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        left.isSpelled(like: right)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// The elements of an array, one after the other.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    let text: JSONText
    var token: Int
    let end: Int

    /// The next element; nil after the last.
    package mutating func next() -> JSONValue? {
        guard token < end else { return nil }
        defer { token = Int(text.tokens[token].next) }
        return JSONValue(text: text, token: token)
    }

    /// How many elements are left; it walks over them.
    package var count: Int {
        var count = 0
        var token = token
        while token < end {
            token = Int(text.tokens[token].next)
            count += 1
        }
        return count
    }
}

/// The members of an object, one after the other.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    var elements: JSONElements

    /// How many members are left; it walks over them.
    package var count: Int { elements.count / 2 }

    /// The next name, a text, and its value; nil after the last.
    package mutating func next() -> (name: JSONValue, value: JSONValue)? {
        guard let name = elements.next(), let value = elements.next() else { return nil }
        return (name, value)
    }
}
