import SessionCRDT
import SyncEngine
import SyncProtocol
import SyncTestKit
import Testing

@testable import scoresyncd

/// What is asked before a session is left.
struct LeavingTests {
    private let session = SessionID(high: 1, low: 1)
    private let now = Moment(uptime: 1_000, wall: 1_700_000_000_000)
    private var engine: SyncEngine {
        let device = Device(
            id: DeviceID(high: 2, low: 1),
            instance: InstanceID(high: 3, low: 1),
            name: "ann-laptop"
        )
        return SyncEngine(device: device, generator: SeededGenerator(seed: 1))
    }

    @Test("A session that cannot be read is not left unasked")
    func unreadable() {
        var engine = engine
        _ = engine.handle(.unloadable(session, reason: "the disk hums"), at: now)
        let question = Question.aboutLeaving(session, engine)
        #expect(question?.text.contains("cannot be read now") == true)
    }

    @Test("A session of which others have everything is left unasked, one with more is not")
    func readable() throws {
        var engine = engine
        let nothing = ReplicaSnapshot(entries: [], vector: VersionVector())
        _ = engine.handle(.opened(session, OpenedSession(replica: nothing)), at: now)
        #expect(Question.aboutLeaving(session, engine) == nil)
        let player = PlayerID(high: 4, low: 1)
        let cell = Cell(player: player, row: Symbol(known: "points"))
        let write = Input.write(RequestID(1), session, Mutation.score(cell, .integer(5)))
        for case .persist(let batch, _, _) in engine.handle(write, at: now) {
            _ = engine.handle(.persisted(batch), at: now)
        }
        let question = Question.aboutLeaving(session, engine)
        #expect(question?.text.hasPrefix("1 of your scores is on no other laptop") == true)
    }
}
