import SessionCRDT
import SyncProtocol

/// Pretty-printing of JSON: values that fit stay on one line; keys keep their order.
enum JSONLayout {
    private static let columns = 100

    /// Lays out an object, with other texts as the values of some of its keys.
    static func lines(of json: String, replacing texts: [String: String] = [:]) -> [String] {
        var whole = pieces(of: json)
        var depth = 0
        for index in whole.indices {
            if "{[".contains(whole[index]) { depth += 1 }
            if "}]".contains(whole[index]) { depth -= 1 }
            guard depth == 1, index > 1, whole[index - 1] == ":" else { continue }
            guard let text = texts["\(whole[index - 2].dropFirst().dropLast())"] else { continue }
            whole[index] =
                (try? ControlJSON.encode(text)).map { String(decoding: $0, as: UTF8.self) }
                ?? whole[index]
        }
        var pieces = whole[...]
        return pieces.isEmpty ? [] : lines(&pieces)
    }

    /// Lays out the next value; `head` is put before its first line.
    private static func lines(
        _ pieces: inout ArraySlice<String>,
        head: String = "",
        indent: Int = 0
    ) -> [String] {
        let first = pieces.popFirst() ?? ""
        guard first == "{" || first == "[" else { return [head + first] }
        var items: [[String]] = []
        while let next = pieces.first, next != "}", next != "]" {
            let name = first == "{" ? next + ": " : ""
            if first == "{" { pieces.removeFirst(min(2, pieces.count)) }
            items.append(lines(&pieces, head: name, indent: indent + 2))
            if pieces.first == "," { pieces.removeFirst() }
        }
        let end = pieces.popFirst() ?? ""
        let whole = head + first + items.map { $0.joined() }.joined(separator: ", ") + end
        let isFlat = items.allSatisfy { $0.count == 1 }
        if isFlat, indent + whole.count < columns { return [whole] }
        for index in items.indices.dropLast() { items[index][items[index].count - 1] += "," }
        return [head + first] + items.joined().map { "  " + $0 } + [end]
    }

    /// Splits JSON into brackets, commas, colons and values.
    private static func pieces(of json: String) -> [String] {
        var pieces: [String] = []
        var piece: [UInt8] = []
        var isText = false
        var isEscaped = false
        func end() {
            if !piece.isEmpty { pieces.append(String(decoding: piece, as: UTF8.self)) }
            piece = []
        }
        for byte in json.utf8 {
            if isText {
                piece.append(byte)
                isText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: end()
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"),
                UInt8(ascii: ","), UInt8(ascii: ":"):
                end()
                pieces.append(String(decoding: [byte], as: UTF8.self))
            default:
                piece.append(byte)
                isText = byte == UInt8(ascii: "\"")
            }
        }
        end()
        return pieces
    }
}

/// JSON without characters that control a terminal.
///
/// JSON escapes the control characters below U+0020; others can only appear in strings, where an
/// escape has the same meaning.
enum HarmlessJSON {
    static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x7F }) else { return bytes }
        var result = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar.value >= 0x7F, PrintableText.isDangerous(scalar) {
                let digits = String(scalar.value, radix: 16)
                let padding = String(repeating: "0", count: 4 - digits.count)
                result.append(contentsOf: (#"\u"# + padding + digits).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return Array(String(result).utf8)
    }
}

/// A JSON document of the command line, from the names and values of its fields.
struct JSONDocument: Encodable, ExpressibleByDictionaryLiteral {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private var fields: [String: any Encodable]

    init(dictionaryLiteral fields: (String, any Encodable)...) {
        self.fields = Dictionary(fields) { $1 }
    }

    subscript(name: String) -> (any Encodable)? {
        get { fields[name] }
        set { fields[name] = newValue }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in fields { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}
