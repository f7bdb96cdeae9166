/// The state of one look through JSON (RFC 8259).
struct JSONScanner {
    /// How many keys of an object are compared one by one before they go into a set.
    private static let fewKeys = 16

    private static let trueWord = Array("true".utf8)
    private static let falseWord = Array("false".utf8)
    private static let nullWord = Array("null".utf8)

    private let bytes: [UInt8]
    private let depth: Int
    private var index = 0
    /// The keys of all objects that are open now, without quotes; those of the innermost come last.
    private var keys: [Range<Int>] = []

    /// A scanner at the first byte.
    init(_ bytes: [UInt8], depth: Int) {
        self.bytes = bytes
        self.depth = depth
    }

    /// Reads one value and the end.
    mutating func document() throws(JSONScanError) {
        skipSpace()
        try value(level: 1)
        skipSpace()
        guard index == bytes.count else { throw error(.trailing) }
    }

    /// The byte to read next; past the end a zero, which JSON has nowhere.
    private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    /// The error of the byte to read next.
    private func error(_ reason: JSONScanError.Reason) -> JSONScanError {
        JSONScanError(reason: reason, offset: index)
    }

    /// The error of a byte that must not be here, or of no byte being here.
    private var unexpected: JSONScanError {
        error(index < bytes.count ? .syntax : .unfinished)
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    private mutating func value(level: Int) throws(JSONScanError) {
        switch byte {
        case UInt8(ascii: "{"): try object(level: level)
        case UInt8(ascii: "["): try array(level: level)
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try word(JSONScanner.trueWord)
        case UInt8(ascii: "f"): try word(JSONScanner.falseWord)
        case UInt8(ascii: "n"): try word(JSONScanner.nullWord)
        default: try number()
        }
    }

    private mutating func word(_ word: [UInt8]) throws(JSONScanError) {
        for expected in word {
            guard byte == expected else { throw unexpected }
            index += 1
        }
    }

    // MARK: Containers

    private mutating func array(level: Int) throws(JSONScanError) {
        guard level <= depth else { throw error(.depth) }
        index += 1
        skipSpace()
        if byte == UInt8(ascii: "]") {
            index += 1
            return
        }
        while true {
            try value(level: level + 1)
            skipSpace()
            guard try continues(until: UInt8(ascii: "]")) else { return }
        }
    }

    private mutating func object(level: Int) throws(JSONScanError) {
        guard level <= depth else { throw error(.depth) }
        index += 1
        skipSpace()
        if byte == UInt8(ascii: "}") {
            index += 1
            return
        }
        let first = keys.count
        var many: Set<String> = []
        while true {
            try key(since: first, many: &many)
            skipSpace()
            guard byte == UInt8(ascii: ":") else { throw unexpected }
            index += 1
            skipSpace()
            try value(level: level + 1)
            skipSpace()
            guard try continues(until: UInt8(ascii: "}")) else { break }
        }
        keys.removeSubrange(first...)
    }

    /// Reads a comma or the end of a container; whether it was a comma.
    private mutating func continues(until end: UInt8) throws(JSONScanError) -> Bool {
        switch byte {
        case UInt8(ascii: ","):
            index += 1
            skipSpace()
            return true
        case end:
            index += 1
            return false
        default: throw unexpected
        }
    }

    /// Reads a key that the object must not have had yet.
    ///
    /// A few plain keys are compared where they stand. Many of them, and those that another
    /// spelling could equal, go into a set of texts; it calls the same keys equal as Foundation's
    /// decoder.
    private mutating func key(since first: Int, many: inout Set<String>) throws(JSONScanError) {
        guard byte == UInt8(ascii: "\"") else { throw unexpected }
        let start = index
        let isPlain = try string()
        let key = start + 1..<index - 1
        if isPlain, many.isEmpty, keys.count - first < JSONScanner.fewKeys {
            for other in keys[first...] where isEqual(other, key) {
                throw JSONScanError(reason: .duplicateKey, offset: start)
            }
            keys.append(key)
            return
        }
        if many.isEmpty {
            for other in keys[first...] { many.insert(JSONString.decoded(bytes[other])) }
        }
        guard many.insert(JSONString.decoded(bytes[key])).inserted else {
            throw JSONScanError(reason: .duplicateKey, offset: start)
        }
    }

    private func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard left.count == right.count else { return false }
        for offset in 0..<left.count
        where bytes[left.lowerBound + offset] != bytes[right.lowerBound + offset] {
            return false
        }
        return true
    }

    // MARK: Texts

    /// Reads a text; whether it is spelled in the only way there is, in ASCII without escapes.
    private mutating func string() throws(JSONScanError) -> Bool {
        var isPlain = true
        index += 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return isPlain
            case UInt8(ascii: "\\"):
                isPlain = false
                try escape()
            case 0..<0x20:
                throw error(.syntax)
            case 0x80...:
                isPlain = false
                try scalar()
            default:
                index += 1
            }
        }
        throw error(.unfinished)
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
            switch try fourDigits() {
            case 0xD800...0xDBFF:
                guard byte == UInt8(ascii: "\\"), index + 1 < bytes.count,
                    bytes[index + 1] == UInt8(ascii: "u")
                else { throw JSONScanError(reason: .surrogate, offset: start) }
                index += 2
                guard (0xDC00...0xDFFF).contains(try fourDigits()) else {
                    throw JSONScanError(reason: .surrogate, offset: start)
                }
            case 0xDC00...0xDFFF:
                throw JSONScanError(reason: .surrogate, offset: start)
            default: break
            }
        default: throw unexpected
        }
    }

    private mutating func fourDigits() throws(JSONScanError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = JSONString.hexadecimal(byte) else { throw unexpected }
            number = number << 4 | digit
            index += 1
        }
        return number
    }

    /// Reads a character outside ASCII (The Unicode Standard, table 3-7).
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
        default: throw error(.encoding)
        }
        guard bytes.count - index >= count else { throw error(.unfinished) }
        guard second.contains(bytes[index + 1]) else { throw error(.encoding) }
        for offset in 2..<count where bytes[index + offset] & 0xC0 != 0x80 {
            throw error(.encoding)
        }
        index += count
    }

    // MARK: Numbers

    /// Reads a number: an integer that every reader keeps exactly, or a fraction that is finite.
    private mutating func number() throws(JSONScanError) {
        let start = index
        if byte == UInt8(ascii: "-") { index += 1 }
        let whole = index
        let magnitude = try digits()
        let wholeDigits = index - whole
        guard wholeDigits == 1 || bytes[whole] != UInt8(ascii: "0") else {
            throw JSONScanError(reason: .syntax, offset: whole)
        }
        var isInteger = true
        var exponent = 0
        if byte == UInt8(ascii: ".") {
            isInteger = false
            index += 1
            _ = try digits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            isInteger = false
            index += 1
            let isNegative = byte == UInt8(ascii: "-")
            if isNegative || byte == UInt8(ascii: "+") { index += 1 }
            let size = try digits()
            exponent = Int(isNegative ? -min(size, 1000) : min(size, 1000))
        }
        // Below 10³⁰⁸, and so finite.
        let isKept = isInteger ? magnitude <= Limits.largestInteger : wholeDigits + exponent <= 308
        guard isKept else { throw JSONScanError(reason: .number, offset: start) }
    }

    /// Reads one digit or more; the number they make, or where that is huge some huge number.
    private mutating func digits() throws(JSONScanError) -> Int64 {
        let start = index
        var number: Int64 = 0
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            number = min(number * 10 + Int64(byte - UInt8(ascii: "0")), 1 << 56)
            index += 1
        }
        guard index > start else { throw unexpected }
        return number
    }
}
