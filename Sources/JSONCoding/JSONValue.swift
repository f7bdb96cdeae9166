import SessionCRDT

/// Bytes that hold one JSON value, read once, with an index of everything in them.
///
/// What this accepts is valid JSON (RFC 8259) in valid UTF-8, not deeper than the limit, with no
/// key twice in an object and no number that a reader could round. All readers of a frame go by
/// its index: none looks at the bytes between values again, and nothing that a stranger sends is
/// copied before somebody asks for it.
package final class JSONText: Sendable {
    /// The deepest nesting of arrays and objects that is read by default.
    package static let deepest = 32

    /// Which numbers are read.
    package enum Numbers: Sendable {
        /// Integers within ±(2⁵³ − 1) and fractions that are finite: what every reader keeps.
        case kept
        /// All, as in what people write by hand: whoever asks for one judges it.
        case any
    }

    let bytes: [UInt8]
    let tokens: [JSONToken]

    /// Reads one JSON value and nothing else.
    ///
    /// - Parameters:
    ///   - bytes: the JSON in UTF-8, without byte order mark.
    ///   - depth: how deep arrays and objects may nest.
    ///   - numbers: which numbers are read.
    /// - Throws: what is wrong, and at which byte.
    package init(
        _ bytes: [UInt8],
        depth: Int = JSONText.deepest,
        numbers: Numbers = .kept
    ) throws(JSONScanError) {
        var scanner = JSONScanner(bytes, depth: depth, numbers: numbers)
        try scanner.document()
        self.bytes = bytes
        tokens = scanner.tokens
    }

    /// The text `{}`.
    init() {
        bytes = Array("{}".utf8)
        tokens = [JSONToken(kind: .object, start: 0, end: 2, next: 1)]
    }

    /// The value.
    package var root: JSONValue { JSONValue(text: self, token: 0) }
}

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

/// Where a value or a name of an object stands in a JSON text.
///
/// The tokens of a container follow it, up to `next`; in an object the token of each name comes
/// right before that of its value.
struct JSONToken: Hashable, Sendable {
    /// The form of a value.
    enum Kind: UInt8, Sendable {
        case null
        case no
        case yes
        /// A number without fraction and exponent, within ±(2⁵³ − 1).
        case integer
        /// Any other number.
        case fraction
        /// A text that is spelled in the only way there is, in ASCII without escapes.
        case plainText
        /// Any other text.
        case text
        case array
        case object
    }

    /// The form.
    let kind: Kind
    /// The first byte.
    let start: UInt32
    /// The byte after the last.
    var end: UInt32 = 0
    /// The token after this value and everything in it.
    var next: UInt32 = 0
}

/// How texts are spelled in JSON.
enum JSONString {
    /// The text of a token, escapes resolved.
    static func text(of token: JSONToken, in bytes: [UInt8]) -> String {
        let inside = bytes[Int(token.start) + 1..<Int(token.end) - 1]
        guard token.kind != .plainText, inside.contains(UInt8(ascii: "\\")) else {
            return String(decoding: inside, as: UTF8.self)
        }
        var text: [UInt8] = []
        text.reserveCapacity(inside.count)
        var index = inside.startIndex
        while index < inside.endIndex {
            guard inside[index] == UInt8(ascii: "\\"), index + 1 < inside.endIndex else {
                text.append(inside[index])
                index += 1
                continue
            }
            if inside[index + 1] == UInt8(ascii: "u") {
                index = appendScalar(of: inside, at: index, to: &text)
            } else {
                text.append(meaning(of: inside[index + 1]))
                index += 2
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// What stands after the backslash for a byte that must not stand in a text itself; zero for
    /// one that may, and `u` for one that has no short form.
    static func escape(of byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0A: UInt8(ascii: "n")
        case 0x0C: UInt8(ascii: "f")
        case 0x0D: UInt8(ascii: "r")
        case 0..<0x20: UInt8(ascii: "u")
        default: 0
        }
    }

    /// What the byte after a backslash stands for; a quote, a backslash and a slash for themselves.
    private static func meaning(of byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }

    /// Adds the character of a `\uXXXX`, or of two that make a pair; where to go on.
    private static func appendScalar(
        of bytes: ArraySlice<UInt8>,
        at index: Int,
        to text: inout [UInt8]
    ) -> Int {
        var code = unit(of: bytes, at: index)
        var next = index + 6
        if (0xD800...0xDBFF).contains(code) {
            code = 0x1_0000 + (code & 0x3FF) << 10 + unit(of: bytes, at: next) & 0x3FF
            next += 6
        }
        let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        return next
    }

    /// The number of a `\uXXXX`; the scan has seen to it that there is one.
    private static func unit(of bytes: ArraySlice<UInt8>, at index: Int) -> UInt32 {
        bytes[index + 2..<index + 6].reduce(0) { number, byte in
            number << 4 | UInt32(Hexadecimal.value(of: byte, allowsUppercase: true) ?? 0)
        }
    }
}
