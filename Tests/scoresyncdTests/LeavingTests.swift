import SessionCRDT
import SyncEngine
import SyncProtocol
import SyncTestKit
import Testing

@testable import scoresyncd

/// The question before a session is left.
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

    @Test("Leaving an unreadable session asks for confirmation")
    func unreadable() {
        var engine = engine
        _ = engine.handle(.loadFailed(session, reason: "the disk hums"), at: now)
        let question = Question.aboutLeaving("X", session, scores: nil, others: [], engine)
        #expect(question.text.contains("cannot be read now"))
    }

    @Test("Before leaving, the question says what is lost, and who can invite this device again")
    func readable() throws {
        var engine = engine
        let nothing = ReplicaSnapshot(entries: [], vector: VersionVector())
        _ = engine.handle(.opened(session, OpenedSession(replica: nothing)), at: now)
        let kept = Question.aboutLeaving(
            "Friday",
            session,
            scores: 7,
            others: ["vm", "vm 2"],
            engine
        )
        #expect(
            kept.text == "Leave “Friday”? It has 7 scores. Others have all that was entered here. "
                + "To come back you need an invite by one of vm, vm 2."
        )
        let alone = Question.aboutLeaving("Friday", session, scores: 0, others: [], engine)
        #expect(
            alone.text == "Leave “Friday”? It has no scores yet. No other laptop has it: all of it "
                + "would be lost."
        )
        let many = Question.aboutLeaving(
            "Friday",
            session,
            scores: 1,
            others: ["a", "b", "c", "d", "e", "f"],
            engine
        )
        #expect(many.text.contains("It has 1 score. "))
        #expect(many.text.contains("an invite by one of a, b, c, d and 2 more."))
        let player = PlayerID(high: 4, low: 1)
        let cell = Cell(player: player, row: Symbol(known: "points"))
        let write = Input.write(RequestID(1), session, Mutation.score(cell, .integer(5)))
        for case .persist(let batch, _, _) in engine.handle(write, at: now) {
            _ = engine.handle(.persisted(batch), at: now)
        }
        let question = Question.aboutLeaving("X", session, scores: 1, others: ["vm"], engine)
        #expect(question.text.contains("1 of your scores is on no other laptop"))
        #expect(question.token != kept.token)
    }
}
