import SyncTestKit
import Testing

/// Shrunk histories that once showed a fault.
@Suite("Found histories")
struct FoundHistoryTests {
    @Test("An address that had not opened the session is dialled when it is announced again")
    func announcedAgain() throws {
        var scenario = Scenario(seed: 1_924, laptops: 2)
        scenario.spares = 1
        scenario.faultDuration = 5_535
        scenario.hasBroadcast = false
        scenario.firewalled = [1]
        let history = History(
            scenario,
            [
                TimedEvent(at: 4_482, .offline(laptop: 1, lasting: 1_239)),
                TimedEvent(at: 4_997, .nextGame(laptop: 0, session: 0, next: 1)),
                TimedEvent(at: 5_780, .join(laptop: 2, session: 0, through: 0)),
            ]
        )
        let outcome = Simulation.outcome(of: history)
        #expect(outcome.isGood, "\(outcome)")
    }

    @Test("A delta that was on disk after all closes a finished session like any other")
    func thereAfterAll() {
        var scenario = Scenario(seed: 1_766, laptops: 2)
        scenario.faultDuration = 28_730
        scenario.isStrict = true
        scenario.bytesPerMillisecond = 10_000
        let history = History(
            scenario,
            [
                TimedEvent(at: 20_609, .write(laptop: 1, session: 0, what: .finish(true))),
                TimedEvent(
                    at: 28_322,
                    .spoilDisk(laptop: 0, trouble: .unknownOutcome, lasting: 1_234)
                ),
                TimedEvent(at: 28_730, .write(laptop: 1, session: 0, what: .title(239))),
            ]
        )
        let outcome = Simulation.outcome(of: history)
        #expect(outcome.isGood, "\(outcome)")
    }

    @Test("Data in a copy of the same home does not count as held by another when a member leaves")
    func copyIsNoOther() {
        var scenario = Scenario(seed: 1_338_121, laptops: 3)
        scenario.spares = 1
        scenario.faultDuration = 6_723
        scenario.isStrict = true
        scenario.bytesPerMillisecond = 10_000
        let first = Writing.score(player: 3, row: 2, round: nil, value: 17)
        let last = Writing.score(player: 2, row: 2, round: 2, value: 29)
        let history = History(
            scenario,
            [
                TimedEvent(at: 2_693, .clone(laptop: 0, to: 3)),
                TimedEvent(at: 4_361, .isolate(laptop: 2, lasting: 24_255)),
                TimedEvent(at: 4_669, .write(laptop: 2, session: 0, what: first)),
                TimedEvent(at: 5_669, .isolate(laptop: 2, lasting: 2_000)),
                TimedEvent(at: 5_857, .write(laptop: 0, session: 0, what: .finish(true))),
                TimedEvent(at: 6_481, .end(laptop: 1, how: .powerCut, lasting: 1_398)),
                TimedEvent(at: 6_669, .leave(laptop: 2, session: 0, isForced: true)),
                TimedEvent(at: 6_723, .write(laptop: 3, session: 0, what: last)),
            ]
        )
        let outcome = Simulation.outcome(of: history)
        #expect(outcome.isGood, "\(outcome)")
    }
}
