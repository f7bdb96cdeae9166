import Foundation
import SyncTestKit
import Testing

/// Random worlds: faults first, then healing, then everything must be equal and quiet.
@Suite("Simulation")
struct SimulationTests {
    /// The seeds of this run, in as many parts as run side by side.
    static let parts: [ClosedRange<UInt64>] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SCORESYNC_SEED"].flatMap({ UInt64($0) }) { return [seed...seed] }
        return stride(from: 1, to: 51, by: 10).map { $0...$0 + 9 }
    }()

    /// The marks that each seed covers.
    ///
    /// A changed `HistoryGenerator` makes other histories: then a campaign finds new seeds.
    static let marks: [UInt64: [RareEvent]] = [
        2: [.remoteAnswer, .typedAddress], 3: [.clone], 4: [.conflict, .dispute, .invite],
        6: [.lateWrite, .need, .successor], 7: [.savedWrite, .duplicate],
        8: [.deltaOfParts], 12: [.refusedBatch, .unreadable], 16: [.days], 24: [.rot],
        31: [.union, .digestMismatch], 32: [.crowd, .firewall],
        36: [.healedCore, .fullDisk, .unknownBatch], 39: [.setBack], 50: [.politeLeave],
    ]

    @Test("After any faults, all laptops become equal and quiet", arguments: parts)
    func everySeed(seeds: ClosedRange<UInt64>) {
        for seed in seeds {
            let outcome = Simulation.outcome(seed: seed)
            #expect(outcome.isGood, "\(outcome)")
            for mark in SimulationTests.marks[seed] ?? [] {
                #expect(outcome.marks[mark] != nil, "\(mark) did not occur with seed \(seed)")
            }
        }
    }

    @Test("Each mark occurs with a seed of every run, or in a history of its own")
    func coverage() {
        let bySeed = SimulationTests.marks.values.flatMap(\.self)
        let bySeeds = Set(SimulationTests.marks.keys)
        // `ResyncTests` cuts deltas in the middle.
        #expect(Set(bySeed + [.cutDelta, .resumedResync]) == Set(RareEvent.allCases))
        #expect(bySeeds.isSubset(of: Set(1...50)))
    }
}
