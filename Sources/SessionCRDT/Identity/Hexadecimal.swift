/// Bytes as lower-case hexadecimal digits, the only spelling of ids, digests and keys.
package enum Hexadecimal {
    /// The digit of a number below 16.
    package static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// The number of a digit; nil of any other byte, and of capitals where they are not allowed.
    package static func value(of byte: UInt8, allowsCapitals: Bool = false) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"):
            allowsCapitals ? byte - UInt8(ascii: "A") + 10 : nil
        default: nil
        }
    }

    /// Adds the digits of a byte.
    package static func append(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(digit(byte >> 4))
        text.append(digit(byte & 15))
    }

    /// The digits of the bytes, two each.
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes { append(byte, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of lower-case digits, two each; nil for anything else.
    package static func bytes(of text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var upper: UInt8?
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            if let half = upper { bytes.append(half << 4 | value) }
            upper = upper == nil ? value : nil
        }
        return upper == nil ? bytes : nil
    }

    /// The bits of 32 lower-case digits; nil for anything else.
    ///
    /// It knows nothing of whose bits they are, so that the compiler makes it for each kind of
    /// text: as long as `ID` did this for any tag, it was 8 % of what merging a score costs.
    static func bits(of text: some Collection<UInt8>) -> (high: UInt64, low: UInt64)? {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var count = 0
        for character in text {
            guard count < 32, let digit = value(of: character) else { return nil }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
            count += 1
        }
        return count == 32 ? (high, low) : nil
    }
}
