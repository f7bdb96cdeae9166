import SyncTestKit
import Testing

/// The simulator's checks can fail: a shell that breaks a law is found.
@Suite("Laws")
struct LawTests {
    /// Two laptops, of which one writes while nobody hears it.
    private static func lonelyWrite(then events: [TimedEvent]) -> History {
        var scenario = Scenario(seed: 7, laptops: 3)
        scenario.faultDuration = 20_000
        let score = Event.write(
            laptop: 1,
            session: 0,
            what: .score(player: 0, row: 0, round: nil, value: 41)
        )
        let before = [
            TimedEvent(at: 2_000, .write(laptop: 0, session: 0, what: .creation)),
            TimedEvent(at: 6_000, .spoilDisk(laptop: 1, trouble: .lying, lasting: 15_000)),
            TimedEvent(at: 8_000, .isolate(laptop: 1, lasting: 13_000)),
            TimedEvent(at: 9_000, score),
        ]
        return History(scenario, before + events)
    }

    @Test("A write that was called saved before it was on disk is reported as lost")
    func savedTooEarly() {
        let cut = TimedEvent(at: 12_000, .end(laptop: 1, how: .powerCut, lasting: 500))
        var history = LawTests.lonelyWrite(then: [cut])
        #expect(Simulation.outcome(of: history).isGood, "a lying disk is forgiven")
        history.scenario.sabotage = .reportsUnwritten
        expectLoss(of: history)
    }

    @Test("A laptop discarded with unique data is reported as a loss")
    func leftTooEarly() {
        let leave = TimedEvent(at: 12_000, .leave(laptop: 1, session: 0, isForced: false))
        var history = LawTests.lonelyWrite(then: [leave])
        #expect(Simulation.outcome(of: history).isGood, "the engine does not let it go")
        history.scenario.sabotage = .leavesUnasked
        expectLoss(of: history)
    }

    private func expectLoss(of history: History) {
        let violations = Simulation.outcome(of: history).violations
        #expect(violations.contains { $0.contains("is lost") }, "\(violations)")
    }
}
