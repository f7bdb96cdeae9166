internal import CPlatform
internal import Descriptors
internal import SyncProtocol

/// Connecting, by several attempts at once.
///
/// The kernel repeats a lost first packet only after 1, 3 and 7 s. So another attempt starts every
/// `TransportLimits.attemptSpacing` while the earlier ones continue: a laptop that comes back is
/// reached half a second later, and one that answers slowly is reached, too.
extension TransportLink {
    func connect() {
        setTimer(durations.connect)
        attempt()
    }

    private func attempt() {
        guard case .connecting = state, attempts.count < TransportLimits.attempts else { return }
        let descriptor = platform_tcp_socket()
        guard descriptor >= 0 else {
            return giveUp(SystemError("make a socket", code: -descriptor))
        }
        let socket = DescriptorEvents(descriptor, queue: queue)
        let result = platform_connect(descriptor, remote.address, remote.port)
        guard result == 0 || result == -EINPROGRESS else {
            socket.cancel()
            return giveUp(connectError(result))
        }
        attempts.append(socket)
        socket.startWriting { [weak self, weak socket] in
            guard let self, let socket else { return }
            if self.socket === socket { writable() } else { attemptEnded(socket) }
        }
        lastAttempt = .now
        planAttempt(after: TransportLimits.attemptSpacing)
    }

    private func planAttempt(after pause: Duration) {
        nextAttempt?.cancel()
        nextAttempt = queue.async(after: pause) { [weak self] in self?.attempt() }
    }

    /// Starts another attempt as soon as the last one has had time for an answer: the network has
    /// changed, or the machine was heard, and the packets of the earlier attempts may be lost.
    package func retryNow() {
        guard case .connecting = state else { return }
        let age = lastAttempt.map { .now - $0 } ?? TransportLimits.minAttemptSpacing
        guard age < TransportLimits.minAttemptSpacing else { return inCall { attempt() } }
        planAttempt(after: TransportLimits.minAttemptSpacing - age)
    }

    /// This machine allows no further attempt; those under way may still succeed.
    private func giveUp(_ error: SystemError) {
        if attempts.isEmpty { end(.unreachable(error)) }
    }

    /// An attempt has succeeded or failed, which decides about all of them.
    ///
    /// The exception is EHOSTUNREACH: the kernel asks for the machine's hardware address once a
    /// second and gives up after the third time, but a new attempt makes it ask again. That is done
    /// once only, because a router without a route gives the same error, and at once.
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
