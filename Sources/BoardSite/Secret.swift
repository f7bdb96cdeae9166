/// A part of an address that nobody guesses: 128 random bits.
package struct Secret: Hashable, Sendable {
    /// As it stands in the address: 32 hexadecimal digits.
    package let text: String

    /// A new one.
    package init(using generator: inout some RandomNumberGenerator) {
        text = (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0 ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }
}
