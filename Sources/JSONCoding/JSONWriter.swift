package import SessionCRDT

/// Writes JSON directly into one buffer, without spaces.
///
/// Commas are written automatically, depending on the last byte. Callers must write the fields of
/// an object sorted by name, so that equal objects have equal bytes.
package struct JSONWriter: Sendable {
    /// The bytes given to the initializer, followed by everything written.
    package var bytes: [UInt8]
    private let start: Int

    /// Creates a writer that appends to a buffer.
    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
        start = bytes.count
    }

    /// Writes a comma if the next value or name needs one before it.
    package mutating func separate() {
        guard bytes.count > start, let last = bytes.last else { return }
        switch last {
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"): return
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    package mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
    }

    package mutating func close(_ bracket: Unicode.Scalar) { bytes.append(UInt8(ascii: bracket)) }

    package mutating func array(_ content: (inout JSONWriter) -> Void) {
        open("[")
        content(&self)
        close("]")
    }

    /// Writes an object; `content` writes its names, each followed by a value.
    package mutating func object(_ content: (inout JSONWriter) -> Void) {
        open("{")
        content(&self)
        close("}")
    }

    /// Writes the name of a field; the next call must write its value.
    package mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a text with only the escapes that JSON requires.
    package mutating func text(_ text: String) {
        separate()
        quote(text)
    }

    /// Writes a quoted text, without a comma before it.
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

    package mutating func id<Tag>(_ id: ID<Tag>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        id.write(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func integer(_ number: Int64) {
        separate()
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(number.magnitude)
    }

    package mutating func integer(_ number: UInt64) {
        separate()
        digits(number)
    }

    private mutating func digits(_ number: UInt64) {
        guard number > 9 else {
            return bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
        }
        // From the last digit to the first; 2⁶⁴ has twenty.
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

    package mutating func boolean(_ boolean: Bool) { value((boolean ? "true" : "false").utf8) }
    package mutating func null() { value("null".utf8) }

    /// Writes a value that is already JSON.
    package mutating func value(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }
}
