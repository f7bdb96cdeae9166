internal import CPlatform
package import Descriptors
package import SyncProtocol

/// An event of a link, delivered on the link's queue and never from within a call of its owner.
package enum LinkEvent: Sendable {
    /// Both ends have proven possession of the key of this identity; frames may follow.
    case opened(identity: String, remote: Endpoint)
    case frame([UInt8])
    /// Bytes moved without completing a frame, so the peer is alive; at most once per second.
    case heard
    /// The send queue is empty again: the kernel has accepted everything that was waiting.
    case drained
    /// The link has ended; always the last event, exactly once.
    case closed(CloseReason)
}

package enum CloseReason: Error, Hashable, Sendable, CustomStringConvertible {
    /// The owner closed or aborted the link.
    case local
    /// The peer closed the link, between two frames.
    case byPeer
    /// The connection ended without a goodbye or within a frame, because of a crash or a cut.
    case cutOff
    case unreachable(SystemError)
    case broken(SystemError)
    case timedOut(Step)
    case tls(TLSFailure)
    /// More than `TransportLimits.handshakeBytes` arrived before the TLS handshake was finished.
    case tooMuchBeforeTLS
    /// A frame of the peer or of the owner violates the limits.
    case badFrame(FrameError)
    /// The send queue is full, because the peer reads too slowly.
    case peerTooSlow
    /// A newer connection took the slot of this one before its handshake was finished.
    case evicted

    /// A stage of a link that has a time limit.
    package enum Step: String, Hashable, Sendable {
        case connecting, handshaking
    }

    package var description: String {
        switch self {
        case .local: "closed here"
        case .byPeer: "closed by the peer"
        case .cutOff: "the connection was cut"
        case .unreachable(let error), .broken(let error): "\(error)"
        case .timedOut(let step): "timed out while \(step.rawValue)"
        case .tls(let failure): "\(failure)"
        case .tooMuchBeforeTLS: "too many bytes before TLS was finished"
        case .badFrame(let error): "\(error)"
        case .peerTooSlow: "the peer reads too slowly"
        case .evicted: "evicted by newer connections"
        }
    }
}

/// A TCP connection that carries frames over TLS.
///
/// Its states are connecting, handshaking, open, closing and closed. It does not interpret frames.
/// The owner receives `LinkEvent`s on the event queue, never during its own calls to the link, so a
/// handler may call any method. If the owner releases the link before `.closed`, the connection is
/// cut at once, unless the link is closing.
@EventLoop
package final class TransportLink {
    /// The cases store no collections, because changing an associated value would copy it.
    enum State {
        case connecting
        case handshaking
        case open
        /// The send queue is written, then the end of the peer's stream is awaited, for at most
        /// `LinkDurations.goodbye`. Closing the descriptor while bytes arrive would lose an alert
        /// or a last frame.
        case closing(CloseReason, hasFinished: Bool)
        case closed
    }

    package let remote: Endpoint
    /// Whether TCP repeatedly sends the same segment without an answer: the peer is gone, or the
    /// path drops long packets.
    ///
    /// For a closed link, whether this was so when it ended.
    package var isStalled: Bool {
        guard let socket, !socket.isCancelled else { return wasStalled }
        return platform_retransmissions(socket.descriptor) >= TransportLimits.stalledRetransmissions
    }
    private var wasStalled = false
    /// Whether packets are limited to the size that every network carries.
    private let hasShortSegments: Bool
    /// The handler of events; the owner may replace it at any time, on the event queue.
    package var onEvent: (LinkEvent) -> Void

    let queue: EventQueue
    let durations: LinkDurations
    let tls: TLSMachine?
    /// The connected socket; nil while connecting.
    var socket: DescriptorEvents?
    var attempts: [DescriptorEvents] = []
    var nextAttempt: QueueTimer?
    var lastAttempt: SuspendingClock.Instant?
    /// Whether all attempts have failed with "no route to host" and are being repeated once.
    var wasUnreachable = false
    var state: State
    var decoder = FrameDecoder()
    var waiting = SendQueue()
    /// Encrypted bytes that the socket has not accepted yet, from index `outputStart` on.
    var output: [UInt8] = []
    var outputStart = 0
    var handshakeBytes = 0
    /// Whether bytes had to wait, so that `.drained` must follow when they are sent.
    var needsDrainedEvent = false
    /// Whether the socket accepted no more bytes at the last write.
    var isBlocked = false
    var frameLimit = FrameRateLimiter()
    /// Whether reading is paused because the peer exceeded the rate limit.
    var isReadingPaused = false
    var lastHeard: SuspendingClock.Instant?
    /// Whether the owner is calling a method, so that events must wait.
    private var isInCall = false
    private var timer: QueueTimer?
    /// A reference to the link itself while closing, because the owner may have released it.
    private var keepAlive: TransportLink?

    private init(
        _ remote: Endpoint,
        _ tls: TLSMachine?,
        _ socket: DescriptorEvents?,
        on queue: EventQueue,
        _ durations: LinkDurations,
        hasShortSegments: Bool = false,
        _ onEvent: @escaping (LinkEvent) -> Void
    ) {
        self.hasShortSegments = hasShortSegments
        (self.remote, self.tls, self.socket) = (remote, tls, socket)
        (self.queue, self.durations, self.onEvent) = (queue, durations, onEvent)
        state = socket == nil ? .connecting : .handshaking
    }

    deinit {
        socket?.cancel()
        for attempt in attempts { attempt.cancel() }
    }

    /// Opens a link to an endpoint; results are reported as events.
    ///
    /// With `hasShortSegments` the link also works on paths that drop long packets.
    package static func dial(
        to remote: Endpoint,
        key: PreSharedKey,
        on queue: EventQueue,
        durations: LinkDurations = .standard,
        hasShortSegments: Bool = false,
        onEvent: @escaping (LinkEvent) -> Void
    ) -> TransportLink {
        var (tls, failure): (TLSMachine?, TLSFailure?)
        do throws(TLSFailure) { tls = try TLSMachine(role: .client(key)) } catch { failure = error }
        let link = TransportLink(
            remote,
            tls,
            nil,
            on: queue,
            durations,
            hasShortSegments: hasShortSegments,
            onEvent
        )
        link.inCall {
            if let failure { link.end(.tls(failure)) } else { link.connect() }
        }
        return link
    }

    /// Creates a link for an accepted connection, takes ownership of its descriptor, and waits for
    /// the peer's handshake.
    ///
    /// Throws only if TLS cannot be set up; the descriptor is then closed.
    static func accepted(
        descriptor: Int32,
        from remote: Endpoint,
        lookup: @escaping (_ identity: String) -> Secret?,
        on queue: EventQueue,
        durations: LinkDurations,
        onEvent: @escaping (LinkEvent) -> Void
    ) throws(TLSFailure) -> TransportLink {
        let socket = DescriptorEvents(descriptor, queue: queue)
        let tls: TLSMachine
        do throws(TLSFailure) { tls = try TLSMachine(role: .server(lookup: lookup)) } catch {
            socket.cancel()
            throw error
        }
        let link = TransportLink(remote, tls, socket, on: queue, durations, onEvent)
        link.setTimer(durations.handshake)
        link.watchReading()
        return link
    }

    /// The identity that was offered or chosen; proven by both ends when the link is open.
    package var identity: String? { tls?.identity }

    /// The numbers of messages and bytes in the send queue; a `FrameSource` does not count.
    package var backlog: (messages: Int, bytes: Int) { (waiting.messages, waiting.bytes) }

    private var isSending: Bool {
        switch state {
        case .connecting, .handshaking, .open: true
        case .closing, .closed: false
        }
    }

    /// Appends one frame to the send queue.
    ///
    /// If the queue is full, the link ends with `.peerTooSlow`; a link that is closing ignores the
    /// call.
    package func send(_ payload: [UInt8]) {
        inCall {
            guard isSending else { return }
            guard !payload.isEmpty else { return end(.badFrame(.empty)) }
            guard payload.count <= Limits.frameBytes else {
                return end(.badFrame(.tooLong(bytes: payload.count, limit: Limits.frameBytes)))
            }
            guard waiting.append(payload) else { return end(.peerTooSlow) }
            pump()
        }
    }

    /// Appends a series of frames to the send queue, each created when the socket has room.
    ///
    /// `.drained` is emitted after everything was sent.
    package func send(stream source: any FrameSource) {
        inCall {
            guard isSending else { return }
            waiting.append(source)
            needsDrainedEvent = true
            pump()
        }
    }

    /// Makes TCP acknowledge received data at once.
    ///
    /// Called when no reply follows that could carry the acknowledgement; saves one packet in each
    /// such exchange.
    package func acknowledgeAtOnce() {
        if let socket { _ = platform_acknowledge(socket.descriptor) }
    }

    /// Closes the link after the send queue is written, within `LinkDurations.goodbye`.
    ///
    /// No more frames are delivered; `.closed(.local)` is the last event. The owner may release the
    /// link.
    package func close() {
        inCall {
            switch state {
            case .connecting, .handshaking: end(.local)
            case .open: beginClosing(.local)
            case .closing, .closed: break
            }
        }
    }

    /// Closes the link immediately and discards unsent bytes.
    package func abort() { abort(.local) }

    func abort(_ reason: CloseReason) { inCall { end(reason) } }
}

extension TransportLink {
    func inCall(_ body: () -> Void) {
        let before = isInCall
        isInCall = true
        body()
        isInCall = before
    }

    /// Reports an event; if the owner is calling a method, after that call.
    func emit(_ event: LinkEvent) {
        guard isInCall else { return report(event) }
        queue.async { [self] in report(event) }
    }

    private func report(_ event: LinkEvent) {
        switch event {
        case .closed:
            // Breaks the reference cycle, because the owner's closure usually retains the link.
            let last = onEvent
            onEvent = { _ in }
            last(event)
        case .opened, .frame, .heard, .drained:
            if case .open = state { onEvent(event) }
        }
    }

    /// Sets the time limit of the step that starts; nil for no limit.
    func setTimer(_ duration: Duration?) {
        timer?.cancel()
        timer = nil
        guard let duration else { return }
        timer = queue.async(after: duration) { [weak self] in self?.timePassed() }
    }

    private func timePassed() {
        switch state {
        case .connecting: end(.timedOut(.connecting))
        case .handshaking: end(.timedOut(.handshaking))
        case .closing(let reason, _): end(reason)
        case .open, .closed: break
        }
    }

    func watchReading() { socket?.startReading { [weak self] in self?.readable() } }

    /// Starts closing: no more frames are delivered or accepted.
    func beginClosing(_ reason: CloseReason) {
        state = .closing(reason, hasFinished: false)
        keepAlive = self
        setTimer(durations.goodbye)
        pump()
    }

    /// Ends the link; every link ends here.
    func end(_ reason: CloseReason) {
        if case .closed = state { return }
        state = .closed
        setTimer(nil)
        wasStalled = isStalled
        socket?.cancel()
        dropAttempts()
        waiting.removeAll()
        output = []
        outputStart = 0
        keepAlive = nil
        emit(.closed(reason))
    }
}

/// Connecting, with several attempts at the same time.
///
/// The kernel repeats a lost first packet only after 1, 3 and 7 s. Therefore a new attempt starts
/// every `TransportLimits.attemptSpacing` while the earlier ones continue: a laptop that comes back
/// online is reached within half a second, and a slow one by an earlier attempt.
extension TransportLink {
    func connect() {
        setTimer(durations.connect)
        attempt()
    }

    private func attempt() {
        guard case .connecting = state, attempts.count < TransportLimits.attempts else { return }
        let descriptor = platform_tcp_socket(remote.platform)
        guard descriptor >= 0 else {
            return giveUp(SystemError("make a socket", code: -descriptor))
        }
        let socket = DescriptorEvents(descriptor, queue: queue)
        if hasShortSegments { _ = platform_limit_segments(descriptor, true) }
        let result = platform_connect(descriptor, remote.platform)
        guard result == 0 || result == -EINPROGRESS else {
            socket.cancel()
            return giveUp(connectError(result))
        }
        attempts.append(socket)
        socket.startWriting { [weak self, weak socket] in
            guard let self, let socket else { return }
            if self.socket === socket { pump() } else { attemptEnded(socket) }
        }
        lastAttempt = .now
        planAttempt(after: TransportLimits.attemptSpacing)
    }

    private func planAttempt(after pause: Duration) {
        nextAttempt?.cancel()
        nextAttempt = queue.async(after: pause) { [weak self] in self?.attempt() }
    }

    /// Starts another attempt, unless the last one is very recent.
    ///
    /// Called when the network has changed or the machine was heard, because the packets of earlier
    /// attempts may be lost.
    package func retryNow() {
        guard case .connecting = state else { return }
        let age = lastAttempt.map { .now - $0 } ?? TransportLimits.minAttemptSpacing
        guard age < TransportLimits.minAttemptSpacing else { return inCall { attempt() } }
        planAttempt(after: TransportLimits.minAttemptSpacing - age)
    }

    /// Handles an attempt that could not start: ends the link unless other attempts are in
    /// progress.
    private func giveUp(_ error: SystemError) { if attempts.isEmpty { end(.unreachable(error)) } }

    /// Handles the end of an attempt: the first attempt to end decides for all.
    ///
    /// The exception is EHOSTUNREACH: the kernel asks for the machine's hardware address three
    /// times, a second apart, and gives up, but a new attempt makes it ask again. The attempts are
    /// repeated only once, because a router without a route causes the same error immediately.
    private func attemptEnded(_ socket: DescriptorEvents) {
        let result = platform_socket_error(socket.descriptor)
        if result == -EHOSTUNREACH {
            socket.cancel()
            attempts.removeAll { $0 === socket }
            if attempts.isEmpty, !wasUnreachable {
                wasUnreachable = true
                attempt()
            }
            return
        }
        guard result == 0 else { return end(.unreachable(connectError(result))) }
        self.socket = socket
        dropAttempts()
        state = .handshaking
        setTimer(durations.handshake)
        watchReading()
        pump()
    }

    /// Cancels all attempts except the one that has become the connection.
    func dropAttempts() {
        nextAttempt?.cancel()
        nextAttempt = nil
        for attempt in attempts where attempt !== socket { attempt.cancel() }
        attempts = []
    }

    private func connectError(_ result: Int32) -> SystemError {
        SystemError("connect to \(remote)", code: -result)
    }
}
