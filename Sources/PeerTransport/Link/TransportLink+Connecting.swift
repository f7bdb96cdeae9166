internal import CPlatform
internal import Descriptors
internal import SyncProtocol

/// From nothing to a connection.
///
/// The kernel repeats a first packet that was lost only after 1, 3 and 7 s, so another attempt
/// begins every `TransportLimits.attemptSpacing` beside those under way: a laptop that comes back
/// is reached half a second later, and one that answers slowly is reached all the same.
extension TransportLink {
    /// Begins to connect.
    func connect() {
        setTimer(durations.connect)
        attempt()
    }

    private func attempt() {
        queue.requireCurrent()
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
        socket.startWriting { @Sendable [weak self, weak socket] in
            guard let self, let socket else { return }
            if self.socket === socket { writable() } else { decided(socket) }
        }
        lastAttempt = .now
        planAttempt(after: TransportLimits.attemptSpacing)
    }

    private func planAttempt(after pause: Duration) {
        nextAttempt?.cancel()
        nextAttempt = queue.async(after: pause) { @Sendable [weak self] in self?.attempt() }
    }

    /// Begins another attempt as soon as the last has had time for an answer, if it is connecting
    /// still: the network has changed, or the machine was heard, and the packets of the others may
    /// be lost.
    package func hurry() {
        guard case .connecting = state else { return }
        let age = lastAttempt.map { .now - $0 } ?? TransportLimits.shortestAttempt
        guard age < TransportLimits.shortestAttempt else { return inCall { attempt() } }
        planAttempt(after: TransportLimits.shortestAttempt - age)
    }

    /// This machine allows no attempt: what is under way may still succeed.
    private func giveUp(_ error: SystemError) {
        if attempts.isEmpty { end(.unreachable(error)) }
    }

    /// An attempt has succeeded or failed, and so have all.
    ///
    /// But for those that waited for the machine's hardware address in vain: the kernel asks for it
    /// once a second, and anew for whoever comes after the third time. Once only, for a router that
    /// knows no way says the same, and at once.
    private func decided(_ socket: DescriptorEvents) {
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

    /// Ends the attempts, but for the one that has become the connection.
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
