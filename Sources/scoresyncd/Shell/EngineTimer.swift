import Descriptors
import SyncEngine

/// The one timer of the engine: owns when it is called again.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class EngineTimer: @unchecked Sendable {
    private let queue: EventQueue
    private let call: @Sendable () -> Void
    private var timer: QueueTimer?

    /// A timer that calls on `queue`, once it was asked for a time.
    init(on queue: EventQueue, _ call: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.call = call
    }

    /// Calls at this uptime, in place of the time before.
    func wake(at uptime: UInt64) {
        let now = Clock.now.uptime
        let pause = Int(min(uptime > now ? uptime - now : 0, 86_400_000))
        timer?.cancel()
        timer = queue.async(after: .milliseconds(pause), call)
    }
}
