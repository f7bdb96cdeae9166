internal import CPlatform
internal import Dispatch

/// A descriptor and the Dispatch sources that watch it.
///
/// It keeps three rules of Dispatch on Linux: a descriptor is closed only when every source on it
/// has been cancelled; a suspended source is resumed before it is cancelled, else that never
/// happens; and a source is made only when it is wanted, because an idle writable one would fire
/// for ever. The sources' cancel handlers keep it alive until the descriptor is closed; its owner
/// must call `cancel()`, at the latest in `deinit`.
///
/// Invariant for `@unchecked Sendable`: everything is touched on `queue` only, but for a
/// `cancel()` from the owner's `deinit`, when nobody else can call any more.
final class DispatchSocket: @unchecked Sendable {
    let descriptor: Int32
    private let queue: DispatchQueue
    private var reader: (any DispatchSourceRead)?
    private var writer: (any DispatchSourceWrite)?
    private var isReading = false
    private var isWriting = false
    private var openSources = 0
    private(set) var isCancelled = false

    /// Takes over an open descriptor.
    init(descriptor: Int32, queue: DispatchQueue) {
        self.descriptor = descriptor
        self.queue = queue
    }

    /// Calls `onReadable` whenever there is something to read; it must drain the descriptor.
    func startReading(_ onReadable: @escaping @Sendable () -> Void) {
        guard reader == nil, !isCancelled else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: onReadable)
        source.setCancelHandler { @Sendable [self] in sourceEnded() }
        openSources += 1
        reader = source
        isReading = true
        source.activate()
    }

    /// Calls `onWritable` whenever there is room to write, until `stopWriting()`.
    ///
    /// The closure of the first call stays.
    func startWriting(_ onWritable: @escaping @Sendable () -> Void) {
        guard !isWriting, !isCancelled else { return }
        isWriting = true
        if let writer { return writer.resume() }
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: onWritable)
        source.setCancelHandler { @Sendable [self] in sourceEnded() }
        openSources += 1
        writer = source
        source.activate()
    }

    /// Watches for room no longer.
    func stopWriting() {
        guard isWriting, !isCancelled else { return }
        isWriting = false
        writer?.suspend()
    }

    /// Stops and restarts reading, for a rest when accepting cannot go on.
    func setReading(_ wanted: Bool) {
        guard let reader, wanted != isReading, !isCancelled else { return }
        isReading = wanted
        if wanted { reader.resume() } else { reader.suspend() }
    }

    /// Ends all events and closes the descriptor as soon as no source uses it.
    func cancel() {
        guard !isCancelled else { return }
        if reader != nil { setReading(true) }
        if let writer, !isWriting { writer.resume() }
        isCancelled = true
        guard openSources > 0 else {
            platform_close(descriptor)
            return
        }
        // Once the first is cancelled, everything here belongs to the cancel handlers, which may
        // run at once on the queue's thread.
        let sources = (reader, writer)
        reader = nil
        writer = nil
        sources.0?.cancel()
        sources.1?.cancel()
    }

    private func sourceEnded() {
        openSources -= 1
        guard openSources == 0 else { return }
        platform_close(descriptor)
    }
}
