import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@Suite("Forged announcements")
struct ForgedAnnouncementTests {
    private let peer = SyncEngine.ready(device(2)).hello(at: ms(10_000))

    /// An announcement of the peer's device, genuine or forged.
    private func announcement(of instance: UInt64) -> Announcement {
        Announcement(
            versions: Versions.peer,
            device: device(2).id,
            instance: device(2, instance: instance).instance,
            port: port,
            sessions: [AnnouncedSession(id: session, finishedDigest: nil)]
        )
    }

    @Test("False announcements in a member's name dial ever more rarely and cost no link")
    func falseClaims() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        var (dials, link): (Int, UInt64) = (0, 1)
        for time in stride(from: 10_000 as UInt64, to: 310_000, by: 100) {
            let forged = announcement(of: time)
            let effects =
                engine.does(.bytesReceived(LinkID(1)), at: ms(time))
                + engine.does(.announced(forged, source: address(2)), at: ms(time))
            for dialled in effects.dials {
                dials += 1
                link += 1
                let done =
                    engine.link(link, with: peer, at: dialled, at: ms(time + 1))
                    + engine.does(.bytesReceived(LinkID(1)), at: ms(time + 2))
                #expect(!done.closed.contains(LinkID(1)))
            }
        }
        #expect((1...20).contains(dials), "\(dials)")
        // The link is gone: now every announcement counts.
        _ = engine.does(.unlinked(LinkID(1)), at: ms(311_000))
        let restarted = announcement(of: 2)
        let effects = engine.does(.announced(restarted, source: address(2)), at: ms(311_001))
        #expect(effects.dials == [address(2)])
    }
}
