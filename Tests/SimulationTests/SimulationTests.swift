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

    @Test("Whatever goes wrong, all laptops are equal and quiet once it is over", arguments: parts)
    func everySeed(seeds: ClosedRange<UInt64>) {
        for seed in seeds {
            let outcome = Simulation.outcome(seed: seed)
            #expect(outcome.isGood, "\(outcome)")
        }
    }
}
