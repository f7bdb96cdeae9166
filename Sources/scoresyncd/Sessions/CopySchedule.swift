import SyncEngine

/// When a copy is kept by itself: once a week, as both the wall clock and the clock of this run
/// say, because the former may jump and the latter begins anew.
struct CopySchedule {
    /// How long a daemon runs before its first copy: a start has better things to do.
    static let first: UInt64 = 10 * 60_000
    /// How long a copy is good for.
    static let week: UInt64 = 7 * 86_400_000
    /// When one that failed is tried again.
    static let again: UInt64 = 86_400_000
    /// How far ahead of the clock a copy may seem to be from.
    static let slack: UInt64 = 86_400_000

    private var next = CopySchedule.first
    private var begun: UInt64 = 0

    /// Whether this run may keep a copy now.
    func mayTry(at now: Moment) -> Bool { now.uptime >= next }

    /// Whether the last copy, of a time by the wall clock of then, is a week old, or of a time that
    /// has not come.
    static func isDue(at now: Moment, since last: UInt64?) -> Bool {
        guard let last else { return true }
        return now.wall >= last + week || last > now.wall + slack
    }

    /// A copy is being written.
    mutating func begins(at now: Moment) {
        begun = now.uptime
        next = now.uptime + CopySchedule.week
    }

    /// The copy that was being written could not be.
    mutating func failed() { next = begun + CopySchedule.again }
}
