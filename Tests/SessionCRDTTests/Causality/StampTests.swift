import SessionCRDT
import Testing

struct StampTests {
    @Test("A stamp consists of milliseconds and a counter")
    func parts() {
        let stamp = Stamp(milliseconds: 1_795_000_000_123, counter: 7)
        #expect(stamp.milliseconds == 1_795_000_000_123)
        #expect(stamp.counter == 7)
        #expect(Stamp(bits: stamp.bits) == stamp)
        #expect(Stamp(milliseconds: 1) > Stamp(milliseconds: 0, counter: .max))
    }

    @Test("Milliseconds are clamped to the last that a stamp can represent")
    func cut() {
        #expect(Stamp(milliseconds: .max, counter: .max).bits == .max)
        #expect(Stamp(milliseconds: 1 << 48) == Stamp(milliseconds: Stamp.lastMillisecond))
        #expect(Stamp(bits: .max).milliseconds == Stamp.lastMillisecond)
    }
}
