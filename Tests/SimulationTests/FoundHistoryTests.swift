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
}
