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
