import SessionCRDT
import Testing

struct DigestTests {
    @Test("A digest depends only on the set of entries")
    func order() {
        var one = Digest()
        var two = Digest()
        for hash in [UInt128.max, 7, 1 << 127] { one.add(hash) }
        for hash in [UInt128(1) << 127, 99, .max, 7] { two.add(hash) }
        #expect(one != two)
        two.remove(99)
        #expect(one == two)
    }

    @Test("A digest survives a round trip through its text form")
    func text() {
        var digest = Digest()
        digest.add(UInt128(0xABC) << 64 | 0xDEF)
        #expect(digest.description == "0000000000000abc0000000000000def")
        #expect(Digest(digest.description) == digest)
        #expect(Digest("abc") == nil)
    }
}
