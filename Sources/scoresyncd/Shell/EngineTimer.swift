import Dispatch
import SyncEngine

/// The one timer of the engine: owns when it is called again.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class EngineTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    /// A timer that calls on `queue`, once it was asked for a time.
    init(on queue: DispatchQueue, _ call: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: call)
        source.activate()
    }

    /// Calls at this uptime, in place of the time before.
    func wake(at uptime: UInt64) {
        let now = Clock.now.uptime
        let pause = Int(min(uptime > now ? uptime - now : 0, 86_400_000))
        source.schedule(deadline: .now() + .milliseconds(pause), leeway: .milliseconds(1))
    }
}
