import Foundation

/// The seeds of a random test, which runs once per seed, so that a failure names its seed.
///
/// `SCORESYNC_SEEDS=5000` runs more of them, `SCORESYNC_SEED=17` only that one.
enum Seeds {
    /// For tests of long histories.
    static let many = seeds(300)
    /// For tests whose cases each try many values.
    static let some = seeds(40)

    private static func seeds(_ usual: UInt64) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let only = environment["SCORESYNC_SEED"].flatMap({ UInt64($0) }) { return [only] }
        let count = environment["SCORESYNC_SEEDS"].flatMap { UInt64($0) } ?? usual
        return Array(1...max(count, 1))
    }
}
