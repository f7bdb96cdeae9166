/// Bytes as lower-case hexadecimal digits.
enum Hexadecimal {
    /// The digits of the bytes, two each.
    static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(JSONString.digit(byte >> 4))
            text.append(JSONString.digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of lower-case digits, two each; nil for anything else.
    static func bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var upper: UInt8?
        for character in text.utf8 {
            guard let digit = JSONString.hexadecimal(character),
                !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(character)
            else { return nil }
            let value = UInt8(truncatingIfNeeded: digit)
            if let half = upper {
                bytes.append(half << 4 | value)
                upper = nil
            } else {
                upper = value
            }
        }
        return upper == nil ? bytes : nil
    }
}
