import SyncTestKit
import Testing

/// A laptop that has missed much gets one long delta, which is applied completely or not at all: it
/// must arrive whatever happens to the links meanwhile.
@Suite("Long resyncs")
struct ResyncTests {
    /// Two laptops on a slow line, of which one has missed four megabytes: twenty seconds of it.
    private static func history(_ events: [TimedEvent]) -> History {
        var scenario = Scenario(seed: 21, laptops: 2)
        scenario.spares = 0
        scenario.faultDuration = 60_000
        scenario.usesBytes = true
        scenario.bytesPerMillisecond = 200
        let missed = (0..<4).map { player in
            let bulk = Writing.bulk(player: player, cells: 250, value: Int64(player))
            return TimedEvent(at: 6_000, .write(laptop: 0, session: 0, what: bulk))
        }
        let before = [
            TimedEvent(at: 2_000, .write(laptop: 0, session: 0, what: .creation)),
            TimedEvent(at: 5_000, .end(laptop: 1, how: .politely, lasting: 5_000)),
        ]
        return History(scenario, before + missed + events)
    }

    @Test("Typed addresses and false announcements do not restart a delta")
    func dials() {
        let dials = (0..<12).flatMap { number in
            let time = UInt64(13_000 + 1_500 * number)
            return [
                TimedEvent(at: time + 300, .type(laptop: 1, session: 0, addressOf: 0)),
                TimedEvent(at: time + 600, .lie(laptop: 1, times: 10, seed: UInt64(number))),
            ]
        }
        let outcome = Simulation.outcome(of: ResyncTests.history(dials))
        #expect(outcome.isGood, "\(outcome)")
        // One for each of the two links of which one goes at once.
        #expect(outcome.marks[.deltaOfParts] == 2, "it was begun again")
        #expect(outcome.marks[.cutDelta] == nil)
    }

    @Test("A network that changes continuously does not restart a delta")
    func changes() {
        let changes = (0..<14).flatMap { number in
            (0..<2).map { laptop in
                let time = UInt64(13_000 + 1_500 * number + 700 * laptop)
                return TimedEvent(at: time, .changeNetwork(laptop: laptop))
            }
        }
        let outcome = Simulation.outcome(of: ResyncTests.history(changes))
        #expect(outcome.isGood, "\(outcome)")
        #expect(outcome.marks[.deltaOfParts] == 2, "it was begun again")
        #expect(outcome.marks[.cutDelta] == nil)
    }

    @Test("An interrupted delta arrives whole as soon as a link lasts long enough")
    func cuts() {
        let cuts = [17_000, 24_000].map { time in
            TimedEvent(at: time, .disconnect(one: 0, other: 1, isHalfOpen: false))
        }
        let outcome = Simulation.outcome(of: ResyncTests.history(cuts))
        #expect(outcome.isGood, "\(outcome)")
        #expect(outcome.marks[.cutDelta] == 2)
        #expect(outcome.marks[.resumedResync] == 1)
    }
}
