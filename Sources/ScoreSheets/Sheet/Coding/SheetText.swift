import JSONCoding

/// The JSON of a sheet as written, and with its templates expanded.
///
/// A template is an entry `{"repeat": {…}, "rows": [{…}, {…}]}` in the list of rows. It is replaced
/// by its `rows`, with the fields of `repeat` as defaults.
struct SheetText {
    /// The sheet with its templates expanded.
    private(set) var root: JSONValue

    private let written: JSONValue
    /// The origin of each row: the index of its entry, and the index within a template.
    private var sources: [(entry: Int, inner: Int?)] = []

    struct Refusal: Error, Hashable {
        var path = ""
        let offset: Int
        var reason: String
    }

    /// Parses a text; the range of a number is checked by the field that decodes it.
    init(_ bytes: [UInt8]) throws(Refusal) {
        written = try SheetText.read(bytes)
        root = written
        try SheetText.refuseEscapedNames(in: written)
        if let json = try writeOutTemplates() { root = try SheetText.read(json) }
        for (field, limit) in Sheet.Limits.lists {
            guard let list = root[field.stringValue], list.elements.count > limit else { continue }
            let reason = "\(list.elements.count) entries, at most \(limit)"
            let offset = written[field.stringValue]?.range.lowerBound ?? 0
            throw Refusal(path: field.stringValue, offset: offset, reason: reason)
        }
    }

    private static func read(_ bytes: [UInt8]) throws(Refusal) -> JSONValue {
        do throws(JSONScanError) {
            return try JSONText(bytes, numbers: .any).root
        } catch { throw Refusal(error, in: bytes) }
    }

    /// Throws for escaped names: a name has one spelling, so that a flaw in it has one position.
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

    private typealias Members = [(name: String, value: JSONValue)]

    /// Returns the sheet with its templates expanded; nil if there are none.
    private mutating func writeOutTemplates() throws(Refusal) -> [UInt8]? {
        var rows: [Members] = []
        var hasTemplates = false
        for (index, entry) in (written["rows"] ?? .emptyObject).elements.enumerated() {
            let isTemplate = entry["repeat"] != nil
            let found =
                try isTemplate ? SheetText.rows(of: entry) : [SheetText.members(of: entry)]
            sources += found.indices.map { (index, isTemplate ? $0 : nil) }
            rows += found
            hasTemplates = hasTemplates || isTemplate
            guard rows.count <= Sheet.Limits.rows || !hasTemplates else {
                let reason = "more than \(Sheet.Limits.rows) rows"
                throw Refusal(path: "rows", offset: entry.range.lowerBound, reason: reason)
            }
        }
        guard hasTemplates else { return nil }
        var json = JSONWriter()
        json.object { json in
            for (name, value) in SheetText.members(of: written) {
                json.name(name)
                guard name == "rows" else {
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
        return json.bytes
    }

    private static func members(of object: JSONValue) -> Members {
        object.members.map { ($0.name.string ?? "", $0.value) }
    }

    private static func rows(of template: JSONValue) throws(Refusal) -> [Members] {
        func refusal(_ value: JSONValue, _ reason: String) -> Refusal {
            Refusal(offset: value.range.lowerBound, reason: reason)
        }
        for (name, value) in members(of: template) where !["repeat", "rows"].contains(name) {
            let hint = name.suggestion(among: ["rows"])
            throw refusal(value, "expected only “repeat” and “rows”, found \(name.quoted)" + hint)
        }
        guard let common = template["repeat"], common.isObject else {
            throw refusal(template, "expected the common fields of rows in “repeat”: {…}")
        }
        guard let rows = template["rows"], rows.isArray,
            1...Sheet.Limits.rows ~= rows.elements.count
        else { throw refusal(template, "expected 1 to \(Sheet.Limits.rows) rows in “rows”: […]") }
        guard rows.elements.count * common.range.count <= Sheet.maxBytes else {
            throw refusal(common, "more than \(Sheet.maxBytes) bytes for all rows")
        }
        let shared = members(of: common)
        return try rows.elements.map { row throws(Refusal) in
            guard row.isObject else { throw refusal(row, "expected a row: {…}") }
            let own = members(of: row)
            let names = Set(own.map(\.name))
            return own + shared.filter { !names.contains($0.name) }
        }
    }

    /// Returns the origin of a flaw: its path and byte offset, or that of the closest value around
    /// it.
    func origin(of flaw: SheetFlaw) -> (path: String, byte: Int) {
        let found = origins(of: flaw.path).map { ($0, closest(to: $0)) }
        // A path into a template may lead to its own row or to `repeat`; the one that exists
        // further down is meant.
        guard let (path, (value, rest)) = found.min(by: { $0.1.rest < $1.1.rest }) else {
            return ("", 0)
        }
        guard flaw.offset > 0, rest == 0 else {
            return (SheetFlaw.text(of: path), value.range.lowerBound)
        }
        // Skips the quote. The offset is a little too low in a text with escapes.
        let byte = min(value.range.lowerBound + 1 + flaw.offset, value.range.upperBound - 1)
        return (SheetFlaw.text(of: path), byte)
    }

    private func origins(of path: [any CodingKey]) -> [[any CodingKey]] {
        guard path.count > 1, path[0].stringValue == "rows", let row = path[1].intValue,
            sources.indices.contains(row)
        else { return [path] }
        let (entry, inner) = sources[row]
        let start: [any CodingKey] = [path[0], AnyField(entry)]
        guard let inner else { return [start + path[2...]] }
        let own: [AnyField] = ["rows", AnyField(inner)]
        return [start + own + path[2...], start + [AnyField("repeat")] + path[2...]]
    }

    /// Returns the deepest existing value on a path, and the number of remaining path components.
    private func closest(to path: [any CodingKey]) -> (value: JSONValue, rest: Int) {
        var value = written
        for (index, key) in path.enumerated() {
            let next =
                key.intValue.map { value.elements.dropFirst($0).first { _ in true } }
                ?? value[key.stringValue]
            guard let next else { return (value, path.count - index) }
            value = next
        }
        return (value, 0)
    }

    /// Returns the line and the column of a byte, both from 1; columns count characters.
    static func position(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        // UTF-8 continuation bytes are 10xxxxxx.
        let column = before[start...].count { $0 & 0xC0 != 0x80 }
        return (before.count { $0 == UInt8(ascii: "\n") } + 1, column + 1)
    }
}

/// Messages for syntax errors: what was expected, and what was found.
extension SheetText.Refusal {
    fileprivate init(_ error: JSONScanError, in bytes: [UInt8]) {
        let found = SheetText.Refusal.found(at: error.offset, in: bytes)
        let expected =
            switch error.part {
            case .value, .number: "a value"
            case .name: "a field name in quotes"
            case .colon: "“:”"
            case .memberEnd: "“,” or “}”"
            case .elementEnd: "“,” or “]”"
            case .text: "the quote at the end of the text"
            case .escape: "one of \"\\/bfnrtu after “\\”"
            }
        switch error.reason {
        case .depth: reason = "nested deeper than \(JSONText.maxDepth)"
        case .duplicateKey: reason = "duplicate field"
        case .encoding, .surrogate, .number, .length: reason = "not JSON: \(error.reason.rawValue)"
        case .trailing: reason = "not JSON: expected the end, found \(found)"
        case .syntax, .unfinished: reason = "not JSON: expected \(expected), found \(found)"
        }
        // An invalid word or an unclosed text is reported at its start.
        let isOpen = error.part == .text && error.reason == .unfinished
        offset = isOpen || [.value, .number].contains(error.part) ? error.start : error.offset
    }

    /// Returns the word or character at a byte; an invisible character is shown by its number.
    private static func found(at start: Int, in bytes: [UInt8]) -> String {
        let text = String(decoding: bytes[start...].prefix(40), as: UTF8.self)
        guard let scalar = text.unicodeScalars.first else { return "the end" }
        switch scalar.properties.generalCategory {
        case .control where scalar == "\n" || scalar == "\r": return "the end of the line"
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator:
            return "an invisible character (U+\(String(scalar.value, radix: 16, uppercase: true)))"
        default:
            let word = text.prefix { $0.isLetter || $0.isNumber || "+-._".contains($0) }
            return String(word.isEmpty ? text.prefix(1) : word).quoted
        }
    }
}
