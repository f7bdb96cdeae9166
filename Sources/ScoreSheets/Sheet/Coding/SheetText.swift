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
        let origins = templates.origins(of: flaw.path).map { ($0, closest($0, written)) }
        // The more of a path is there, the likelier it is meant.
        func rest(_ origin: (path: String, outer: String)) -> Int {
            origin.path.utf8.count - origin.outer.utf8.count
        }
        let (path, outer) = origins.min { rest($0) < rest($1) } ?? (flaw.path, "")
        if flaw.offset > 0, let text = written[path] {
            // Behind the quote; a text with escapes is a little longer than what it says.
            let byte = text.range.lowerBound + 1 + flaw.offset
            return (path, min(byte, text.range.upperBound - 1))
        }
        return (path, (written[outer] ?? self.written).range.lowerBound)
    }

    /// The path to the closest value around a place that is there.
    private func closest(_ path: String, _ written: [String: JSONValue]) -> String {
        var outer = path
        while written[outer] == nil, let end = outer.lastIndex(where: { $0 == "." || $0 == "[" }) {
            outer = String(outer[..<end])
        }
        return outer
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
}

/// What is no JSON, in words for who has written it.
extension SheetText {
    /// What an error of the reader means to who has written the text.
    static func refusal(of error: JSONScanError, in bytes: [UInt8]) -> Refusal {
        switch error.reason {
        case .depth:
            Refusal(offset: error.offset, reason: "it nests deeper than \(deepest)")
        case .duplicateKey:
            Refusal(
                offset: error.offset,
                reason: "the field \(text(at: error.offset, in: bytes).quoted) is there twice"
            )
        case .trailing where invisible(at: error.offset, in: bytes) == nil:
            Refusal(
                offset: error.offset,
                reason: "it is not JSON: something follows" + hint(at: error.offset, in: bytes)
            )
        case .trailing, .surrogate, .encoding, .number, .length, .syntax, .unfinished:
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
        func missing(_ what: String) -> Refusal {
            if let name = invisible(at: error.offset, in: bytes) {
                return refusal("an invisible character (\(name)); write a space")
            }
            guard !isComment(at: error.offset, in: bytes) else {
                return Refusal(offset: error.offset, reason: "JSON has no comments; take it away")
            }
            let isOpen =
                hint(at: error.offset, in: bytes).isEmpty
                && hasOpenQuote(before: error.offset, in: bytes)
            return refusal("\(what) is missing" + (isOpen ? "; is a quote missing before?" : ""))
        }
        let word = word(at: error.start, in: bytes)
        switch error.part {
        case .value where error.start == bytes.count: return refusal("it ends too early")
        case .value where word.isEmpty, .number where word.isEmpty:
            return error.start == bytes.count ? refusal("it ends too early") : missing("a value")
        case .value, .number:
            let isNumber = word.first.map { $0 == "-" || ("0"..."9").contains($0) } ?? false
            let meant = word.hasPrefix("+") ? String(word.dropFirst()) : word.lowercased()
            if ["true", "false", "null"].contains(meant) || meant != word && Int64(meant) != nil {
                return refusal("\(word.quoted): write \(meant)", at: error.start)
            }
            let flaw = isNumber ? "is no number" : "has no quotes"
            return refusal("\(word.quoted) \(flaw)", at: error.start)
        case .name: return missing("a field name")
        case .colon: return missing("a “:”")
        case .memberEnd: return missing("a “,” or a “}”")
        case .elementEnd: return missing("a “,” or a “]”")
        case .text where error.reason == .unfinished:
            return refusal("a text does not end", at: error.start)
        case .text: return refusal(control(at: error.offset, in: bytes))
        case .escape:
            return refusal("“\\” in a text stands before none of \"\\/bfnrtu", at: error.start)
        }
    }

    /// Why a control character ends a text.
    private static func control(at offset: Int, in bytes: [UInt8]) -> String {
        switch bytes[offset] {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            "a text ends with its line; is a quote missing?"
        case UInt8(ascii: "\t"): "a tab in a text; write a space"
        case let byte: "an invisible character (\(name(of: Unicode.Scalar(byte)))) in a text"
        }
    }

    /// The name of a character that nobody sees, where one begins at a byte.
    private static func invisible(at offset: Int, in bytes: [UInt8]) -> String? {
        let next = String(decoding: bytes[offset...].prefix(4), as: UTF8.self)
        guard let scalar = next.unicodeScalars.first else { return nil }
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator:
            return name(of: scalar)
        default: return nil
        }
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Whether the text in quotes right before a byte looks as if it had swallowed a quote.
    private static func hasOpenQuote(before offset: Int, in bytes: [UInt8]) -> Bool {
        let quote = UInt8(ascii: "\"")
        let before = bytes[..<offset].lastIndex { $0 > UInt8(ascii: " ") }
        guard let end = before, bytes[end] == quote,
            let start = bytes[..<end].lastIndex(of: quote)
        else { return false }
        let inside = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        return [", ", ": "].contains(where: inside.contains)
    }

    private static func isComment(at offset: Int, in bytes: [UInt8]) -> Bool {
        let next = String(decoding: bytes[offset...].prefix(2), as: UTF8.self)
        return ["//", "/*", "#"].contains(where: next.hasPrefix)
    }

    /// What people write that is no JSON, where something is wrong at a byte.
    private static func hint(at offset: Int, in bytes: [UInt8]) -> String {
        if isComment(at: offset, in: bytes) { return "; JSON has no comments" }
        let next = String(decoding: bytes[offset...].prefix(1), as: UTF8.self)
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

/// Rows that are written down together: `{"repeat": {…}, "rows": [{…}, {…}]}` stands for as many
/// rows, each with the fields of `repeat` unless it says otherwise.
struct RowTemplates {
    /// The sheet without templates; nil where there are none.
    let json: [UInt8]?

    /// Where each row is written, in order.
    private let sources: [Source]

    private struct Source {
        /// The place in the list of rows.
        let entry: Int
        /// The place among the rows of a template; nil of a row that stands for itself.
        let inner: Int?
    }

    /// The templates of a sheet; one that is none is refused.
    init(_ sheet: JSONValue) throws(SheetText.Refusal) {
        var sources: [Source] = []
        var rows: [[(name: String, value: JSONValue)]] = []
        for (index, entry) in (sheet["rows"]?.elements ?? JSONValue.emptyObject.elements)
            .enumerated()
        {
            guard entry["repeat"] != nil else {
                sources.append(Source(entry: index, inner: nil))
                rows.append(RowTemplates.members(of: entry))
                continue
            }
            for (inner, row) in try RowTemplates.rows(of: entry).enumerated() {
                sources.append(Source(entry: index, inner: inner))
                rows.append(row)
            }
            guard rows.count <= Sheet.Limits.rows else {
                let reason = SheetFlaw.excess(rows.count, Sheet.Limits.rows)
                throw SheetText.Refusal(offset: entry.range.lowerBound, reason: reason)
            }
        }
        self.sources = sources
        guard sources.contains(where: { $0.inner != nil }) else {
            json = nil
            return
        }
        var json = JSONWriter()
        json.object { json in
            for (name, value) in sheet.members {
                json.name(name.string ?? "")
                guard name.string == "rows" else {
                    json.value(value.bytes)
                    continue
                }
                json.array { json in
                    for row in rows {
                        json.object { json in
                            for (name, value) in row {
                                json.name(name)
                                json.value(value.bytes)
                            }
                        }
                    }
                }
            }
        }
        self.json = json.bytes
    }

    private static func members(of row: JSONValue) -> [(name: String, value: JSONValue)] {
        row.members.map { (name: $0.name.string ?? "", value: $0.value) }
    }

    /// The rows that a template stands for.
    private static func rows(
        of template: JSONValue
    ) throws(SheetText.Refusal) -> [[(name: String, value: JSONValue)]] {
        func refusal(_ value: JSONValue, _ reason: String) -> SheetText.Refusal {
            SheetText.Refusal(offset: value.range.lowerBound, reason: reason)
        }
        for (name, value) in template.members where !["repeat", "rows"].contains(name.string) {
            let hint = (name.string ?? "").suggestion(among: ["rows"])
            throw refusal(value, "beside “repeat” there is only “rows”" + hint)
        }
        guard let common = template["repeat"], common.isObject else {
            throw refusal(template, "“repeat” takes the fields that rows have in common")
        }
        guard let rows = template["rows"], rows.isArray, rows.elements.count > 0 else {
            throw refusal(template, "“repeat” needs “rows” beside it, a list of rows")
        }
        let count = rows.elements.count
        guard count <= Sheet.Limits.rows else {
            throw refusal(rows, SheetFlaw.excess(count, Sheet.Limits.rows))
        }
        guard count * common.range.count <= Sheet.longest else {
            throw refusal(common, "for \(count) rows it comes to more than \(Sheet.longest) bytes")
        }
        let shared = members(of: common)
        return try rows.elements.map { row throws(SheetText.Refusal) in
            guard row.isObject else { throw refusal(row, "a row is an object") }
            let own = members(of: row)
            let names = Set(own.map(\.name))
            return own + shared.filter { !names.contains($0.name) }
        }
    }

    /// Where something is written that stands at this path without templates, the likeliest place
    /// first.
    func origins(of path: String) -> [String] {
        guard path.hasPrefix("rows["), let end = path.firstIndex(of: "]"),
            let index = Int(path[path.index(path.startIndex, offsetBy: 5)..<end]),
            sources.indices.contains(index)
        else { return [path] }
        let (source, rest) = (sources[index], path[path.index(after: end)...])
        guard let inner = source.inner else { return ["rows[\(source.entry)]\(rest)"] }
        return [
            "rows[\(source.entry)].rows[\(inner)]\(rest)", "rows[\(source.entry)].repeat\(rest)",
        ]
    }
}
