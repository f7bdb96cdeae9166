internal import CPlatform
internal import Dispatch

/// A descriptor with its Dispatch sources, closed when the last of them has ended.
///
/// Closing earlier loses events on Linux, and a suspended source never ends: so a source for
/// writing exists only while somebody waits for room, and the one for reading is suspended only by
/// ``pauseReading(milliseconds:)``, which keeps account of it.
///
/// Invariant for `@unchecked Sendable`: everything is touched on `queue` only.
final class DescriptorEvents: @unchecked Sendable {
    let descriptor: Int32
    private let queue: DispatchQueue
    private let onClosed: @Sendable () -> Void
    private var reader: (any DispatchSourceRead)?
    private var writer: (any DispatchSourceWrite)?
    private var openSources = 0
    private var isPaused = false
    private(set) var isCancelled = false

    /// Takes over an open descriptor; `onClosed` runs once it is about to be closed.
    init(
        _ descriptor: Int32,
        queue: DispatchQueue,
        onClosed: @escaping @Sendable () -> Void = {}
    ) {
        self.descriptor = descriptor
        self.queue = queue
        self.onClosed = onClosed
    }

    /// Calls back whenever there is something to read; the callee must drain the descriptor.
    func startReading(_ onReadable: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: onReadable)
        source.setCancelHandler { @Sendable [self] in sourceEnded() }
        openSources += 1
        reader = source
        source.activate()
    }

    /// Calls back whenever there is room to write, until ``stopWriting()``.
    func startWriting(_ onWritable: @escaping @Sendable () -> Void) {
        guard writer == nil, !isCancelled else { return }
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: onWritable)
        source.setCancelHandler { @Sendable [self] in sourceEnded() }
        openSources += 1
        writer = source
        source.activate()
    }

    /// Waits for room no longer.
    func stopWriting() {
        writer?.cancel()
        writer = nil
    }

    /// Reads nothing for a while: accepting without free descriptors would spin.
    func pauseReading(milliseconds: Int) {
        guard !isPaused, !isCancelled, let reader else { return }
        isPaused = true
        reader.suspend()
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { @Sendable [self] in
            resumeReading()
        }
    }

    private func resumeReading() {
        guard isPaused else { return }
        isPaused = false
        reader?.resume()
    }

    /// Ends all events; the descriptor is closed when they have ended.
    func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        resumeReading()
        stopWriting()
        reader?.cancel()
        reader = nil
        if openSources == 0 { finish() }
    }

    private func sourceEnded() {
        openSources -= 1
        if isCancelled, openSources == 0 { finish() }
    }

    private func finish() {
        onClosed()
        platform_close(descriptor)
    }
}
