import SessionCRDT

/// The bytes of one JSON value with an index of all values inside it.
///
/// The text must be valid JSON (RFC 8259) in valid UTF-8, within the depth limit, without duplicate
/// keys and without numbers that a reader would round. One scan checks all of that; afterwards
/// values are found by the index (a "tape", as in simdjson), and untrusted text is copied only when
/// it is read.
package final class JSONText: Sendable {
    /// The default limit for the nesting of arrays and objects.
    package static let maxDepth = 32

    package enum Numbers: Sendable {
        /// Integers within ±(2⁵³ − 1) and finite fractions, which every JSON reader can represent.
        case kept
        /// All numbers, for files written by hand; code that reads a number must check it.
        case any
    }

    let bytes: [UInt8]
    let tokens: [JSONToken]

    /// Scans bytes that must be one JSON value in UTF-8, without a byte order mark.
    package init(
        _ bytes: [UInt8],
        depth: Int = JSONText.maxDepth,
        numbers: Numbers = .kept
    ) throws(JSONScanError) {
        var scanner = JSONScanner(bytes, depth: depth, numbers: numbers)
        try scanner.document()
        self.bytes = bytes
        tokens = scanner.tokens
    }

    /// Creates the text `{}`.
    init() {
        bytes = Array("{}".utf8)
        tokens = [JSONToken(kind: .object, start: 0, end: 2, next: 1)]
    }

    package var root: JSONValue { JSONValue(text: self, token: 0) }
}

/// One value of a JSON text.
///
/// An accessor for another kind of value returns nil; no input makes an accessor trap.
package struct JSONValue: Sendable {
    let text: JSONText
    let token: Int

    var kind: JSONToken.Kind { text.tokens[token].kind }

    /// The range of the value in the bytes of the text.
    package var range: Range<Int> {
        let token = text.tokens[token]
        return Int(token.start)..<Int(token.end)
    }

    package var bytes: ArraySlice<UInt8> { text.bytes[range] }

    package var isNull: Bool { kind == .null }
    package var isArray: Bool { kind == .array }
    package var isObject: Bool { kind == .object }
    package var isNumber: Bool { kind == .integer || kind == .fraction }
    package var boolean: Bool? { kind == .yes || kind == .no ? kind == .yes : nil }

    /// The number, if it is within ±(2⁵³ − 1) and written without a fraction and an exponent.
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

    package var string: String? {
        guard kind == .plainText || kind == .text else { return nil }
        return JSONString.text(of: text.tokens[token], in: text.bytes)
    }

    /// The elements of an array; empty for other values.
    package var elements: JSONElements {
        let end = isArray ? Int(text.tokens[token].next) : token + 1
        return JSONElements(text: text, token: token + 1, end: end)
    }

    /// The members of an object in the order of the text; empty for other values.
    package var members: JSONMembers {
        let end = isObject ? Int(text.tokens[token].next) : token + 1
        return JSONMembers(elements: JSONElements(text: text, token: token + 1, end: end))
    }

    package subscript(name: String) -> JSONValue? {
        guard isObject else { return nil }
        let end = Int(text.tokens[token].next)
        var key = token + 1
        var name = name
        return name.withUTF8 { name in
            while key < end {
                if isName(text.tokens[key], name) { return JSONValue(text: text, token: key + 1) }
                key = Int(text.tokens[key + 1].next)
            }
            return nil
        }
    }

    private func isName(_ key: JSONToken, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard key.kind == .plainText else {
            return JSONString.text(of: key, in: text.bytes) == String(decoding: name, as: UTF8.self)
        }
        let start = Int(key.start) + 1
        guard Int(key.end) - 1 - start == name.count else { return false }
        return name.indices.allSatisfy { text.bytes[start + $0] == name[$0] }
    }

    /// Whether an object may have more than so many members, by the number of all values inside it.
    func mayHaveMoreMembers(than count: Int) -> Bool {
        Int(text.tokens[token].next) - token > 2 * count
    }
}

extension JSONValue: Hashable {
    /// The value `{}`.
    package static let emptyObject = JSONValue(text: JSONText(), token: 0)

    /// Whether both values have the same bytes; they may belong to different texts.
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        let (range, other) = (left.range, right.range)
        guard range.count == other.count else { return false }
        let distance = other.lowerBound - range.lowerBound
        // Backwards, because names often differ only at the end.
        var index = range.upperBound
        while index > range.lowerBound {
            index -= 1
            guard left.text.bytes[index] == right.text.bytes[index + distance] else { return false }
        }
        return true
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    let text: JSONText
    var token: Int
    let end: Int

    package mutating func next() -> JSONValue? {
        guard token < end else { return nil }
        defer { token = Int(text.tokens[token].next) }
        return JSONValue(text: text, token: token)
    }

    /// The number of remaining elements, in linear time.
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

package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    var elements: JSONElements

    /// The number of remaining members, in linear time.
    package var count: Int { elements.count / 2 }

    package mutating func next() -> (name: JSONValue, value: JSONValue)? {
        guard let name = elements.next(), let value = elements.next() else { return nil }
        return (name, value)
    }
}

/// The position and kind of a value, or of the name of a member.
///
/// The tokens inside a container directly follow its own, up to `next`; the token of a member's
/// name directly precedes that of its value.
struct JSONToken: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
        case null, no, yes
        /// A number without fraction and exponent, within ±(2⁵³ − 1).
        case integer
        /// Any other number.
        case fraction
        /// A text in ASCII without escapes, so that equal texts have equal bytes.
        case plainText
        case text
        case array, object
    }

    let kind: Kind
    let start: UInt32
    /// The index after the last byte.
    var end: UInt32 = 0
    /// The index of the token after this value and everything inside it.
    var next: UInt32 = 0
}

enum JSONString {
    /// Returns the text of a token, with escapes replaced by the characters they stand for.
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

    /// Returns the byte that follows the backslash in the escape of a byte: zero if the byte needs
    /// no escape, `u` if there is no short escape for it.
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

    /// Returns the byte that a backslash followed by this byte stands for.
    private static func meaning(of byte: UInt8) -> UInt8 {
        [0x08, 0x09, 0x0A, 0x0C, 0x0D].first { escape(of: $0) == byte } ?? byte
    }

    /// Appends the character of a `\uXXXX` escape or of a surrogate pair; returns the index after
    /// it.
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

    /// Returns the UTF-16 code unit of a `\uXXXX` escape, whose digits the scan has checked.
    private static func unit(of bytes: ArraySlice<UInt8>, at index: Int) -> UInt32 {
        bytes[index + 2..<index + 6].reduce(0) { number, byte in
            number << 4 | UInt32(Hexadecimal.value(of: byte, allowsUppercase: true) ?? 0)
        }
    }
}
