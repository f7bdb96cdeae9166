import SyncProtocol
import Testing

@testable import PeerTransport

@Suite("The admission gate")
struct AdmissionGateTests {
    /// An address of a home network.
    private let base = home(0)

    private static func home(_ number: Int) -> IPAddress {
        IPAddress(ipv4: 0xC0A8_0000 + UInt32(number))
    }

    @Test("gives unknown addresses 48 slots, and replaces the oldest for the next")
    func strangers() {
        var gate = AdmissionGate()
        for id in 0..<48 {
            #expect(gate.admit(id, address: Self.home(id), isKnown: false) == nil)
        }
        #expect(gate.admit(48, address: Self.home(1_000), isKnown: false) == 0)
        #expect(gate.admit(49, address: Self.home(1_001), isKnown: false) == 1)
        #expect(gate.count == 48)
    }

    @Test("keeps 16 places for known addresses during a flood")
    func reservedForKnown() {
        var gate = AdmissionGate()
        for id in 0..<200 { _ = gate.admit(id, address: Self.home(id), isKnown: false) }
        for id in 200..<216 {
            #expect(gate.admit(id, address: Self.home(id), isKnown: true) == nil)
        }
        #expect(gate.count == 64)
        // One more stranger takes a stranger's place, never a known one's.
        #expect(gate.admit(300, address: Self.home(300), isKnown: false) == 152)
        // One more known takes a stranger's place as well.
        #expect(gate.admit(301, address: Self.home(301), isKnown: true) == 153)
        #expect(gate.count == 64)
    }

    @Test("lets known addresses use every slot, then replaces the oldest")
    func onlyKnown() {
        var gate = AdmissionGate()
        for id in 0..<64 {
            #expect(gate.admit(id, address: Self.home(id), isKnown: true) == nil)
        }
        #expect(gate.admit(64, address: Self.home(64), isKnown: true) == 0)
        #expect(gate.admit(65, address: Self.home(65), isKnown: false) == 1)
        #expect(gate.count == 64)
    }

    @Test("gives one address 8 slots, known or not, and replaces its oldest for the ninth")
    func perAddress() {
        for isKnown in [false, true] {
            var gate = AdmissionGate()
            #expect(gate.admit(100, address: Self.home(9), isKnown: false) == nil)
            for id in 0..<8 { #expect(gate.admit(id, address: base, isKnown: isKnown) == nil) }
            #expect(gate.admit(8, address: base, isKnown: isKnown) == 0)
            #expect(gate.count == 9)
        }
    }

    @Test("counts the addresses of an IPv6 network as one, and those of a link each")
    func ipv6() {
        func ninth(_ prefix: UInt64) -> Int? {
            var gate = AdmissionGate()
            return (0...8).compactMap { id in
                let address = IPAddress(high: prefix << 48, low: UInt64(id), zone: "eth0")
                return gate.admit(id, address: address, isKnown: false)
            }.first
        }
        #expect(ninth(0x2001) == 0)
        #expect(ninth(0xFE80) == nil)
    }

    @Test("lets strangers of an IPv6 network not evict a known address of it")
    func ipv6Members() {
        var gate = AdmissionGate()
        func admit(_ id: Int, isKnown: Bool) -> Int? {
            let address = IPAddress(high: 0x2001 << 48, low: UInt64(id))
            return gate.admit(id, address: address, isKnown: isKnown)
        }
        #expect(admit(1, isKnown: true) == nil)
        let evicted = (2...20).compactMap { admit($0, isKnown: false) }
        #expect(evicted == Array(2...12))
        #expect(admit(21, isKnown: true) == nil)
    }

    @Test("counts loopback in total only", arguments: ["127.0.0.1", "::1"])
    func loopbackInTotal(text: String) throws {
        let address = try #require(IPAddress(text))
        var gate = AdmissionGate()
        for id in 0..<48 { #expect(gate.admit(id, address: address, isKnown: false) == nil) }
        #expect(gate.admit(48, address: address, isKnown: false) == 0)
    }

    @Test("frees a slot once when its connection is removed")
    func leaving() {
        var gate = AdmissionGate()
        for id in 0..<8 { _ = gate.admit(id, address: base, isKnown: false) }
        gate.release(3)
        gate.release(3)
        gate.release(77)
        #expect(gate.count == 7)
        #expect(gate.admit(8, address: base, isKnown: false) == nil)
        #expect(gate.admit(9, address: base, isKnown: false) == 0)
    }
}
