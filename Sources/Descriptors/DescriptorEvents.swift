internal import CPlatform

/// An open descriptor and what a queue watches it for: sockets, pipes and the kernel's own messages
/// alike.
///
/// What is so is told in each turn until it is no longer so, so that a handler need not take
/// everything at once. The queue keeps the events, and the closures with them, while they are
/// watched; the owner must call ``cancel()``, at the latest in `deinit`.
///
/// Invariant for `@unchecked Sendable`: everything is touched on the queue's thread, where calls
/// from another one are handed in.
package final class DescriptorEvents: @unchecked Sendable {
    /// The descriptor, for reading and writing; to be closed by nobody else.
    package let descriptor: Int32
    /// Whether its events have ended.
    package private(set) var isCancelled = false

    private let queue: EventQueue
    private let onClosed: @Sendable () -> Void
    private var token: UInt64?
    private var onReadable: (@Sendable () -> Void)?
    private var onWritable: (@Sendable () -> Void)?
    private var isReading = false
    private var isWriting = false

    /// Takes over an open descriptor; `onClosed` runs once it is about to be closed.
    package init(
        _ descriptor: Int32,
        queue: EventQueue,
        onClosed: @escaping @Sendable () -> Void = {}
    ) {
        self.descriptor = descriptor
        self.queue = queue
        self.onClosed = onClosed
    }

    /// Calls `onReadable` in each turn in which there is something to read, or the end of it; any
    /// thread may ask.
    package func startReading(_ onReadable: @escaping @Sendable () -> Void) {
        guard queue.isCurrent else {
            return queue.async { [self] in startReading(onReadable) }
        }
        guard self.onReadable == nil, !isCancelled else { return }
        self.onReadable = onReadable
        isReading = true
        watch()
    }

    /// Calls `onWritable` in each turn in which there is room to write, until ``stopWriting()``.
    ///
    /// The closure of the first call stays.
    package func startWriting(_ onWritable: @escaping @Sendable () -> Void) {
        guard !isWriting, !isCancelled else { return }
        if self.onWritable == nil { self.onWritable = onWritable }
        isWriting = true
        watch()
    }

    /// Waits for room no longer.
    package func stopWriting() {
        guard isWriting, !isCancelled else { return }
        isWriting = false
        watch()
    }

    /// Reads nothing for a while: accepting without free descriptors would spin.
    package func pauseReading(for pause: Duration) {
        guard isReading, !isCancelled else { return }
        isReading = false
        watch()
        queue.async(after: pause) { [weak self] in self?.resumeReading() }
    }

    private func resumeReading() {
        guard !isReading, !isCancelled else { return }
        isReading = true
        watch()
    }

    /// Ends all events and closes the descriptor; any thread may ask.
    package func cancel() {
        guard queue.isCurrent else { return queue.async { [self] in cancel() } }
        guard !isCancelled else { return }
        isReading = false
        isWriting = false
        if token != nil { watch() }
        isCancelled = true
        onReadable = nil
        onWritable = nil
        onClosed()
        platform_close(descriptor)
    }

    private func watch() {
        token = queue.watch(self, as: token, reading: isReading, writing: isWriting)
    }

    /// Something is so, or was when the queue looked.
    func happened(_ event: platform_event) {
        if event.is_readable, isReading { onReadable?() }
        if event.is_writable, isWriting { onWritable?() }
    }
}
