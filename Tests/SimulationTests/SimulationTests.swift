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
        let first = environment["SCORESYNC_FIRST_SEED"].flatMap { UInt64($0) } ?? 1
        let count = environment["SCORESYNC_SEEDS"].flatMap { UInt64($0) } ?? 200
        let size = max(1, count / 16)
        return stride(from: first, to: first + count, by: Int(size)).map {
            $0...min($0 + size - 1, first + count - 1)
        }
    }()

    @Test("Whatever goes wrong, all laptops are equal and quiet once it is over", arguments: parts)
    func everySeed(seeds: ClosedRange<UInt64>) {
        let isReplay = ProcessInfo.processInfo.environment["SCORESYNC_SEED"] != nil
        for seed in seeds {
            let outcome = Simulation.outcome(seed: seed, tracing: isReplay)
            #expect(outcome.isGood, "\(outcome)")
            if isReplay { print(outcome.trace.joined(separator: "\n")) }
        }
    }

    @Test(
        "Worlds that once showed a fault stay good",
        arguments: [
            349, 1_113, 1_730, 2_688, 3_664, 5_259, 8_526, 11_269, 13_754, 16_438, 17_396, 100_412,
        ]
    )
    func foundSeed(seed: UInt64) {
        let outcome = Simulation.outcome(seed: seed)
        #expect(outcome.isGood, "\(outcome)")
    }
}
