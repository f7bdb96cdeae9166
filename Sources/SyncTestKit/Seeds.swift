import Foundation

/// The seeds of a random test, which runs once per seed, so that a failure names its seed.
///
/// A run takes every fifth seed. `SCORESYNC_SEEDS=2/5` takes those after them, and so on, `1/1` takes
/// all, `SCORESYNC_SEEDS=5000` takes so many for a longer search, and `SCORESYNC_SEED=17` only that one.
package enum Seeds {
    /// This run's part of the seeds from 0 to below `count`: at least one.
    package static func below(_ count: UInt64) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SCORESYNC_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let part = environment["SCORESYNC_SEEDS"] ?? "1/5"
        if let count = UInt64(part) { return Array(0..<max(count, 1)) }
        let numbers = part.split(separator: "/").compactMap { UInt64($0) }
        guard numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else {
            fatalError("SCORESYNC_SEEDS is a part of the seeds such as 2/5, or a number: \(part)")
        }
        return Array(stride(from: (numbers[0] - 1) % count, to: count, by: Int(numbers[1])))
    }
}
