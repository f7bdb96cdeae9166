import Foundation
import SyncTestKit
import Testing

/// Histories as values: printed, read, played again and shrunk.
@Suite("Histories")
struct HistoryTests {
    @Test("A printed history is parsed as the same history", arguments: 1...40 as ClosedRange)
    func roundTrip(seed: Int) throws {
        let history = History.random(seed: UInt64(seed))
        #expect(try History(lines: "# a note\n\n\(history.lines)\n") == history)
    }

    @Test("A history that is played again happens again, step by step", arguments: [3, 12, 27])
    func repeats(seed: UInt64) throws {
        let history = History.random(seed: seed)
        let first = Simulation.outcome(of: history, tracing: true)
        let second = Simulation.outcome(of: try History(lines: history.lines), tracing: true)
        #expect(first.trace == second.trace)
        #expect(!first.trace.isEmpty)
    }

    @Test("Shrinking leaves only the events that the failure needs")
    func shrinks() {
        let needed = Set([3, 17].map { TimedEvent(at: $0, .changeNetwork(laptop: 1)) })
        let others = (0..<40).map { TimedEvent(at: $0, .backUp(laptop: 0)) }
        var scenario = Scenario(seed: 1, laptops: 5)
        scenario.usesBytes = true
        scenario.partitions = [[0, 1]]
        let history = History(scenario, (others + needed).sorted { $0.at < $1.at })
        let shrunk = Shrinker.shrink(history) { needed.isSubset(of: Set($0.events)) }
        #expect(Set(shrunk.events) == needed)
        #expect(shrunk.events.count == 2)
        #expect(shrunk.scenario.laptops == 2)
        #expect(!shrunk.scenario.usesBytes)
        #expect(shrunk.scenario.partitions.isEmpty)
    }
}
