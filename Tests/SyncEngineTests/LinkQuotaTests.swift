import SessionCRDT
import SyncProtocol
import Testing

@testable import SyncEngine

@Suite("The links of one session")
struct LinkQuotaTests {
    private func links(
        _ count: Int,
        at remote: (Int) -> Endpoint,
        device: (Int) -> UInt64
    ) -> [Link] {
        (1...count).map { number in
            var link = Link(LinkID(UInt64(number)), remote(number), .accepted, at: ms(0))
            let peer = Link.Peer(
                device: DeviceID(high: 3, low: device(number)),
                instance: InstanceID(high: 4, low: UInt64(number)),
                name: "",
                port: 0,
                skew: 0,
                features: []
            )
            link.greet(
                peer,
                Exchange(peerVector: VersionVector(), peerDigest: Digest()),
                at: ms(0)
            )
            return link
        }
    }

    private func surplus(_ links: [Link]) -> [UInt64] {
        links.last.map { LinkQuota.surplus(in: links, with: $0).map(\.number) } ?? []
    }

    @Test("with one device are limited to the needs of two copies; one more evicts the oldest")
    func oneDevice() {
        let elsewhere = { (number: Int) in address(UInt32(number)) }
        for (count, gone) in [(LinkQuota.perDevice, []), (LinkQuota.perDevice + 1, [UInt64(1)])] {
            #expect(surplus(links(count, at: elsewhere, device: { _ in 1 })) == gone)
        }
    }

    @Test("with one address are limited, regardless of claimed devices")
    func sharedAddress() {
        let there = { (_: Int) in address(7) }
        let loopback = { (_: Int) in Endpoint(address: 0x7F00_0001, port: 1) }
        let most = LinkQuota.perAddress
        for (count, gone) in [(most, []), (most + 1, [UInt64(1)])] {
            #expect(surplus(links(count, at: there, device: { UInt64($0) })) == gone)
        }
        #expect(surplus(links(most + 1, at: loopback, device: { UInt64($0) })) == [])
    }

    @Test("are limited in total")
    func inAll() {
        let elsewhere = { (number: Int) in address(UInt32(number)) }
        let most = LinkQuota.perSession
        for (count, gone) in [(most, []), (most + 1, [UInt64(1)])] {
            #expect(surplus(links(count, at: elsewhere, device: { UInt64($0) })) == gone)
        }
    }

    @Test("of a member that opens 120 are closed except for a few, and the others' stay")
    func ofMember() {
        var engine = SyncEngine.ready(device(1))
        let friend = SyncEngine.ready(device(2))
        _ = engine.link(1, with: friend.hello(), at: address(2), .accepted, at: ms(10_000))
        var closed: [LinkID] = []
        for number in UInt64(2)...121 {
            let claim = SyncEngine.ready(device(3, instance: number)).hello()
            let from = address(3, port: UInt16(50_000 + number))
            closed += engine.link(number, with: claim, at: from, .accepted, at: ms(10_001)).closed
        }
        #expect(closed.count == 120 - LinkQuota.perDevice)
        #expect(!closed.contains(LinkID(1)))
        #expect(engine.peers(session).map(\.device) == [device(2).id, device(3).id])
    }
}
