extension Entry {
    /// The bytes of this entry under its key that every version and platform agrees on.
    ///
    /// Numbers are most significant byte first and texts carry their length, so that no two entries
    /// have the same bytes: key, actor, sequence, stamp, author, then a byte for the kind of the
    /// value and the value.
    package func canonicalBytes(under key: Key) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160)
        write(under: key, to: &bytes)
        return bytes
    }

    /// The hash of the canonical bytes, which are not written for it, and how many they are.
    func canonicalHash(under key: Key) -> (hash: UInt128, bytes: Int) {
        var hash = SipHash()
        write(under: key, to: &hash)
        return (hash.result, hash.count)
    }

    /// How many the canonical bytes are.
    package func canonicalCount(under key: Key) -> Int {
        var count = ByteCount()
        write(under: key, to: &count)
        return count.bytes
    }

    private func write(under key: Key, to sink: inout some ByteSink) {
        sink.take(UInt64(UInt16(truncatingIfNeeded: key.utf8Count).byteSwapped), count: 2)
        key.spell(into: &sink)
        sink.take(dot.actor.high)
        sink.take(dot.actor.low)
        sink.take(dot.sequence)
        sink.take(stamp.bits)
        sink.take(author.high)
        sink.take(author.low)
        switch value {
        case .null:
            sink.take(0, count: 1)
        case .boolean(let boolean):
            sink.take(1 | (boolean ? 0x100 : 0), count: 2)
        case .integer(let number):
            sink.take(2, count: 1)
            sink.take(UInt64(bitPattern: number))
        case .text(let text):
            sink.take(3, count: 1)
            write(text, to: &sink)
        case .foreign(let kind, let text):
            sink.take(4, count: 1)
            write(kind, to: &sink)
            write(text, to: &sink)
        }
    }

    private func write(_ text: ExactText, to sink: inout some ByteSink) {
        sink.take(UInt64(text.string.utf8.count))
        sink.take(text.string.utf8)
    }
}

/// What takes bytes in, up to eight at a time: a text that is being written, or a hash.
protocol ByteSink {
    /// Takes 1 to 8 bytes in, the first one lowest; what is above them is zero.
    mutating func take(_ bytes: UInt64, count: Int)
}

extension ByteSink {
    /// Takes a number in, its most significant byte first.
    mutating func take(_ number: UInt64) { take(number.byteSwapped, count: 8) }

    /// Takes bytes in.
    mutating func take(_ bytes: some Sequence<UInt8>) {
        var word: UInt64 = 0
        var count = 0
        for byte in bytes {
            word |= UInt64(byte) &<< UInt64(truncatingIfNeeded: count * 8)
            count += 1
            guard count == 8 else { continue }
            take(word, count: 8)
            (word, count) = (0, 0)
        }
        if count > 0 { take(word, count: count) }
    }

    /// Takes in a number as decimal digits.
    mutating func take(decimal number: UInt32) {
        var digits: UInt64 = 0
        var count = 0
        var rest = number
        repeat {
            digits = digits &<< 8 | UInt64(UInt32(UInt8(ascii: "0")) + rest % 10)
            count += 1
            rest /= 10
        } while rest > 0 && count < 8
        if rest > 0 { take(decimal: rest) }
        take(digits, count: count)
    }

    /// Takes in the text form of an id.
    mutating func take<Tag>(_ id: ID<Tag>) {
        for half in [id.high, id.low] {
            take(hexadecimal(UInt32(truncatingIfNeeded: half >> 32)), count: 8)
            take(hexadecimal(UInt32(truncatingIfNeeded: half)), count: 8)
        }
    }

    /// The eight lower-case hexadecimal digits of a number, the first one lowest.
    private func hexadecimal(_ number: UInt32) -> UInt64 {
        var digits = UInt64(number.byteSwapped)
        digits = (digits | digits &<< 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits &<< 8) & 0x00FF_00FF_00FF_00FF
        let low: UInt64 = 0x000F_000F_000F_000F
        digits = digits &>> 4 & low | (digits & low) &<< 8
        // One in each byte whose digit is a letter.
        let letters = (digits + 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
        return digits + 0x3030_3030_3030_3030 + letters * 0x27
    }
}

/// Only counts.
struct ByteCount: ByteSink {
    private(set) var bytes = 0

    mutating func take(_ bytes: UInt64, count: Int) { self.bytes += count }
}

extension Hasher: ByteSink {
    mutating func take(_ bytes: UInt64, count: Int) { combine(bytes) }
}

extension [UInt8]: ByteSink {
    mutating func take(_ bytes: UInt64, count: Int) {
        for place in 0..<count {
            append(UInt8(truncatingIfNeeded: bytes &>> UInt64(truncatingIfNeeded: place * 8)))
        }
    }
}
