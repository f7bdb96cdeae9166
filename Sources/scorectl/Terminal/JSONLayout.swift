import SyncProtocol

/// Pretty-printing of JSON: values that fit stay on one line; keys keep their order.
struct JSONLayout {
    private static let columns = 100

    private let pieces: [String]
    private var lines: [String] = []
    private var line = ""
    private var indent = 0

    /// The lines of a complete JSON text.
    static func lines(of json: String) -> [String] {
        var layout = JSONLayout(pieces: pieces(of: json))
        layout.spread()
        return layout.lines
    }

    private init(pieces: [String]) { self.pieces = pieces }

    /// The brackets, commas, colons and values, one by one.
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

    /// Lays out all pieces; without recursion, so that no depth overflows the stack.
    private mutating func spread() {
        var index = 0
        while index < pieces.count {
            let piece = pieces[index]
            switch piece {
            case "{", "[":
                let end = match(of: index)
                let whole = inline(index...end)
                if indent * 2 + line.count + whole.count < JSONLayout.columns {
                    line += whole
                    index = end
                } else {
                    line += piece
                    breakLine()
                    indent += 1
                }
            case "}", "]":
                breakLine()
                indent = max(0, indent - 1)
                line += piece
            case ",":
                line += piece
                breakLine()
            case ":": line += ": "
            default: line += piece
            }
            index += 1
        }
        breakLine()
    }

    private mutating func breakLine() {
        if !line.isEmpty { lines.append(String(repeating: "  ", count: indent) + line) }
        line = ""
    }

    /// The index of the closing bracket.
    private func match(of start: Int) -> Int {
        var depth = 0
        for index in start..<pieces.count {
            switch pieces[index] {
            case "{", "[": depth += 1
            case "}", "]": depth -= 1
            default: break
            }
            if depth == 0 { return index }
        }
        return pieces.count - 1
    }

    private func inline(_ range: ClosedRange<Int>) -> String {
        pieces[range].map { $0 == "," ? ", " : $0 == ":" ? ": " : $0 }.joined()
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
