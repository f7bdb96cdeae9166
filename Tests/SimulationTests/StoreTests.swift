import FaultyDisk
import Foundation
import SyncTestKit
import Testing

/// The real store under the simulator: SQLite on a disk that fails, tears and loses power.
@Suite("Simulation on the real store", .serialized)
struct StoreTests {
    @Test("Acknowledged data survives every fault, and a batch is there as a whole or not at all")
    func everySeed() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["SCORESYNC_STORE_SEEDS"].flatMap { UInt64($0) } ?? 4
        let first = environment["SCORESYNC_STORE_SEED"].flatMap { UInt64($0) } ?? 1
        for seed in first..<first + count {
            let outcome = try StoreTests.outcome(of: seed)
            #expect(outcome.isGood, "\(outcome)")
        }
    }

    @Test("A disk that lies about flushing is detected")
    func lyingDisk() throws {
        let violations = try (1...20).lazy.map { seed in
            try StoreTests.outcome(of: seed, lies: true).violations
        }.first { !$0.isEmpty }
        #expect(
            violations?.contains { $0.hasPrefix("the store of") } == true,
            "\(violations ?? [])"
        )
    }

    private static func outcome(of seed: UInt64, lies: Bool = false) throws -> SimulationOutcome {
        try #require(faulty_disk_install() == 0)
        let place = FileManager.default.temporaryDirectory
            .appending(path: "scoresync-store-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: place) }
        let simulation = Simulation(history(seed)) { laptop in
            StoreDisk(directory: "\(place)/\(laptop)", seed: seed &+ UInt64(laptop), lies: lies)
        }
        return simulation.play()
    }

    /// The history of a seed without what exchanges a whole home, and with more ends of daemons.
    private static func history(_ seed: UInt64) -> History {
        var history = History.random(seed: seed)
        history.scenario.usesBytes = false
        history.events.removeAll { happening in
            switch happening.event {
            case .restore, .clone, .rot, .spoilDisk(_, .lying, _): true
            default: false
            }
        }
        var chance = SeededGenerator(seed: seed)
        for place in history.events.indices.reversed() where place % 20 == 0 {
            let time = history.events[place].at
            let laptop = Int.random(in: 0..<history.scenario.laptops, using: &chance)
            let how: EndOfRun = Bool.random(using: &chance) ? .powerCut : .killed
            let end = Event.end(laptop: laptop, how: how, lasting: 100)
            history.events.insert(TimedEvent(at: time, end), at: place)
        }
        return history
    }
}
