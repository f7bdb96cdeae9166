import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@Suite("Finding the members of the previous game in the next one")
struct NextGameTests {
    @Test("A member that has yet to join the session is dialled again, but not for ever")
    func notYetTakenUp() {
        let known = Contact(stored: address(2), of: device(2).id)
        var engine = SyncEngine.ready(device(1), contacts: [known])
        let failed = Input.dialFailed(session, address(2), .unknownSession)
        // The first dial is that of the start.
        var dials = 1
        _ = engine.handle(failed, at: ms(2_500))
        for time in stride(from: 3_000 as UInt64, to: 600_000, by: 500) {
            guard engine.handle(.timePassed, at: ms(time)).dials == [address(2)] else { continue }
            dials += 1
            _ = engine.handle(failed, at: ms(time + 1))
        }
        #expect(dials == Timing.maxFailedDials)
    }
}
