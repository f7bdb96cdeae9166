/// Where everything stands in a JSON text, as Foundation's decoder does not tell.
///
/// It reads the text once, which it has to take before the decoder does: deep JSON stops the
/// process there, and of two fields of one name it keeps the first.
struct JSONPlaces {
    /// The bytes of each value, by its path: `rows[2].kind`; empty for the whole.
    private(set) var values: [String: Range<Int>] = [:]

    /// The bytes of the text.
    let bytes: [UInt8]

    /// How deep a text may nest.
    static let deepest = 32

    private let keepsPlaces: Bool
    private var offset = 0

    /// Why a text is not read: where, in bytes, and the reason in words.
    struct Refusal: Error, Hashable {
        let offset: Int
        let reason: String
    }

    /// Reads a text; only with `keepsPlaces` are there places afterwards.
    init(_ bytes: [UInt8], keepsPlaces: Bool) throws(Refusal) {
        self.bytes = bytes
        self.keepsPlaces = keepsPlaces
        try value(at: "", depth: 0)
        skipSpaces()
        guard offset == bytes.count else { throw refusal("it is not JSON: something follows") }
    }

    /// The bytes of the value at a path, or of the closest around it.
    func range(of path: String) -> Range<Int> {
        var path = path
        while values[path] == nil, let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) {
            path = String(path[..<end])
        }
        return values[path] ?? values[""] ?? 0..<0
    }

    /// The line and the column of a byte, both from 1; columns count characters.
    static func position(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        // The bytes that only continue a character are 10xxxxxx.
        let column = before[start...].count { $0 & 0xC0 != 0x80 }
        return (before.count { $0 == UInt8(ascii: "\n") } + 1, column + 1)
    }

    private mutating func value(at path: String, depth: Int) throws(Refusal) {
        skipSpaces()
        let start = offset
        guard offset < bytes.count else { throw refusal("it is not JSON: it ends too early") }
        switch bytes[offset] {
        case UInt8(ascii: "{"): try object(at: path, depth: depth + 1)
        case UInt8(ascii: "["): try array(at: path, depth: depth + 1)
        case UInt8(ascii: "\""): try text()
        default: try word()
        }
        if keepsPlaces { values[path] = start..<offset }
    }

    private mutating func object(at path: String, depth: Int) throws(Refusal) {
        try enter(depth)
        var names: Set<[UInt8]> = []
        if take("}") { return }
        repeat {
            skipSpaces()
            let start = offset
            guard peeks("\"") else { throw refusal("it is not JSON: a field name is missing") }
            try text()
            let name = Array(bytes[(start + 1)..<(offset - 1)])
            guard !name.contains(UInt8(ascii: "\\")) else {
                throw Refusal(offset: start, reason: "field names are written without “\\”")
            }
            let word = String(decoding: name, as: UTF8.self)
            guard names.insert(name).inserted else {
                throw Refusal(offset: start, reason: "the field \(word.quoted) is there twice")
            }
            guard take(":") else { throw refusal("it is not JSON: a “:” is missing") }
            let inner = keepsPlaces ? (path.isEmpty ? word : "\(path).\(word)") : ""
            try value(at: inner, depth: depth)
        } while take(",")
        guard take("}") else { throw refusal("it is not JSON: a “,” or a “}” is missing") }
    }

    private mutating func array(at path: String, depth: Int) throws(Refusal) {
        try enter(depth)
        if take("]") { return }
        var index = 0
        repeat {
            try value(at: keepsPlaces ? "\(path)[\(index)]" : "", depth: depth)
            index += 1
        } while take(",")
        guard take("]") else { throw refusal("it is not JSON: a “,” or a “]” is missing") }
    }

    private mutating func enter(_ depth: Int) throws(Refusal) {
        guard depth <= JSONPlaces.deepest else {
            throw refusal("it nests deeper than \(JSONPlaces.deepest)")
        }
        offset += 1
    }

    private mutating func text() throws(Refusal) {
        let start = offset
        offset += 1
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                return
            case UInt8(ascii: "\\"): offset += 2
            case 0..<0x20:
                throw refusal("it is not JSON: a text ends with its line; is a quote missing?")
            default: offset += 1
            }
        }
        throw Refusal(offset: start, reason: "it is not JSON: a text does not end")
    }

    /// A number, true, false or null; the decoder judges it.
    private mutating func word() throws(Refusal) {
        let start = offset
        while offset < bytes.count, JSONPlaces.isOfWord(bytes[offset]) { offset += 1 }
        guard offset > start else { throw refusal("it is not JSON: a value is missing") }
        let word = String(decoding: bytes[start..<offset], as: UTF8.self)
        let isNumber = word.first.map { $0 == "-" || ("0"..."9").contains($0) } ?? false
        guard isNumber || ["true", "false", "null"].contains(word) else {
            throw Refusal(offset: start, reason: "it is not JSON: \(word.quoted) has no quotes")
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private mutating func skipSpaces() {
        while offset < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[offset]) {
            offset += 1
        }
    }

    private mutating func peeks(_ character: Unicode.Scalar) -> Bool {
        skipSpaces()
        return offset < bytes.count && bytes[offset] == UInt8(ascii: character)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peeks(character) else { return false }
        offset += 1
        return true
    }

    private func refusal(_ reason: String) -> Refusal {
        Refusal(offset: min(offset, bytes.count), reason: reason)
    }
}
