import SessionCRDT

/// A scanner that validates JSON (RFC 8259) and produces its tokens in a single pass.
struct JSONScanner {
    /// The maximum number of an object's keys that are compared one by one rather than in a set.
    private static let maxLinearKeys = 16

    private static let trueWord = Array("true".utf8)
    private static let falseWord = Array("false".utf8)
    private static let nullWord = Array("null".utf8)

    private(set) var tokens: [JSONToken] = []

    private let bytes: [UInt8]
    private let depth: Int
    private let keepsAnyNumber: Bool
    private var index = 0

    init(_ bytes: [UInt8], depth: Int, numbers: JSONText.Numbers) {
        self.bytes = bytes
        self.depth = depth
        keepsAnyNumber = numbers == .any
        // Enough for deltas, whose rows average one token per ten bytes.
        tokens.reserveCapacity(bytes.count / 8 + 1)
    }

    /// Scans one value, which must end at the end of the bytes.
    mutating func document() throws(JSONScanError) {
        guard bytes.count < Int32.max else { throw error(.length) }
        skipSpace()
        try value(level: 1)
        skipSpace()
        guard index == bytes.count else { throw error(.trailing) }
    }

    /// The next byte; past the end zero, which JSON never contains.
    private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private func error(
        _ reason: JSONScanError.Reason,
        at offset: Int? = nil,
        in part: JSONScanError.Part = .value,
        from start: Int? = nil
    ) -> JSONScanError {
        JSONScanError(reason: reason, offset: offset ?? index, part: part, start: start)
    }

    /// Returns the error for an unexpected byte or, at the end, for a missing one.
    private func unexpected(in part: JSONScanError.Part, from start: Int? = nil) -> JSONScanError {
        error(index < bytes.count ? .syntax : .unfinished, in: part, from: start)
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    // MARK: Values

    private mutating func value(level: Int) throws(JSONScanError) {
        switch byte {
        case UInt8(ascii: "{"): try object(level: level)
        case UInt8(ascii: "["): try array(level: level)
        case UInt8(ascii: "\""): _ = try text()
        case UInt8(ascii: "t"): try word(JSONScanner.trueWord, .yes)
        case UInt8(ascii: "f"): try word(JSONScanner.falseWord, .no)
        case UInt8(ascii: "n"): try word(JSONScanner.nullWord, .null)
        default: try number()
        }
    }

    /// Appends the token of a value without elements, which ends at the current position.
    private mutating func add(_ kind: JSONToken.Kind, from start: Int) {
        tokens.append(
            JSONToken(
                kind: kind,
                start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: index),
                next: UInt32(truncatingIfNeeded: tokens.count + 1)
            )
        )
    }

    /// Appends the token of a container, which begins at the current position; returns its index.
    private mutating func open(_ kind: JSONToken.Kind, level: Int) throws(JSONScanError) -> Int {
        guard level <= depth else { throw error(.depth) }
        tokens.append(JSONToken(kind: kind, start: UInt32(truncatingIfNeeded: index)))
        index += 1
        skipSpace()
        return tokens.count - 1
    }

    private mutating func close(_ token: Int) {
        index += 1
        tokens[token].end = UInt32(truncatingIfNeeded: index)
        tokens[token].next = UInt32(truncatingIfNeeded: tokens.count)
    }

    private mutating func word(_ word: [UInt8], _ kind: JSONToken.Kind) throws(JSONScanError) {
        let start = index
        for expected in word {
            guard byte == expected else { throw unexpected(in: .value, from: start) }
            index += 1
        }
        add(kind, from: start)
    }

    private mutating func array(level: Int) throws(JSONScanError) {
        let token = try open(.array, level: level)
        guard byte != UInt8(ascii: "]") else { return close(token) }
        while true {
            try value(level: level + 1)
            skipSpace()
            guard byte == UInt8(ascii: ",") else { break }
            index += 1
            skipSpace()
        }
        guard byte == UInt8(ascii: "]") else { throw unexpected(in: .elementEnd) }
        close(token)
    }

    private mutating func object(level: Int) throws(JSONScanError) {
        let token = try open(.object, level: level)
        guard byte != UInt8(ascii: "}") else { return close(token) }
        var keys = 0
        var many: Set<String> = []
        while true {
            try key(of: token, after: keys, &many)
            keys += 1
            skipSpace()
            guard byte == UInt8(ascii: ":") else { throw unexpected(in: .colon) }
            index += 1
            skipSpace()
            try value(level: level + 1)
            skipSpace()
            guard byte == UInt8(ascii: ",") else { break }
            index += 1
            skipSpace()
        }
        guard byte == UInt8(ascii: "}") else { throw unexpected(in: .memberEnd) }
        close(token)
    }

    /// Scans a key, which must not have occurred in the object before.
    ///
    /// A few plain keys are compared by their bytes. Many keys, or keys with escapes or non-ASCII
    /// characters, are compared as texts in a set, which considers the same keys equal as a
    /// dictionary does.
    private mutating func key(
        of object: Int,
        after count: Int,
        _ many: inout Set<String>
    ) throws(JSONScanError) {
        guard byte == UInt8(ascii: "\"") else { throw unexpected(in: .name) }
        let start = index
        let isPlain = try text()
        let key = tokens[tokens.count - 1]
        let isAlone = isPlain && many.isEmpty && count < JSONScanner.maxLinearKeys
        if !isAlone, many.isEmpty {
            forEachKey(of: object, count) { many.insert(JSONString.text(of: $0, in: bytes)) }
        }
        var isNew = true
        if isAlone {
            forEachKey(of: object, count) { other in
                if isEqual(other, key) { isNew = false }
            }
        } else {
            isNew = many.insert(JSONString.text(of: key, in: bytes)).inserted
        }
        guard isNew else { throw error(.duplicateKey, at: start, in: .name) }
    }

    /// Calls `visit` with the first keys of an object.
    private func forEachKey(of object: Int, _ count: Int, _ visit: (JSONToken) -> Void) {
        var token = object + 1
        for _ in 0..<count {
            visit(tokens[token])
            token = Int(tokens[token + 1].next)
        }
    }

    private func isEqual(_ left: JSONToken, _ right: JSONToken) -> Bool {
        let count = left.end - left.start
        guard count == right.end - right.start else { return false }
        for offset in 0..<count
        where bytes[Int(left.start + offset)] != bytes[Int(right.start + offset)] {
            return false
        }
        return true
    }

    // MARK: Texts

    /// Scans a text; returns whether it is plain (ASCII without escapes).
    private mutating func text() throws(JSONScanError) -> Bool {
        let start = index
        var isPlain = true
        index += 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                add(isPlain ? .plainText : .text, from: start)
                return isPlain
            case UInt8(ascii: "\\"):
                isPlain = false
                try escape()
            case 0..<0x20:
                throw error(.syntax, in: .text, from: start)
            case 0x80...:
                isPlain = false
                try scalar()
            default:
                index += 1
            }
        }
        throw error(.unfinished, in: .text, from: start)
    }

    private mutating func escape() throws(JSONScanError) {
        let start = index
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 1
        case UInt8(ascii: "u"):
            index += 1
            switch try fourDigits(from: start) {
            case 0xD800...0xDBFF:
                guard byte == UInt8(ascii: "\\"), index + 1 < bytes.count,
                    bytes[index + 1] == UInt8(ascii: "u")
                else { throw error(.surrogate, at: start, in: .escape) }
                index += 2
                guard (0xDC00...0xDFFF).contains(try fourDigits(from: start)) else {
                    throw error(.surrogate, at: start, in: .escape)
                }
            case 0xDC00...0xDFFF:
                throw error(.surrogate, at: start, in: .escape)
            default: break
            }
        default: throw unexpected(in: .escape, from: start)
        }
    }

    private mutating func fourDigits(from start: Int) throws(JSONScanError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Hexadecimal.value(of: byte, allowsUppercase: true) else {
                throw unexpected(in: .escape, from: start)
            }
            number = number << 4 | UInt32(digit)
            index += 1
        }
        return number
    }

    /// Scans a character outside ASCII and checks its UTF-8 (The Unicode Standard, table 3-7).
    private mutating func scalar() throws(JSONScanError) {
        let count: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[index] {
        case 0xC2...0xDF: count = 2
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: count = 3
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: count = 4
        default: throw error(.encoding, in: .text)
        }
        guard bytes.count - index >= count else { throw error(.unfinished, in: .text) }
        guard second.contains(bytes[index + 1]) else { throw error(.encoding, in: .text) }
        for offset in 2..<count where bytes[index + offset] & 0xC0 != 0x80 {
            throw error(.encoding, in: .text)
        }
        index += count
    }

    // MARK: Numbers

    private mutating func number() throws(JSONScanError) {
        let start = index
        if byte == UInt8(ascii: "-") { index += 1 }
        let whole = index
        let magnitude = try digits(from: start)
        let wholeDigits = index - whole
        guard wholeDigits == 1 || bytes[whole] != UInt8(ascii: "0") else {
            throw error(.syntax, at: whole, in: .number, from: start)
        }
        var isInteger = true
        var fractionDigits = 0
        var exponent = 0
        if byte == UInt8(ascii: ".") {
            isInteger = false
            index += 1
            let fraction = index
            _ = try digits(from: start)
            fractionDigits = index - fraction
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            isInteger = false
            index += 1
            let isNegative = byte == UInt8(ascii: "-")
            if isNegative || byte == UInt8(ascii: "+") { index += 1 }
            let size = try digits(from: start)
            exponent = Int(isNegative ? -min(size, 1000) : min(size, 1000))
        }
        let isExact = isInteger && magnitude <= Value.largestInteger
        // Below 10³⁰⁸, so it is finite; and 0 or at least 10⁻³⁰⁷, so no reader rounds it to 0.
        let isFraction = wholeDigits + exponent <= 308 && fractionDigits - exponent <= 307
        guard isExact || keepsAnyNumber || !isInteger && isFraction else {
            throw error(.number, at: start, in: .number)
        }
        add(isExact ? .integer : .fraction, from: start)
    }

    /// Scans one or more digits; returns how many, clamped to 2⁵⁶.
    private mutating func digits(from start: Int) throws(JSONScanError) -> Int64 {
        let first = index
        var number: Int64 = 0
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            number = min(number * 10 + Int64(byte - UInt8(ascii: "0")), 1 << 56)
            index += 1
        }
        guard index > first else { throw unexpected(in: .number, from: start) }
        return number
    }
}

package struct JSONScanError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case unfinished = "unexpected end of the JSON"
        case syntax = "invalid JSON"
        /// A stray byte, an overlong encoding, or an encoded surrogate.
        case encoding = "invalid UTF-8"
        /// A `\u` escape of half a surrogate pair.
        case surrogate = "lone surrogate"
        case depth = "nested too deeply"
        /// A key that occurs twice in one object, regardless of escapes.
        case duplicateKey = "duplicate key"
        /// An integer outside ±(2⁵³ − 1), or a fraction that may be too large or too small for a
        /// double.
        case number = "number out of range"
        case trailing = "extra content after the JSON"
        /// More bytes than a token's 32-bit position can count.
        case length = "too long"
    }

    /// The part of the syntax where the error is, for messages to people who write JSON by hand.
    package enum Part: Hashable, Sendable {
        case value, name, colon
        /// A comma or the end of an object.
        case memberEnd
        /// A comma or the end of an array.
        case elementEnd
        case text, escape, number
    }

    package let reason: Reason
    /// The byte at which the error was detected, from 0.
    package let offset: Int
    package let part: Part
    /// The byte where the part begins.
    package let start: Int

    package init(reason: Reason, offset: Int, part: Part = .value, start: Int? = nil) {
        (self.reason, self.offset, self.part) = (reason, offset, part)
        self.start = start ?? offset
    }

    package var description: String { "\(reason.rawValue) at byte \(offset)" }
}
