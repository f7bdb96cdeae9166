import PeerTransport
import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

@testable import scoresyncd

/// What is remembered of announcements and dials.
struct HeardAnnouncementsTests {
    @Test("Of thousands of unknown devices and addresses only the latest are remembered")
    func bounds() {
        var generator = SeededGenerator(seed: 3)
        let devices = (0..<2000).map { _ in DeviceID.random(using: &generator) }
        var heard = HeardAnnouncements()
        var results = BoundedTable<Endpoint, Int>(maxCount: Links.maxResults)
        func endpoint(_ number: Int) -> Endpoint {
            Endpoint(address: 0x0A00_0000 + UInt32(number), port: 47_615)
        }
        for (number, device) in devices.enumerated() {
            heard.receive(device, sharesSession: true, at: UInt64(number))
            heard.receiveOwn(from: IPAddress(ipv4: UInt32(number)), at: UInt64(number))
            results[endpoint(number)] = number
        }
        let known = devices.indices.filter { heard[devices[$0]] != nil }
        #expect(known == Array(2000 - HeardAnnouncements.maxCount..<2000))
        let echoes = devices.indices.filter {
            heard.hasEcho(from: IPAddress(ipv4: UInt32($0)), since: 0)
        }
        #expect(echoes == known)
        let kept = devices.indices.filter { results[endpoint($0)] == $0 }
        #expect(kept == Array(2000 - Links.maxResults..<2000))
    }

    @Test("A device without a common session is heard, and not remembered by name")
    func strangers() {
        var heard = HeardAnnouncements()
        let device = DeviceID(high: 1, low: 2)
        heard.receive(device, sharesSession: false, at: 7)
        #expect(heard[device] == nil)
        #expect(heard.lastOfOthers == 7)
    }

    @Test("An echo counts from when the question was asked")
    func echo() {
        var heard = HeardAnnouncements()
        heard.receiveOwn(from: .loopback, at: 100)
        #expect(heard.hasEcho(from: .loopback, since: 100))
        #expect(!heard.hasEcho(from: .loopback, since: 101))
        #expect(!heard.hasEcho(from: IPAddress(ipv4: 8), since: 0))
    }
}
