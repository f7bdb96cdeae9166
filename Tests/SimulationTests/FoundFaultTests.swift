import SyncTestKit
import Testing

/// Shrunk histories of faults that campaigns found, so that they stay fixed.
@Suite("Faults that were found")
struct FoundFaultTests {
    private func expectGood(_ scenario: Scenario, _ events: [TimedEvent]) {
        let outcome = Simulation.outcome(of: History(scenario, events))
        #expect(outcome.isGood, "\(outcome)")
    }

    private func world(_ seed: UInt64, laptops: Int, trouble: UInt64) -> Scenario {
        var scenario = Scenario(seed: seed, laptops: laptops)
        scenario.faultDuration = trouble
        return scenario
    }

    private static let score = Writing.score(player: 1, row: 0, round: nil, value: 73)

    @Test(
        "A finished session converges after a laptop slept through a correction"
    )
    func correctionDuringSleep() {
        var scenario = world(177, laptops: 2, trouble: 31_458)
        scenario.hasBroadcast = false
        scenario.broken = [Scenario.Broken(laptop: 1, by: .asleep)]
        expectGood(
            scenario,
            [
                TimedEvent(at: 15_026, .write(laptop: 0, session: 0, what: .finish(true))),
                TimedEvent(at: 35_441, .write(laptop: 0, session: 0, what: FoundFaultTests.score)),
            ]
        )
    }

    @Test(
        "A correction of a finished session reaches a laptop that accepts no connections"
    )
    func correctionBehindFirewall() {
        var scenario = world(491, laptops: 3, trouble: 23_132)
        scenario.hasBroadcast = false
        scenario.firewalled = [2]
        expectGood(
            scenario,
            [
                TimedEvent(at: 10_605, .write(laptop: 2, session: 0, what: .finish(true))),
                TimedEvent(at: 23_132, .write(laptop: 0, session: 0, what: .title(13))),
            ]
        )
    }

    @Test(
        "A laptop that accepts no connections dials a returning member even next to a clone of it"
    )
    func cloneBehindFirewall() {
        var scenario = world(254, laptops: 4, trouble: 26_806)
        scenario.hasBroadcast = false
        scenario.firewalled = [3]
        expectGood(
            scenario,
            [
                TimedEvent(at: 9_867, .clone(laptop: 2, to: 5)),
                TimedEvent(at: 26_806, .end(laptop: 2, how: .politely, lasting: 3_975)),
            ]
        )
    }

    @Test(
        "A disk that stays full leaves the others alone"
    )
    func fullDisk() {
        var scenario = world(172, laptops: 3, trouble: 11_944)
        scenario.lateWrites = 20_000
        scenario.broken = [Scenario.Broken(laptop: 2, by: .full)]
        expectGood(
            scenario,
            [TimedEvent(at: 29_250, .write(laptop: 1, session: 0, what: FoundFaultTests.score))]
        )
    }

    @Test(
        "An entry that a disk returns under another key is reported and repaired"
    )
    func rottedKey() {
        expectGood(
            world(24, laptops: 4, trouble: 8_904),
            [
                TimedEvent(at: 2_000, .write(laptop: 0, session: 0, what: .creation)),
                TimedEvent(at: 8_904, .rot(laptop: 3, what: .key, seed: 2_934_112_256_879_141_419)),
            ]
        )
    }
    @Test(
        "A vector that counts a missing write is reported and repaired"
    )
    func rottedVector() {
        var scenario = world(253, laptops: 3, trouble: 24_964)
        scenario.partitions = [[1, 2]]
        let late = Writing.score(player: 0, row: 1, round: 1, value: 99)
        let other = Writing.score(player: 0, row: 0, round: 2, value: 102)
        expectGood(
            scenario,
            [
                TimedEvent(at: 4_770, .write(laptop: 1, session: 0, what: FoundFaultTests.score)),
                TimedEvent(at: 16_624, .end(laptop: 0, how: .killed, lasting: 27_284)),
                TimedEvent(at: 20_184, .write(laptop: 2, session: 0, what: late)),
                TimedEvent(at: 20_808, .write(laptop: 1, session: 0, what: other)),
                TimedEvent(
                    at: 24_964,
                    .rot(laptop: 2, what: .vector, seed: 5_117_932_626_421_324_400)
                ),
            ]
        )
    }

    @Test(
        "A repair does not bring back what was replaced while it was on its way"
    )
    func unionBringsBack() {
        var scenario = world(265, laptops: 4, trouble: 16_897)
        scenario.isStrict = true
        let away = Writing.membership(player: 2, isPresent: false)
        let back = Writing.score(player: 2, row: 0, round: 1, value: 25)
        expectGood(
            scenario,
            [
                TimedEvent(at: 8_783, .write(laptop: 1, session: 0, what: away)),
                TimedEvent(
                    at: 14_752,
                    .rot(laptop: 1, what: .entry, seed: 15_625_318_077_482_271_082)
                ),
                TimedEvent(at: 15_586, .spoilDisk(laptop: 3, trouble: .slow, lasting: 15_068)),
                TimedEvent(at: 16_897, .write(laptop: 2, session: 0, what: back)),
            ]
        )
    }

    @Test("Everything that a full disk rejected is requested again, though no message was missed")
    func unionForFullDisk() {
        var scenario = world(4_899, laptops: 4, trouble: 9_850)
        scenario.broken = [Scenario.Broken(laptop: 3, by: .full)]
        let score = Writing.score(player: 1, row: 1, round: 1, value: 2)
        expectGood(
            scenario,
            [
                TimedEvent(at: 2_000, .write(laptop: 0, session: 0, what: .creation)),
                TimedEvent(at: 2_588, .write(laptop: 2, session: 0, what: score)),
                TimedEvent(
                    at: 9_850,
                    .rot(laptop: 3, what: .key, seed: 12_580_108_117_908_018_637)
                ),
            ]
        )
    }

    @Test("A long delta on a slow connection is not abandoned and restarted forever")
    func slowLine() {
        var scenario = world(16_762, laptops: 4, trouble: 27_380)
        scenario.usesBytes = true
        scenario.bytesPerMillisecond = 200
        scenario.broken = [1, 3].map { Scenario.Broken(laptop: $0, by: .deaf) }
        let bulk = [(32, 2, 282), (58, 1, 284), (32, 0, 288)].map { cells, player, value in
            TimedEvent(
                at: 26_035,
                .write(
                    laptop: 1,
                    session: 0,
                    what: .bulk(player: player, cells: cells, value: Int64(value))
                )
            )
        }
        expectGood(
            scenario,
            [
                TimedEvent(at: 3_693, .write(laptop: 2, session: 0, what: .finish(true))),
                TimedEvent(at: 25_538, .write(laptop: 1, session: 0, what: FoundFaultTests.score)),
            ] + bulk + [TimedEvent(at: 27_854, .end(laptop: 2, how: .powerCut, lasting: 2_082))]
        )
    }

    @Test("A laptop back after an hour of sleep is announced again to one that cannot be dialled")
    func announcedAgain() {
        var scenario = world(11_118, laptops: 3, trouble: 19_861)
        scenario.hasBroadcast = false
        scenario.firewalled = [2]
        scenario.broken = [Scenario.Broken(laptop: 1, by: .asleep)]
        expectGood(
            scenario,
            [
                TimedEvent(at: 2_000, .write(laptop: 0, session: 0, what: .creation)),
                TimedEvent(at: 2_120, .end(laptop: 0, how: .powerCut, lasting: 8_604)),
                TimedEvent(at: 8_692, .end(laptop: 1, how: .powerCut, lasting: 5_773)),
                TimedEvent(
                    at: 9_886,
                    .weather(delay: 226, loss: 83, duplication: 0, lasting: 18_679)
                ),
                TimedEvent(at: 14_859, .isolate(laptop: 0, lasting: 3_375)),
                TimedEvent(at: 19_861, .end(laptop: 2, how: .politely, lasting: 8_567)),
            ]
        )
    }
}
