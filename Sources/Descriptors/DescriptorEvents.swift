internal import CPlatform

/// An open descriptor that an ``EventQueue`` watches: a socket, a pipe or a kernel event source.
///
/// Level-triggered: the handlers are called in each turn as long as the descriptor is ready, so
/// they may leave data for the next turn. The queue retains this object and its closures while the
/// descriptor is watched; the owner must call ``cancel()``, in `deinit` at the latest.
@EventLoop
package final class DescriptorEvents {
    /// The watched descriptor; only ``cancel()`` may close it.
    package nonisolated let descriptor: Int32
    package private(set) var isCancelled = false

    private let queue: EventQueue
    private var token: UInt64?
    private var onReadable: EventQueue.Job?
    private var onWritable: EventQueue.Job?
    private var isReading = false
    private var isWriting = false

    /// Takes ownership of an open descriptor.
    package nonisolated init(_ descriptor: Int32, queue: EventQueue) {
        (self.descriptor, self.queue) = (descriptor, queue)
    }

    /// Calls `onReadable` in each turn in which there are bytes to read or the end of the stream is
    /// reached.
    package func startReading(_ onReadable: @escaping EventQueue.Job) {
        guard self.onReadable == nil, !isCancelled else { return }
        self.onReadable = onReadable
        isReading = true
        watch()
    }

    /// Calls `onWritable` in each turn in which writing would not block, until ``stopWriting()``.
    ///
    /// Only the first call stores its closure; later calls use that one again.
    package func startWriting(_ onWritable: @escaping EventQueue.Job) {
        guard !isWriting, !isCancelled else { return }
        if self.onWritable == nil { self.onWritable = onWritable }
        isWriting = true
        watch()
    }

    package func stopWriting() {
        guard isWriting, !isCancelled else { return }
        isWriting = false
        watch()
    }

    /// Stops reading for a while: a listener without free descriptors would otherwise spin.
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

    /// Stops watching the descriptor and closes it; callable from any thread.
    package nonisolated func cancel() { queue.runNowOrLater { [self] in close() } }

    private func close() {
        guard !isCancelled else { return }
        (isReading, isWriting) = (false, false)
        if token != nil { watch() }
        isCancelled = true
        (onReadable, onWritable) = (nil, nil)
        platform_close(descriptor)
    }

    private func watch() {
        token = queue.watch(self, as: token, reading: isReading, writing: isWriting)
    }

    func handle(_ event: platform_event) {
        if event.is_readable, isReading { onReadable?() }
        if event.is_writable, isWriting { onWritable?() }
    }
}
