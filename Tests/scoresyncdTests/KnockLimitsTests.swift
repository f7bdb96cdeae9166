import SessionCRDT
import SyncProtocol
import Testing

@testable import scoresyncd

/// The bounds of knocks at the door.
struct KnockLimitsTests {
    private static let session = SessionID(high: 1, low: 1)

    private func source(_ device: UInt64, at address: UInt32? = nil) -> KnockLimits.Source {
        let address = address ?? 0x0A00_0000 + UInt32(device)
        return .init(device: DeviceID(high: 0, low: device), address: IPAddress(ipv4: address))
    }

    @Test("An address knocks twice a minute, with whatever laptop")
    func rate() {
        var limits = KnockLimits()
        let allowed = [1_000, 2_000, 3_000, 32_000, 62_001, 100_000].map { (now: UInt64) in
            limits.allow(source(now, at: 7), beside: [], at: now)
        }
        // An attempt that was refused counts, too.
        #expect(allowed == [true, true, false, false, false, true])
        let other = limits.allow(source(1, at: 8), beside: [], at: 100_000)
        #expect(other)
    }

    @Test("The addresses of an IPv6 network knock as one, those of a link each")
    func ipv6() {
        func allowed(_ prefix: UInt64) -> [Bool] {
            var limits = KnockLimits()
            return (1...3).map { (device: UInt64) in
                let address = IPAddress(high: prefix << 48, low: device, zone: "eth0")
                let source = KnockLimits.Source(
                    device: DeviceID(high: 0, low: device),
                    address: address
                )
                return limits.allow(source, beside: [], at: device)
            }
        }
        #expect(allowed(0x2001) == [true, true, false])
        #expect(allowed(0xFE80) == [true, true, true])
    }

    @Test("Eight wait, one of each laptop and address")
    func places() {
        var limits = KnockLimits()
        let eight = (1...8).map { source($0) }
        let allowed = [
            limits.allow(source(9), beside: Array(eight.dropLast()), at: 0),
            limits.allow(source(10), beside: eight, at: 0),
            limits.allow(source(1, at: 7), beside: [source(1)], at: 0),
            limits.allow(source(11, at: 0x0A00_0001), beside: [source(1)], at: 0),
        ]
        #expect(allowed == [true, false, false, false])
    }

    @Test("The laptops of one machine share its loopback address")
    func loopback() {
        var limits = KnockLimits()
        let address: UInt32 = 0x7F00_0001
        let waiting = [source(1, at: address), source(2, at: address)]
        let third = limits.allow(source(3, at: address), beside: waiting, at: 0)
        limits.mute(waiting[0], in: Self.session)
        let others = waiting.map { limits.allow($0, beside: [], at: 0) }
        #expect([third] + others == [true, false, true])
        let sixth = (1...3).map { (device: UInt64) in
            let own = IPAddress(high: 0, low: 1)
            let source = KnockLimits.Source(device: DeviceID(high: 0, low: device), address: own)
            return limits.allow(source, beside: [], at: 0)
        }
        #expect(sixth == [false, true, true])
    }

    @Test("A muted laptop and its address are refused until the invite closes")
    func muted() {
        var limits = KnockLimits()
        limits.mute(source(1), in: Self.session)
        var allowed = [
            limits.allow(source(1, at: 7), beside: [], at: 0),
            limits.allow(source(2, at: 0x0A00_0001), beside: [], at: 0),
        ]
        limits.unmute(in: SessionID(high: 1, low: 2))
        allowed.append(limits.allow(source(1, at: 8), beside: [], at: 0))
        limits.unmute(in: Self.session)
        allowed.append(limits.allow(source(1, at: 9), beside: [], at: 0))
        #expect(allowed == [false, false, false, true])
    }
}
