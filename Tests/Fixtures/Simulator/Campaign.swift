import Dispatch
import Foundation
import SyncTestKit
import Synchronization

// Needs real time: a campaign may be bounded in time.

/// Plays many seeds on all cores: prints each that fails with its shrunk history, and at the end the
/// marks and the number of seeds that passed.
struct Campaign: Sendable {
    /// The results so far.
    private struct Results {
        var next: UInt64
        var passed = 0
        var failed = 0
        var marks: [RareEvent: Int] = [:]
        /// The first seed of each mark.
        var firstSeeds: [RareEvent: UInt64] = [:]
        var slowestToEqual: UInt64 = 0
        var isOver = false
    }

    /// The maximum number of histories tried to shrink a failing one, and of histories shrunk.
    private static let tries = 1_000
    private static let maxShrunk = 3

    private let end: UInt64
    private let first: UInt64
    private let jobs: Int
    private let isUntilRed: Bool
    private let mustCover: Bool
    private let deadline: ContinuousClock.Instant?

    init(_ options: Options, first: UInt64, count: UInt64) {
        self.first = first
        end = first + count
        jobs = options.jobs ?? ProcessInfo.processInfo.activeProcessorCount
        isUntilRed = options.isUntilRed
        mustCover = options.mustCover
        deadline = options.seconds.map { ContinuousClock.now + .seconds($0) }
    }

    /// Plays the seeds; returns whether all passed.
    func run() -> Bool {
        let results = Mutex(Results(next: first))
        let started = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            while let seed = nextSeed(from: results) { record(play(seed), in: results) }
        }
        return results.withLock { results in
            let seconds = (ContinuousClock.now - started) / .seconds(1)
            for mark in RareEvent.allCases {
                let count = results.marks[mark] ?? 0
                let seed = results.firstSeeds[mark].map { ", first with seed \($0)" } ?? ""
                print("\(mark): \(count)\(seed)")
                guard count == 0, mustCover else { continue }
                print("  never occurred, so it was not tested")
                results.failed += 1
            }
            print("seeds \(first) to \(results.next - 1) in \(Int(seconds)) s; ", terminator: "")
            print("equal after at most \(results.slowestToEqual) ms")
            print("\(results.passed) passed, \(results.failed) failed, 0 skipped")
            return results.failed == 0
        }
    }

    private func nextSeed(from results: borrowing Mutex<Results>) -> UInt64? {
        results.withLock { results in
            let isLate = deadline.map { ContinuousClock.now > $0 } ?? false
            guard !results.isOver, !isLate, results.next < end else { return nil }
            defer { results.next += 1 }
            return results.next
        }
    }

    private func play(_ seed: UInt64) -> SimulationOutcome {
        let history = History.random(seed: seed)
        return isUntilRed
            ? Simulation(history).play() : Simulation.outcome(of: history)
    }

    private func record(_ outcome: SimulationOutcome, in results: borrowing Mutex<Results>) {
        let isWorthShrinking = results.withLock { results in
            results.marks.merge(outcome.marks, uniquingKeysWith: +)
            for mark in outcome.marks.keys {
                let seed = outcome.history.scenario.seed
                results.firstSeeds[mark] = min(seed, results.firstSeeds[mark] ?? seed)
            }
            results.slowestToEqual = max(results.slowestToEqual, outcome.millisecondsToEqual)
            if outcome.isGood { results.passed += 1 } else { results.failed += 1 }
            if isUntilRed, !outcome.isGood { results.isOver = true }
            return !outcome.isGood && !isUntilRed && results.failed <= Campaign.maxShrunk
        }
        guard !outcome.isGood else { return }
        let seed = outcome.history.scenario.seed
        var report = "seed \(seed): \(outcome.violations.joined(separator: "; "))"
        if isWorthShrinking {
            report += "\n# shrunk:\n"
            report += Simulation.shrunk(outcome.history, tries: Campaign.tries).lines
        }
        print(report)
    }
}
