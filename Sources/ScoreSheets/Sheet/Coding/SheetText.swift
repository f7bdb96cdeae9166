import JSONCoding

/// The JSON of a sheet as somebody wrote it: what is wrong with it is said in words for people.
struct SheetText {
    /// The whole value, with a row for each that a template stands for.
    let root: JSONValue

    /// The whole value as it is written.
    private let written: JSONValue
    private let templates: RowTemplates

    /// How deep a text may nest.
    static let deepest = 32

    /// Why a text is not read: where, in bytes, and the reason in words.
    struct Refusal: Error, Hashable {
        let offset: Int
        let reason: String
    }

    /// Reads a text, without judging its numbers: fields do that, and know what they take.
    init(_ bytes: [UInt8]) throws(Refusal) {
        do throws(JSONScanError) {
            written = try JSONText(bytes, depth: SheetText.deepest, numbers: .any).root
        } catch {
            throw SheetText.refusal(of: error, in: bytes)
        }
        try SheetText.refuseEscapedNames(in: written)
        templates = try RowTemplates(written)
        guard let json = templates.json else {
            root = written
            return
        }
        do throws(JSONScanError) {
            root = try JSONText(json, depth: SheetText.deepest, numbers: .any).root
        } catch {
            throw SheetText.refusal(of: error, in: json)
        }
    }

    /// The values of the text by their paths, with a row for each that a template stands for:
    /// `rows[2].kind`; empty for the whole.
    var places: [String: JSONValue] { SheetText.places(in: root) }

    /// Where a flaw is written: its path, and the byte, or the first one of the closest value
    /// around it.
    func origin(of flaw: PlacedFlaw, _ written: [String: JSONValue]) -> (path: String, byte: Int) {
        let paths = templates.origins(of: flaw.path)
        let path = paths.first { written[$0] != nil } ?? paths[0]
        if flaw.offset > 0, let text = written[path] {
            // Behind the quote; a text with escapes is a little longer than what it says.
            let byte = text.range.lowerBound + 1 + flaw.offset
            return (path, min(byte, text.range.upperBound - 1))
        }
        var outer = path
        while written[outer] == nil, let end = outer.lastIndex(where: { $0 == "." || $0 == "[" }) {
            outer = String(outer[..<end])
        }
        return (path, (written[outer] ?? self.written).range.lowerBound)
    }

    /// The values of the text as it is written by their paths.
    var writtenPlaces: [String: JSONValue] { SheetText.places(in: written) }

    private static func places(in root: JSONValue) -> [String: JSONValue] {
        var places: [String: JSONValue] = [:]
        func add(_ value: JSONValue, at path: String) {
            places[path] = value
            for (index, element) in value.elements.enumerated() {
                add(element, at: "\(path)[\(index)]")
            }
            for (name, member) in value.members {
                let word = name.string ?? ""
                add(member, at: path.isEmpty ? word : "\(path).\(word)")
            }
        }
        add(root, at: "")
        return places
    }

    /// The line and the column of a byte, both from 1; columns count characters.
    static func position(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        // The bytes that only continue a character are 10xxxxxx.
        let column = before[start...].count { $0 & 0xC0 != 0x80 }
        return (before.count { $0 == UInt8(ascii: "\n") } + 1, column + 1)
    }

    /// A name has one spelling, so that its place can be told.
    private static func refuseEscapedNames(in value: JSONValue) throws(Refusal) {
        for (name, member) in value.members {
            guard !name.bytes.contains(UInt8(ascii: "\\")) else {
                let reason = "field names are written without “\\”"
                throw Refusal(offset: name.range.lowerBound, reason: reason)
            }
            try refuseEscapedNames(in: member)
        }
        for element in value.elements { try refuseEscapedNames(in: element) }
    }

    // MARK: Words

    /// What an error of the reader means to who has written the text.
    private static func refusal(of error: JSONScanError, in bytes: [UInt8]) -> Refusal {
        switch error.reason {
        case .depth:
            Refusal(offset: error.offset, reason: "it nests deeper than \(deepest)")
        case .duplicateKey:
            Refusal(
                offset: error.offset,
                reason: "the field \(text(at: error.offset, in: bytes).quoted) is there twice"
            )
        case .trailing:
            Refusal(
                offset: error.offset,
                reason: "it is not JSON: something follows" + hint(at: error.offset, in: bytes)
            )
        case .surrogate, .encoding, .number, .length, .syntax, .unfinished:
            misspelling(error, in: bytes)
        }
    }

    private static func misspelling(_ error: JSONScanError, in bytes: [UInt8]) -> Refusal {
        func refusal(_ reason: String, at offset: Int? = nil) -> Refusal {
            Refusal(
                offset: offset ?? error.offset,
                reason: "it is not JSON: \(reason)" + hint(at: error.offset, in: bytes)
            )
        }
        let word = word(at: error.start, in: bytes)
        switch error.part {
        case .value where error.start == bytes.count: return refusal("it ends too early")
        case .value where word.isEmpty, .number where word.isEmpty:
            return refusal(error.start == bytes.count ? "it ends too early" : "a value is missing")
        case .value, .number:
            let isNumber = word.first.map { $0 == "-" || ("0"..."9").contains($0) } ?? false
            let flaw = isNumber ? "is no number" : "has no quotes"
            return refusal("\(word.quoted) \(flaw)", at: error.start)
        case .name: return refusal("a field name is missing")
        case .colon: return refusal("a “:” is missing")
        case .memberEnd: return refusal("a “,” or a “}” is missing")
        case .elementEnd: return refusal("a “,” or a “]” is missing")
        case .text where error.reason == .unfinished:
            return refusal("a text does not end", at: error.start)
        case .text: return refusal("a text ends with its line; is a quote missing?")
        case .escape:
            return refusal("“\\” in a text stands before none of \"\\/bfnrtu", at: error.start)
        }
    }

    /// What people write that is no JSON, where something is wrong at a byte.
    private static func hint(at offset: Int, in bytes: [UInt8]) -> String {
        let next = String(decoding: bytes[offset...].prefix(2), as: UTF8.self)
        if ["//", "/*", "#"].contains(where: next.hasPrefix) { return "; JSON has no comments" }
        let isEnd = next.hasPrefix("}") || next.hasPrefix("]")
        if isEnd, bytes[..<offset].last(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: ",") {
            return "; take away the “,” before it"
        }
        let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")) ?? 0
        let line = bytes[start...].prefix { $0 != UInt8(ascii: "\n") || $0 == bytes[start] }
        let isCurly = String(decoding: line, as: UTF8.self).contains { "“”„".contains($0) }
        return isCurly || next.hasPrefix("'") ? "; quotes are straight: \"" : ""
    }

    /// The word that begins at a byte.
    private static func word(at start: Int, in bytes: [UInt8]) -> String {
        String(decoding: bytes[start...].prefix(while: isOfWord), as: UTF8.self)
    }

    /// The text in the quotes that begin at a byte.
    private static func text(at start: Int, in bytes: [UInt8]) -> String {
        let inside = bytes[(start + 1)...].prefix { $0 != UInt8(ascii: "\"") }
        return String(decoding: inside, as: UTF8.self)
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
}
