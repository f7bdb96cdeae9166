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
