/// SipHash-2-4 with 128 bits of result and a key of zero (Aumasson and Bernstein, "SipHash: a fast
/// short-input PRF", 2012, and their reference implementation for the longer result).
///
/// Swift's own `Hasher` is seeded anew in each process, so it cannot say that two devices have the
/// same data. The key is public on purpose: this finds accidents, not attacks.
package struct SipHash {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    private init(key0: UInt64, key1: UInt64) {
        v0 = key0 ^ 0x736f_6d65_7073_6575
        v1 = key1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
        v2 = key0 ^ 0x6c79_6765_6e65_7261
        v3 = key1 ^ 0x7465_6462_7974_6573
    }

    /// The 128-bit hash of the bytes, the first result word in the high half.
    ///
    /// Both halves are little-endian words of the reference output.
    package static func hash(
        _ bytes: [UInt8],
        key0: UInt64 = 0,
        key1: UInt64 = 0
    ) -> UInt128 {
        var state = SipHash(key0: key0, key1: key1)
        var index = 0
        while bytes.count - index >= 8 {
            state.absorb(word(bytes, at: index, count: 8))
            index += 8
        }
        let tail = word(bytes, at: index, count: bytes.count - index)
        state.absorb(tail | UInt64(bytes.count & 0xFF) << 56)
        state.v2 ^= 0xee
        state.rounds(4)
        let first = state.v0 ^ state.v1 ^ state.v2 ^ state.v3
        state.v1 ^= 0xdd
        state.rounds(4)
        let second = state.v0 ^ state.v1 ^ state.v2 ^ state.v3
        return UInt128(first) << 64 | UInt128(second)
    }

    private static func word(_ bytes: [UInt8], at start: Int, count: Int) -> UInt64 {
        var word: UInt64 = 0
        for offset in 0..<count {
            word |= UInt64(bytes[start + offset]) << UInt64(offset * 8)
        }
        return word
    }

    private mutating func absorb(_ word: UInt64) {
        v3 ^= word
        rounds(2)
        v0 ^= word
    }

    private mutating func rounds(_ count: Int) {
        for _ in 0..<count {
            v0 &+= v1
            v1 = rotated(v1, 13) ^ v0
            v0 = rotated(v0, 32)
            v2 &+= v3
            v3 = rotated(v3, 16) ^ v2
            v0 &+= v3
            v3 = rotated(v3, 21) ^ v0
            v2 &+= v1
            v1 = rotated(v1, 17) ^ v2
            v2 = rotated(v2, 32)
        }
    }

    private func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
        word << count | word >> (64 - count)
    }
}
