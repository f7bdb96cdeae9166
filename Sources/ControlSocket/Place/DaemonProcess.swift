internal import CPlatform

/// The process of a daemon, for when its socket does not answer.
///
/// It is the one that holds the lock of the home, as the system says it, so that no number which
/// was left in a file, or given to another process since, is ever signalled.
package final class DaemonProcess {
    /// Its number.
    package let id: Int32
    private let descriptor: Int32

    /// The daemon of a home; nil where none runs, and where the system does not tell.
    package init?(holding paths: ControlPaths) {
        id = platform_lock_holder(paths.homeLock)
        guard id > 0 else { return nil }
        descriptor = platform_watch_process(id)
        guard descriptor >= 0 else { return nil }
        // Watched from before it was seen with the lock, it is no other one.
        guard platform_lock_holder(paths.homeLock) == id else { return nil }
    }

    deinit { if descriptor >= 0 { platform_close(descriptor) } }

    /// Tells it to end as the system does.
    ///
    /// - Throws: why that is not allowed; that it has ended already is none.
    package func terminate() throws(ControlSocketError) {
        let result = platform_signal_process(descriptor, id, platform_signal_terminate())
        guard !hasEnded(withinMilliseconds: 0) else { return }
        try ControlSocketError.check(result, "stop process \(id)")
    }

    /// Lets it look at once whether its socket is where it should be.
    package func lookAfterSocket() {
        _ = platform_signal_process(descriptor, id, platform_signal_user())
    }

    /// Waits until it has ended, so long at most; whether it has.
    package func hasEnded(withinMilliseconds limit: Int32) -> Bool {
        platform_wait(descriptor, false, -1, limit) == 1
    }
}
