import SessionCRDT

/// How texts are spelled in JSON.
enum JSONString {
    /// The text of a token, escapes resolved.
    static func text(of token: JSONToken, in bytes: [UInt8]) -> String {
        let inside = bytes[Int(token.start) + 1..<Int(token.end) - 1]
        guard token.kind != .plainText, inside.contains(UInt8(ascii: "\\")) else {
            return String(decoding: inside, as: UTF8.self)
        }
        var text: [UInt8] = []
        text.reserveCapacity(inside.count)
        var index = inside.startIndex
        while index < inside.endIndex {
            guard inside[index] == UInt8(ascii: "\\"), index + 1 < inside.endIndex else {
                text.append(inside[index])
                index += 1
                continue
            }
            if inside[index + 1] == UInt8(ascii: "u") {
                index = appendScalar(of: inside, at: index, to: &text)
            } else {
                text.append(meaning(of: inside[index + 1]))
                index += 2
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// What stands after the backslash for a byte that must not stand in a text itself; zero for
    /// one that may, and `u` for one that has no short form.
    static func escape(of byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0A: UInt8(ascii: "n")
        case 0x0C: UInt8(ascii: "f")
        case 0x0D: UInt8(ascii: "r")
        case 0..<0x20: UInt8(ascii: "u")
        default: 0
        }
    }

    /// What the byte after a backslash stands for; a quote, a backslash and a slash for themselves.
    private static func meaning(of byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }

    /// Adds the character of a `\uXXXX`, or of two that make a pair; where to go on.
    private static func appendScalar(
        of bytes: ArraySlice<UInt8>,
        at index: Int,
        to text: inout [UInt8]
    ) -> Int {
        var code = unit(of: bytes, at: index)
        var next = index + 6
        if (0xD800...0xDBFF).contains(code) {
            code = 0x1_0000 + (code & 0x3FF) << 10 + unit(of: bytes, at: next) & 0x3FF
            next += 6
        }
        let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        return next
    }

    /// The number of a `\uXXXX`; the scan has seen to it that there is one.
    private static func unit(of bytes: ArraySlice<UInt8>, at index: Int) -> UInt32 {
        bytes[index + 2..<index + 6].reduce(0) { number, byte in
            number << 4 | UInt32(Hexadecimal.value(of: byte, allowsCapitals: true) ?? 0)
        }
    }
}
