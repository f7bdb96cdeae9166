internal import CPlatform

/// Something that an ``EventQueue`` does at its time, unless it is cancelled before.
///
/// Invariant for `@unchecked Sendable`: touched on the queue's thread only, once it is there.
package final class QueueTimer: @unchecked Sendable {
    /// When it is due, in milliseconds of a clock that stands still while the machine sleeps.
    let moment: Int64
    private var job: EventQueue.Job?

    init(at moment: Int64, _ job: @escaping EventQueue.Job) {
        self.moment = moment
        self.job = job
    }

    /// Lets it not happen; on the queue.
    package func cancel() { job = nil }

    /// Whether nothing is to be done any more.
    var isOver: Bool { job == nil }

    func fire() {
        let job = job
        self.job = nil
        job?()
    }

    /// The moment after a pause from now, of a year at most: not before, and at most two
    /// milliseconds late.
    static func moment(after pause: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(pause, .zero), .seconds(31_536_000)).components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return platform_steady_milliseconds() + milliseconds + 1
    }
}
