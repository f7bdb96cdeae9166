internal import CPlatform
package import Descriptors
package import SyncProtocol

/// What happens on a link.
///
/// Events come on the link's queue, and never from within a call of its owner.
package enum LinkEvent: Sendable {
    /// Both ends have proven to hold the key of this identity; frames may follow.
    case opened(identity: String, remote: Endpoint)
    /// The payload of one frame.
    case frame([UInt8])
    /// Bytes moved although no frame was completed: the peer is alive.
    ///
    /// At most once per second.
    case heard
    /// Something had to wait, and now everything has been given to the kernel.
    case drained
    /// The link is over; always the last event, and exactly one.
    case closed(CloseReason)
}

/// Why a link ended.
package enum CloseReason: Error, Hashable, Sendable {
    /// The owner closed or aborted it.
    case local
    /// The peer said goodbye, between two frames.
    case byPeer
    /// The connection ended without a goodbye or within a frame: a crash, or a cut.
    case cutOff
    /// No connection came about.
    case unreachable(SystemError)
    /// The connection broke.
    case broken(SystemError)
    /// A step took too long.
    case timedOut(Step)
    /// TLS failed.
    case tls(TLSFailure)
    /// More bytes than `TransportLimits.unprovenBytes` came before TLS was finished.
    case tooMuchBeforeTLS
    /// A frame broke the rules, the peer's or one of ours.
    case badFrame(FrameError)
    /// The peer reads more slowly than we write: more than the queue may hold.
    case peerTooSlow
    /// Another connection needed its place before it had proven anything.
    case evicted

    /// The steps that have a time limit.
    package enum Step: String, Hashable, Sendable {
        /// The TCP connection.
        case connecting
        /// TLS.
        case handshaking
    }
}

extension CloseReason: CustomStringConvertible {
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

/// One TCP connection that carries frames under TLS: connecting, handshaking, open, closing,
/// closed.
///
/// It moves frames and knows no message. The owner gets everything as `LinkEvent`s, on the queue,
/// and never from within its own calls, so that it can call back from anywhere. A link dropped by
/// its owner before `.closed` is cut at once, unless it is saying goodbye.
///
/// Invariant for `@unchecked Sendable`: everything is touched on `queue` only (checked at each
/// call), which the handlers of its socket share.
package final class TransportLink: @unchecked Sendable {
    /// Where the link is in its life.
    ///
    /// What grows is kept beside it.
    enum State {
        case connecting
        case handshaking
        case open
        /// Whatever waits is being written, then the peer's end of stream is awaited, for at most
        /// `LinkDurations.goodbye`: an alert or a last frame would be lost if the descriptor were
        /// closed while bytes of the peer arrive.
        case closing(CloseReason, hasFinished: Bool)
        case closed
    }

    /// The other end of the connection.
    package let remote: Endpoint
    /// Receives what happens.
    ///
    /// The owner may replace it at any time, on the queue.
    package var onEvent: (LinkEvent) -> Void

    let queue: EventQueue
    let durations: LinkDurations
    let tls: TLSMachine?
    /// The connection; nil while there is none.
    var socket: DescriptorEvents?
    /// The attempts to make one that are under way.
    var attempts: [DescriptorEvents] = []
    var nextAttempt: QueueTimer?
    /// When the last attempt began.
    var lastAttempt: SuspendingClock.Instant?
    /// Whether attempts have ended because nobody knew the way.
    var wasUnreachable = false
    var state: State
    var decoder = FrameDecoder()
    var waiting = SendQueue()
    /// Encrypted bytes that the socket has not taken, from `outputStart` on.
    var output: [UInt8] = []
    var outputStart = 0
    /// Bytes read while handshaking.
    var unprovenBytes = 0
    /// Whether something had to wait, so that `.drained` is due.
    var owesDrained = false
    /// Whether the socket took no more when last asked.
    var isBlocked = false
    /// How many frames may be read.
    var allowance = FrameAllowance()
    /// Whether it is left unread for a while, because it brought more than that.
    var isResting = false
    /// When bytes were last reported.
    var lastHeard: SuspendingClock.Instant?
    /// Whether a call of the owner is running: events are then put off.
    private var isInCall = false
    private var timer: QueueTimer?
    /// Itself, while it says goodbye and its owner may already have let go.
    private var keepAlive: TransportLink?

    private init(
        socket: DescriptorEvents?,
        tls: TLSMachine?,
        remote: Endpoint,
        state: State,
        queue: EventQueue,
        durations: LinkDurations,
        onEvent: @escaping (LinkEvent) -> Void
    ) {
        self.socket = socket
        self.tls = tls
        self.remote = remote
        self.state = state
        self.queue = queue
        self.durations = durations
        self.onEvent = onEvent
    }

    deinit {
        socket?.cancel()
        for attempt in attempts { attempt.cancel() }
    }

    /// A link that is being opened to an endpoint; every outcome is an event.
    package static func dial(
        to remote: Endpoint,
        key: PreSharedKey,
        on queue: EventQueue,
        durations: LinkDurations = .standard,
        onEvent: @escaping (LinkEvent) -> Void
    ) -> TransportLink {
        queue.requireCurrent()
        func link(_ tls: TLSMachine?) -> TransportLink {
            TransportLink(
                socket: nil,
                tls: tls,
                remote: remote,
                state: .connecting,
                queue: queue,
                durations: durations,
                onEvent: onEvent
            )
        }
        do throws(TLSFailure) {
            let dialling = link(try TLSMachine(role: .client(key)))
            dialling.inCall { dialling.connect() }
            return dialling
        } catch {
            let failed = link(nil)
            failed.inCall { failed.end(.tls(error)) }
            return failed
        }
    }

    /// A link over a connection that was accepted: takes over the descriptor and waits for the
    /// peer's handshake.
    ///
    /// Throws, with the descriptor closed, only when TLS cannot be set up.
    static func accepted(
        descriptor: Int32,
        from remote: Endpoint,
        lookup: @escaping (_ identity: String) -> Secret?,
        on queue: EventQueue,
        durations: LinkDurations,
        onEvent: @escaping (LinkEvent) -> Void
    ) throws(TLSFailure) -> TransportLink {
        queue.requireCurrent()
        let socket = DescriptorEvents(descriptor, queue: queue)
        let tls: TLSMachine
        do throws(TLSFailure) { tls = try TLSMachine(role: .server(lookup: lookup)) } catch {
            socket.cancel()
            throw error
        }
        let link = TransportLink(
            socket: socket,
            tls: tls,
            remote: remote,
            state: .handshaking,
            queue: queue,
            durations: durations,
            onEvent: onEvent
        )
        link.setTimer(durations.handshake)
        link.watchReading()
        return link
    }

    /// The identity that was offered or chosen; both ends have proven it once the link is open.
    package var identity: String? { tls?.identity }

    /// The messages and bytes that wait; a source does not count.
    package var backlog: (messages: Int, bytes: Int) {
        queue.requireCurrent()
        return (waiting.messages, waiting.bytes)
    }

    /// Sends one frame behind what waits.
    ///
    /// A link that already waits for too much is given up with `.peerTooSlow`; one that is closing
    /// or closed ignores it.
    package func send(_ payload: [UInt8]) {
        inCall {
            switch state {
            case .connecting, .handshaking, .open: break
            case .closing, .closed: return
            }
            guard !payload.isEmpty else { return end(.badFrame(.empty)) }
            guard payload.count <= Limits.frameBytes else {
                return end(.badFrame(.tooLong(bytes: payload.count, limit: Limits.frameBytes)))
            }
            guard waiting.append(payload) else { return end(.peerTooSlow) }
            pump()
        }
    }

    /// Sends a series of frames behind what waits, each made when the socket has room.
    ///
    /// `.drained` follows when everything has gone.
    package func send(stream source: any FrameSource) {
        inCall {
            switch state {
            case .connecting, .handshaking, .open: break
            case .closing, .closed: return
            }
            waiting.append(source)
            owesDrained = true
            pump()
        }
    }

    /// Says that what was read last is not answered.
    ///
    /// TCP then acknowledges it at once, and what comes next with its answer: a packet less for
    /// each exchange that ends so.
    package func expectNoAnswer() {
        queue.requireCurrent()
        if let socket { _ = platform_acknowledge(socket.descriptor) }
    }

    /// Ends the link after everything that waits, within `LinkDurations.goodbye`.
    ///
    /// No more frames are reported; `.closed(.local)` comes at the end. The owner may let go of the
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

    /// Cuts the link at once.
    package func abort() { abort(.local) }

    func abort(_ reason: CloseReason) {
        inCall { end(reason) }
    }
}

extension TransportLink {
    func inCall(_ body: () -> Void) {
        queue.requireCurrent()
        let before = isInCall
        isInCall = true
        body()
        isInCall = before
    }

    /// Reports an event, after the owner's call when one is running.
    func emit(_ event: LinkEvent) {
        guard isInCall else { return report(event) }
        queue.async { @Sendable [self] in report(event) }
    }

    private func report(_ event: LinkEvent) {
        switch event {
        case .closed:
            // The owner's closure usually holds the link: let go of each other.
            let last = onEvent
            onEvent = { _ in }
            last(event)
        case .opened, .frame, .heard, .drained:
            if case .open = state { onEvent(event) }
        }
    }

    /// Limits the time of the step that begins.
    func setTimer(_ duration: Duration?) {
        timer?.cancel()
        timer = nil
        guard let duration else { return }
        timer = queue.async(after: duration) { @Sendable [weak self] in self?.timePassed() }
    }

    private func timePassed() {
        switch state {
        case .connecting: end(.timedOut(.connecting))
        case .handshaking: end(.timedOut(.handshaking))
        case .closing(let reason, _): end(reason)
        case .open, .closed: break
        }
    }

    func watchReading() {
        socket?.startReading { @Sendable [weak self] in self?.readable() }
    }

    /// Says goodbye: no frame is read or taken any more.
    func beginClosing(_ reason: CloseReason) {
        state = .closing(reason, hasFinished: false)
        keepAlive = self
        setTimer(durations.goodbye)
        pump()
    }

    /// The last step of every link, once.
    func end(_ reason: CloseReason) {
        if case .closed = state { return }
        state = .closed
        setTimer(nil)
        socket?.cancel()
        dropAttempts()
        waiting.removeAll()
        output = []
        outputStart = 0
        keepAlive = nil
        emit(.closed(reason))
    }
}
