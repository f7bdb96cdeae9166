extension Entry {
    /// Returns an encoding of this entry and its key that is the same in every version and on every
    /// platform.
    ///
    /// Numbers are big-endian and texts are preceded by their length, so that different entries
    /// have different bytes. Order: key, actor, sequence, stamp, author, kind of the value, value.
    package func canonicalBytes(under key: Key) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160)
        write(under: key, to: &bytes)
        return bytes
    }

    /// Returns the hash and the count of the canonical bytes, without building an array of them.
    func canonicalHash(under key: Key) -> (hash: UInt128, bytes: Int) {
        var hash = SipHash()
        write(under: key, to: &hash)
        return (hash.result, hash.count)
    }

    package func canonicalCount(under key: Key) -> Int {
        var count = ByteCount()
        write(under: key, to: &count)
        return count.bytes
    }

    private func write(under key: Key, to sink: inout some ByteSink) {
        sink.append(UInt64(UInt16(truncatingIfNeeded: key.utf8Count).byteSwapped), count: 2)
        key.writeText(to: &sink)
        sink.append(bigEndian: dot.actor.high)
        sink.append(bigEndian: dot.actor.low)
        sink.append(bigEndian: dot.sequence)
        sink.append(bigEndian: stamp.bits)
        sink.append(bigEndian: author.high)
        sink.append(bigEndian: author.low)
        switch value {
        case .null: sink.append(0, count: 1)
        case .boolean(let boolean): sink.append(1 | (boolean ? 0x100 : 0), count: 2)
        case .integer(let number):
            sink.append(2, count: 1)
            sink.append(bigEndian: UInt64(bitPattern: number))
        case .text(let text):
            sink.append(3, count: 1)
            write(text, to: &sink)
        case .foreign(let kind, let text):
            sink.append(4, count: 1)
            write(kind, to: &sink)
            write(text, to: &sink)
        }
    }

    private func write(_ text: ExactText, to sink: inout some ByteSink) {
        sink.append(bigEndian: UInt64(text.string.utf8.count))
        sink.append(text.string.utf8)
    }
}

/// A destination of bytes, up to eight at a time: a buffer, a counter or a hash.
protocol ByteSink {
    /// Appends 1 to 8 bytes, the first in the lowest bits; unused high bits must be zero.
    mutating func append(_ bytes: UInt64, count: Int)
}

extension ByteSink {
    mutating func append(bigEndian number: UInt64) { append(number.byteSwapped, count: 8) }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        var word: UInt64 = 0
        var count = 0
        for byte in bytes {
            word |= UInt64(byte) &<< UInt64(truncatingIfNeeded: count * 8)
            count += 1
            guard count == 8 else { continue }
            append(word, count: 8)
            (word, count) = (0, 0)
        }
        if count > 0 { append(word, count: count) }
    }

    mutating func append(decimal number: UInt32) {
        var digits: UInt64 = 0
        var count = 0
        var rest = number
        repeat {
            digits = digits &<< 8 | UInt64(UInt32(UInt8(ascii: "0")) + rest % 10)
            count += 1
            rest /= 10
        } while rest > 0 && count < 8
        if rest > 0 { append(decimal: rest) }
        append(digits, count: count)
    }

    mutating func append<Tag>(id: ID<Tag>) {
        for half in [id.high, id.low] {
            append(hexadecimal(UInt32(truncatingIfNeeded: half >> 32)), count: 8)
            append(hexadecimal(UInt32(truncatingIfNeeded: half)), count: 8)
        }
    }

    /// Returns the eight lowercase hexadecimal digits of a number, the first in the lowest bits.
    private func hexadecimal(_ number: UInt32) -> UInt64 {
        var digits = UInt64(number.byteSwapped)
        digits = (digits | digits &<< 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits &<< 8) & 0x00FF_00FF_00FF_00FF
        let low: UInt64 = 0x000F_000F_000F_000F
        digits = digits &>> 4 & low | (digits & low) &<< 8
        // 1 in each byte whose digit is a letter.
        let letters = (digits + 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
        return digits + 0x3030_3030_3030_3030 + letters * 0x27
    }
}

private struct ByteCount: ByteSink {
    private(set) var bytes = 0

    mutating func append(_ bytes: UInt64, count: Int) { self.bytes += count }
}

extension Hasher: ByteSink {
    mutating func append(_ bytes: UInt64, count: Int) { combine(bytes) }
}

extension [UInt8]: ByteSink {
    mutating func append(_ bytes: UInt64, count: Int) {
        for index in 0..<count {
            append(UInt8(truncatingIfNeeded: bytes &>> UInt64(truncatingIfNeeded: index * 8)))
        }
    }
}
