package import SessionCRDT

/// Writes JSON straight into one buffer, without spaces.
///
/// Commas come by themselves: one stands before whatever neither begins a container nor follows a
/// name, which the byte before it tells. Who writes an object by hand gives its fields sorted by
/// name, so that the same thing always has the same bytes.
package struct JSONWriter: Sendable {
    /// What was written so far, after the bytes that the buffer began with.
    package var bytes: [UInt8]
    private let start: Int

    /// A writer behind the bytes that are in a buffer already.
    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
        start = bytes.count
    }

    /// Writes the comma before a value or a name, where one is due.
    package mutating func separate() {
        guard bytes.count > start, let last = bytes.last else { return }
        switch last {
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"): return
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    // MARK: Containers

    /// Writes the bracket that begins an array or an object.
    package mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
    }

    /// Writes the bracket that ends an array or an object.
    package mutating func close(_ bracket: Unicode.Scalar) { bytes.append(UInt8(ascii: bracket)) }

    /// Writes an array of what is written meanwhile.
    package mutating func array(_ content: (inout JSONWriter) -> Void) {
        open("[")
        content(&self)
        close("]")
    }

    /// Writes an object of what is written meanwhile: names, each with its value.
    package mutating func object(_ content: (inout JSONWriter) -> Void) {
        open("{")
        content(&self)
        close("}")
    }

    /// Writes the name of a field; its value is written next.
    package mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: Values

    /// Writes a text with the fewest escapes that JSON allows.
    package mutating func text(_ text: String) {
        separate()
        quote(text)
    }

    /// Writes a text without looking for a comma.
    mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            var done = 0
            for index in text.indices {
                let escape = JSONString.escape(of: text[index])
                guard escape > 0 else { continue }
                bytes.append(contentsOf: text[done..<index])
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(escape)
                if escape == UInt8(ascii: "u") {
                    bytes.append(contentsOf: "00".utf8)
                    Hexadecimal.append(text[index], to: &bytes)
                }
                done = index + 1
            }
            bytes.append(contentsOf: text[done...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes an id in its text form.
    package mutating func id<Tag>(_ id: ID<Tag>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        id.write(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a whole number in decimal digits.
    package mutating func integer(_ number: Int64) {
        separate()
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(number.magnitude)
    }

    /// Writes a whole number in decimal digits.
    package mutating func integer(_ number: UInt64) {
        separate()
        digits(number)
    }

    private mutating func digits(_ number: UInt64) {
        guard number > 9 else {
            return bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
        }
        // From the last to the first: 2⁶⁴ has twenty.
        var digits: InlineArray<20, UInt8> = InlineArray(repeating: 0)
        var first = digits.count
        var rest = number
        while rest > 0 {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        for index in first..<digits.count { bytes.append(digits[index]) }
    }

    /// Writes yes or no.
    package mutating func boolean(_ boolean: Bool) { value((boolean ? "true" : "false").utf8) }

    /// Writes `null`.
    package mutating func null() { value("null".utf8) }

    /// Writes a value that is JSON already.
    package mutating func value(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }
}
