internal import CPlatform
package import Dispatch

/// An open descriptor and the Dispatch sources that watch it, for sockets, pipes and the kernel's
/// own messages alike.
///
/// It keeps the rules of Dispatch on Linux. A descriptor is closed only when every source on it has
/// been cancelled, since closing earlier loses events. A suspended source is resumed before it is
/// cancelled, else that never happens. The source for writing is made only when somebody first
/// waits for room and is suspended otherwise, because an idle writable one would fire for ever. The
/// sources' cancel handlers keep it alive until the descriptor is closed; its owner must call
/// ``cancel()``, at the latest in `deinit`.
///
/// Invariant for `@unchecked Sendable`: everything is touched on `queue` only, but for a
/// ``cancel()`` from the owner's `deinit`, when nobody else can call any more.
package final class DescriptorEvents: @unchecked Sendable {
    /// The descriptor, for reading and writing; to be closed by nobody else.
    package let descriptor: Int32
    /// Whether its events have ended.
    package private(set) var isCancelled = false

    private let queue: DispatchQueue
    private let onClosed: @Sendable () -> Void
    private var reader: (any DispatchSourceRead)?
    private var writer: (any DispatchSourceWrite)?
    private var isReading = false
    private var isWriting = false
    private var openSources = 0

    /// Takes over an open descriptor; `onClosed` runs once it is about to be closed.
    package init(
        _ descriptor: Int32,
        queue: DispatchQueue,
        onClosed: @escaping @Sendable () -> Void = {}
    ) {
        self.descriptor = descriptor
        self.queue = queue
        self.onClosed = onClosed
    }

    /// Calls `onReadable` whenever there is something to read; it must drain the descriptor.
    package func startReading(_ onReadable: @escaping @Sendable () -> Void) {
        guard reader == nil, !isCancelled else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        reader = source
        isReading = true
        activate(source, onReadable)
    }

    /// Calls `onWritable` whenever there is room to write, until ``stopWriting()``.
    ///
    /// The closure of the first call stays.
    package func startWriting(_ onWritable: @escaping @Sendable () -> Void) {
        guard !isWriting, !isCancelled else { return }
        isWriting = true
        if let writer { return writer.resume() }
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        writer = source
        activate(source, onWritable)
    }

    /// Waits for room no longer.
    package func stopWriting() {
        guard isWriting, !isCancelled else { return }
        isWriting = false
        writer?.suspend()
    }

    /// Reads nothing for a while: accepting without free descriptors would spin.
    package func pauseReading(for pause: DispatchTimeInterval) {
        guard isReading, !isCancelled, let reader else { return }
        isReading = false
        reader.suspend()
        queue.asyncAfter(deadline: .now() + pause) { @Sendable [weak self] in self?.resumeReading()
        }
    }

    private func resumeReading() {
        guard !isReading, !isCancelled, let reader else { return }
        isReading = true
        reader.resume()
    }

    /// Ends all events and closes the descriptor as soon as no source uses it.
    package func cancel() {
        guard !isCancelled else { return }
        resumeReading()
        if let writer, !isWriting { writer.resume() }
        isCancelled = true
        guard openSources > 0 else { return close() }
        // Once the first is cancelled, everything here belongs to the cancel handlers, which may
        // run at once on the queue's thread.
        let sources = (reader, writer)
        reader = nil
        writer = nil
        sources.0?.cancel()
        sources.1?.cancel()
    }

    private func activate(
        _ source: any DispatchSourceProtocol,
        _ onEvent: @escaping @Sendable () -> Void
    ) {
        source.setEventHandler(handler: onEvent)
        source.setCancelHandler { @Sendable [self] in sourceEnded() }
        openSources += 1
        source.activate()
    }

    private func sourceEnded() {
        openSources -= 1
        if openSources == 0 { close() }
    }

    private func close() {
        onClosed()
        platform_close(descriptor)
    }
}
