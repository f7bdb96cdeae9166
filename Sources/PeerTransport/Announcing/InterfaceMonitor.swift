internal import CPlatform
package import Descriptors

/// Tells when a network interface or its address has changed, without asking again and again.
///
/// The first change is reported at once, because somebody may wait for it. Changes come in bursts
/// (a link, then its address), so those of the next `TransportLimits.interfaceDebounce` share one
/// report at its end. What changed is for the owner to read anew. No privilege is needed.
///
/// Invariant for `@unchecked Sendable`: everything is touched on `queue` only (checked at each
/// call), which the handler of its socket shares.
package final class InterfaceMonitor: @unchecked Sendable {
    private let queue: EventQueue
    private let socket: DescriptorEvents
    private let debounce: Duration
    private let onChange: () -> Void
    /// Whether a report was made so recently that the next change waits.
    private var isResting = false
    private var isReportDue = false

    /// Reports changes from now on, until it is let go or closed.
    package convenience init(
        on queue: EventQueue,
        debounce: Duration = TransportLimits.interfaceDebounce,
        onChange: @escaping () -> Void
    ) throws(SystemError) {
        let descriptor = try SystemError.check(
            platform_interface_changes(),
            "watch the network interfaces"
        )
        self.init(descriptor: descriptor, on: queue, debounce: debounce, onChange: onChange)
    }

    /// Takes the kernel's messages from a descriptor that it takes over: a test's own pipe.
    init(
        descriptor: Int32,
        on queue: EventQueue,
        debounce: Duration,
        onChange: @escaping () -> Void
    ) {
        self.queue = queue
        self.debounce = debounce
        self.onChange = onChange
        socket = DescriptorEvents(descriptor, queue: queue)
        socket.startReading { @Sendable [weak self] in self?.readable() }
    }

    deinit { socket.cancel() }

    /// Stops reporting.
    package func close() {
        queue.requireCurrent()
        socket.cancel()
    }

    private func readable() {
        queue.requireCurrent()
        guard !socket.isCancelled else { return }
        let result = platform_drain_interface_changes(socket.descriptor)
        // Nothing can be repaired here; without news the daemon still announces by its timer.
        if result < 0 { return socket.cancel() }
        guard result > 0 else { return }
        if isResting { isReportDue = true } else { report() }
    }

    private func report() {
        isReportDue = false
        isResting = true
        queue.async(after: debounce) { @Sendable [weak self] in self?.restIsOver() }
        onChange()
    }

    private func restIsOver() {
        isResting = false
        guard isReportDue, !socket.isCancelled else { return }
        report()
    }
}
