/// How texts are spelled in JSON.
enum JSONString {
    /// The text of what stands between quotes, escapes resolved; a `JSONScan` has accepted it.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.endIndex else {
                text.append(bytes[index])
                index += 1
                continue
            }
            if bytes[index + 1] == UInt8(ascii: "u") {
                index = appendScalar(of: bytes, at: index, to: &text)
            } else {
                text.append(meaning(of: bytes[index + 1]))
                index += 2
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Adds the text with quotes and the fewest escapes that JSON allows.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(escaped: byte, to: &bytes)
            case 0x08: append(escaped: UInt8(ascii: "b"), to: &bytes)
            case 0x09: append(escaped: UInt8(ascii: "t"), to: &bytes)
            case 0x0A: append(escaped: UInt8(ascii: "n"), to: &bytes)
            case 0x0C: append(escaped: UInt8(ascii: "f"), to: &bytes)
            case 0x0D: append(escaped: UInt8(ascii: "r"), to: &bytes)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(digit(byte >> 4))
                bytes.append(digit(byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// How many bytes `append` adds for the text, the quotes left out.
    static func encodedCount(_ text: String) -> Int {
        var count = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: count += 2
            case 0..<0x20: count += 6
            default: count += 1
            }
        }
        return count
    }

    /// The number of a hexadecimal digit.
    static func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// The lower-case hexadecimal digit of a number below 16.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
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

    /// The number of a `\uXXXX`; zero where there is none.
    private static func unit(of bytes: ArraySlice<UInt8>, at index: Int) -> UInt32 {
        guard bytes.endIndex - index >= 6 else { return 0 }
        return bytes[index + 2..<index + 6].reduce(0) { $0 << 4 | (hexadecimal($1) ?? 0) }
    }
}
