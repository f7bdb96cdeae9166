import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

/// A home that was copied: two laptops of one device.
@Suite("Clones of a home")
struct CloneTests {
    private let peer = SyncEngine.ready(device(2)).hello(at: ms(10_000))

    private func twin() -> Hello {
        var twin = peer
        twin.instance = device(2, instance: 2).instance
        return twin
    }

    @Test("An address that a member sends is dialled although a copy of that home is linked")
    func reportsCopy() {
        let known = Contact(stored: address(2), of: device(2).id)
        var engine = SyncEngine.ready(device(1), contacts: [known])
        _ = engine.link(1, with: twin(), at: address(7), .accepted, at: ms(10_000))
        // A device that moved is not dialled at its old address.
        _ = engine.does(.dialFailed(session, address(2), .unreachable), at: ms(10_001))
        #expect(engine.does(.timePassed, at: ms(12_000)).dials.isEmpty)
        let told = PeerMessage.addresses([address(2)])
        let third = SyncEngine.ready(device(3)).hello(at: ms(12_000))
        _ = engine.link(2, with: third, at: address(3), at: ms(12_000))
        #expect(engine.does(.received(LinkID(2), told), at: ms(12_001)).dials == [address(2)])
        // If nobody answers there, it is not dialled again.
        _ = engine.does(.dialFailed(session, address(2), .unreachable), at: ms(12_002))
        #expect(engine.does(.timePassed, at: ms(15_000)).dials.isEmpty)
    }

    @Test("While one of two copies is linked, the other one is dialled for a while")
    func missesCopy() throws {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        let asked = engine.link(2, with: twin(), at: address(7), at: ms(10_100))
        let number = try #require(
            asked.compactMap { effect -> UInt64? in
                if case .send(LinkID(1), .ping(let number)) = effect { number } else { nil }
            }.first
        )
        _ = engine.does(.received(LinkID(1), .pong(number)), at: ms(10_101))
        _ = engine.does(.unlinked(LinkID(1)), at: ms(20_000))
        var dials = 0
        for time in stride(from: 20_000 as UInt64, to: 200_000, by: 1_000) {
            // The other copy stays, and answers.
            let effects =
                engine.does(.bytesReceived(LinkID(2)), at: ms(time))
                + engine.does(.timePassed, at: ms(time))
            guard effects.dials.contains(address(2)) else { continue }
            dials += 1
            _ = engine.does(.dialFailed(session, address(2), .unreachable), at: ms(time + 100))
        }
        #expect((5...Timing.maxFailedDials).contains(dials))
    }
}
