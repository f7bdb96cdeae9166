import SessionCRDT
import Testing

struct SipHashTests {
    @Test("The published test vectors match")
    func published() {
        for (length, expected) in SipHashVectors.published.enumerated() {
            let hash = SipHash.hash(
                message(length),
                key0: 0x0706_0504_0302_0100,
                key1: 0x0f0e_0d0c_0b0a_0908
            )
            #expect(reference(hash) == expected, "message of \(length) bytes")
        }
    }

    @Test("The default key is zero")
    func keyOfZero() {
        for (length, expected) in SipHashVectors.underZeroKey {
            #expect(reference(SipHash.hash(message(length))) == expected, "\(length) bytes")
        }
    }

    private func message(_ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    }

    /// The bytes of the reference output: each half as a little-endian word, the first one first.
    private func reference(_ hash: UInt128) -> String {
        let halves = [UInt64(truncatingIfNeeded: hash >> 64), UInt64(truncatingIfNeeded: hash)]
        return halves.map { ID<SipHash>(high: 0, low: $0.byteSwapped).description.suffix(16) }
            .joined()
    }
}
