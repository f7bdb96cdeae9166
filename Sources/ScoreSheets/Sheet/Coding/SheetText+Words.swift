import JSONCoding

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
