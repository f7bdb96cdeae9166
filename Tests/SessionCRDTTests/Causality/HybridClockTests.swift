import SessionCRDT
import SyncTestKit
import Testing

struct HybridClockTests {
    private let now: UInt64 = 1_795_000_000_000

    @Test("A new clock follows the physical clock")
    func physical() {
        var clock = HybridClock()
        #expect(clock.tick(physical: now) == Stamp(milliseconds: now, counter: 1))
        #expect(clock.tick(physical: now) == Stamp(milliseconds: now, counter: 2))
        #expect(clock.tick(physical: now + 5) == Stamp(milliseconds: now + 5, counter: 1))
    }

    @Test("The physical clock is limited to the years 2000 to 2200")
    func bounds() {
        var clock = HybridClock()
        #expect(clock.tick(physical: 0).milliseconds == HybridClock.earliest)
        #expect(clock.tick(physical: .max).milliseconds == HybridClock.latest)
        #expect(HybridClock.earliest == 946_684_800_000)
        #expect(HybridClock.latest == 7_258_118_400_000)
    }

    @Test("A received stamp is followed for at most ten seconds")
    func lead() {
        var clock = HybridClock()
        clock.observe(Stamp(milliseconds: now + 9_999, counter: 3))
        #expect(clock.tick(physical: now) == Stamp(milliseconds: now + 9_999, counter: 4))
        clock.observe(Stamp(milliseconds: now + 3_600_000))
        #expect(clock.tick(physical: now) == Stamp(milliseconds: now + 10_000, counter: 1))
        #expect(clock.tick(physical: now + 60_000).milliseconds == now + 60_000)
    }

    @Test("Stamps still increase after a stamp from the far future")
    func increasingUnderTheLead() {
        var clock = HybridClock()
        clock.observe(Stamp(bits: .max))
        let stamps = (0..<1_000).map { _ in clock.tick(physical: now) }
        #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 })
        #expect(stamps.allSatisfy { $0.milliseconds == now + HybridClock.maxLead })
    }

    @Test("A full counter carries into the milliseconds")
    func carry() {
        var clock = HybridClock()
        clock.observe(Stamp(milliseconds: now, counter: .max))
        #expect(clock.tick(physical: now) == Stamp(milliseconds: now + 1, counter: 0))
        var early = HybridClock()
        early.observe(Stamp(bits: .max))
        #expect(early.tick(physical: .max) > Stamp(milliseconds: HybridClock.latest))
    }

    @Test("A clock that was set back is followed within ten seconds")
    func setBack() {
        var clock = HybridClock()
        _ = clock.tick(physical: now + 86_400_000)
        #expect(clock.tick(physical: now) == Stamp(milliseconds: now + 10_000, counter: 1))
        #expect(clock.tick(physical: now + 20_000).milliseconds == now + 20_000)
    }

    @Test("Stamps increase unless the clock jumps back", arguments: Seeds.below(40))
    func increasing(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var clock = HybridClock()
        var physical = now
        var last = Stamp(bits: 0)
        for _ in 0..<500 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: physical += UInt64.random(in: 0...20_000, using: &random)
            case 1: clock.observe(Stamp(bits: random.next()))
            case 2:
                let ahead = UInt64.random(in: 0...20_000, using: &random)
                let counter = UInt16.random(in: 0xFFF0...0xFFFF, using: &random)
                clock.observe(Stamp(milliseconds: physical - 10_000 + ahead, counter: counter))
            default:
                let stamp = clock.tick(physical: physical)
                #expect(stamp > last)
                #expect(stamp.milliseconds >= physical)
                #expect(stamp.milliseconds <= physical + HybridClock.maxLead + 1)
                last = stamp
            }
        }
    }
}
