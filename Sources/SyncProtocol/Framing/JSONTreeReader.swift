/// Reads a tree out of bytes that the scan has accepted.
///
/// It relies on the scan for nothing but the right answer: on other bytes it gives some tree, and
/// neither traps nor hangs.
struct JSONTreeReader {
    private let bytes: [UInt8]
    private var index = 0

    /// A reader at the first byte.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the next value, and the space before it.
    mutating func value() -> JSONTree {
        skipSpace()
        switch byte {
        case UInt8(ascii: "{"): return .object(fields())
        case UInt8(ascii: "["): return .array(elements())
        case UInt8(ascii: "\""): return .text(text())
        case UInt8(ascii: "t"):
            index += 4
            return .boolean(true)
        case UInt8(ascii: "f"):
            index += 5
            return .boolean(false)
        case UInt8(ascii: "n"):
            index += 4
            return .null
        default: return number()
        }
    }

    /// The byte to read next; past the end a zero.
    private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private mutating func skipSpace() {
        while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Whether a container goes on; reads the comma before the next element, or its end.
    private mutating func hasNext(until end: UInt8) -> Bool {
        skipSpace()
        if byte == UInt8(ascii: ",") {
            index += 1
            skipSpace()
            return true
        }
        guard byte == end || byte == 0 else { return true }
        index += 1
        return false
    }

    private mutating func elements() -> [JSONTree] {
        index += 1
        var elements: [JSONTree] = []
        while hasNext(until: UInt8(ascii: "]")) {
            // The rows of a delta have seven elements.
            if elements.isEmpty { elements.reserveCapacity(7) }
            elements.append(value())
        }
        return elements
    }

    private mutating func fields() -> [String: JSONTree] {
        index += 1
        var fields: [String: JSONTree] = [:]
        while hasNext(until: UInt8(ascii: "}")) {
            let name = text()
            skipSpace()
            index += 1
            fields[name] = value()
        }
        return fields
    }

    private mutating func text() -> String {
        index += 1
        let start = min(index, bytes.count)
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(index, bytes.count)
        index += 1
        return JSONString.decoded(bytes[start..<end])
    }

    private mutating func number() -> JSONTree {
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var number: Int64 = 0
        let start = index
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            number = number &* 10 &+ Int64(byte - UInt8(ascii: "0"))
            index += 1
        }
        let whole = index
        while isPartOfFraction(byte) { index += 1 }
        if index == start { index += 1 }
        return index > whole ? .fraction : .integer(isNegative ? 0 &- number : number)
    }

    private func isPartOfFraction(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
