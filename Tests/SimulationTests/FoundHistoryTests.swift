import SyncTestKit
import Testing

/// Histories that once showed a fault, shrunk: each stays good.
@Suite("Found histories")
struct FoundHistoryTests {
    @Test("Whoever is told again of an address that had not taken up the session dials it")
    func toldAgain() throws {
        var scenario = Scenario(seed: 1_924, laptops: 2)
        scenario.spares = 1
        scenario.trouble = 5_535
        scenario.hasBroadcast = false
        scenario.firewalled = [1]
        let history = History(
            scenario,
            [
                Happening(at: 4_482, .offline(laptop: 1, lasting: 1_239)),
                Happening(at: 4_997, .playOn(laptop: 0, session: 0, next: 1)),
                Happening(at: 5_780, .join(laptop: 2, session: 0, through: 0)),
            ]
        )
        let outcome = Simulation.outcome(of: history)
        #expect(outcome.isGood, "\(outcome)")
    }

    @Test("A delta that was on disk after all closes a finished session like any other")
    func thereAfterAll() {
        var scenario = Scenario(seed: 1_766, laptops: 2)
        scenario.trouble = 28_730
        scenario.isStrict = true
        scenario.bytesPerMillisecond = 10_000
        let history = History(
            scenario,
            [
                Happening(at: 20_609, .write(laptop: 1, session: 0, what: .finish(true))),
                Happening(
                    at: 28_322,
                    .spoilDisk(laptop: 0, trouble: .unknownOutcome, lasting: 1_234)
                ),
                Happening(at: 28_730, .write(laptop: 1, session: 0, what: .title(239))),
            ]
        )
        let outcome = Simulation.outcome(of: history)
        #expect(outcome.isGood, "\(outcome)")
    }
}
