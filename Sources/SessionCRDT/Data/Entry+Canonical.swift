extension Entry {
    /// The bytes of this entry under its key that every version and platform agrees on.
    ///
    /// Numbers are most significant byte first and texts carry their length, so that no two entries
    /// have the same bytes: key, actor, sequence, stamp, author, then a byte for the kind of the
    /// value and the value.
    package func canonicalBytes(under key: Key) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160)
        bytes.append(0)
        bytes.append(0)
        key.write(to: &bytes)
        let keyBytes = UInt16(truncatingIfNeeded: bytes.count - 2)
        bytes[0] = UInt8(keyBytes >> 8)
        bytes[1] = UInt8(keyBytes & 0xFF)
        for word in [
            dot.actor.high, dot.actor.low, dot.sequence, stamp.bits, author.high, author.low,
        ] {
            append(word, to: &bytes)
        }
        append(value, to: &bytes)
        return bytes
    }

    private func append(_ value: Value, to bytes: inout [UInt8]) {
        switch value {
        case .null:
            bytes.append(0)
        case .boolean(let flag):
            bytes.append(1)
            bytes.append(flag ? 1 : 0)
        case .integer(let number):
            bytes.append(2)
            append(UInt64(bitPattern: number), to: &bytes)
        case .text(let text):
            bytes.append(3)
            append(text, to: &bytes)
        case .foreign(let kind, let text):
            bytes.append(4)
            append(kind, to: &bytes)
            append(text, to: &bytes)
        }
    }

    private func append(_ text: ExactText, to bytes: inout [UInt8]) {
        append(UInt64(text.string.utf8.count), to: &bytes)
        bytes.append(contentsOf: text.string.utf8)
    }

    private func append(_ word: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: word >> shift))
        }
    }
}
