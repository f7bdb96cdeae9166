internal import CPlatform
internal import Descriptors
internal import SyncProtocol

/// Reading: the path of bytes from the socket to the owner.
extension TransportLink {
    private enum ReadResult {
        /// Decrypted bytes; `isFull` is whether the buffer was filled, so that more may be waiting.
        case bytes([UInt8], isFull: Bool)
        case nothing
        case over(CloseReason)
    }

    /// Reads from a readable socket until nothing is left or other events must have their turn.
    func readable() {
        for _ in 0..<TransportLimits.turnsPerEvent {
            switch state {
            case .connecting, .closed: return
            case .handshaking, .open: guard !isReadingPaused, readSome() else { return }
            case .closing: guard discardSome() else { return }
            }
        }
    }

    /// Reads once; returns false if nothing more can be read, now or ever.
    private func readSome() -> Bool {
        guard let socket, let tls else { return false }
        let isHandshaking = tls.status == .handshaking
        // One byte more than the limit, to recognize that it was exceeded.
        let capacity =
            isHandshaking
            ? TransportLimits.handshakeBytes - handshakeBytes + 1 : TransportLimits.readBytes
        let reading = unsafe withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 16) {
            buffer -> ReadResult in
            let count = unsafe platform_receive(socket.descriptor, buffer.baseAddress, capacity)
            guard count > 0 else { return self.reading(withoutBytes: count) }
            if isHandshaking { handshakeBytes += count }
            do throws(TLSFailure) {
                return unsafe .bytes(
                    try tls.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])),
                    isFull: count == capacity
                )
            } catch { return .over(.tls(error)) }
        }
        switch reading {
        case .nothing: return false
        case .over(let reason):
            fail(reason)
            return true
        case .bytes(let plain, let isFull):
            advance(plain, isHandshaking: isHandshaking)
            return isFull
        }
    }

    private func reading(withoutBytes result: Int) -> ReadResult {
        if platform_would_block(result) { return .nothing }
        if result == 0 { return .over(.cutOff) }
        return .over(.broken(SystemError("read from \(remote)", code: Int32(-result))))
    }

    /// Handles the progress of TLS, and delivers the decrypted bytes.
    private func advance(_ plain: [UInt8], isHandshaking: Bool) {
        guard let tls else { return }
        if isHandshaking {
            if tls.status == .handshaking, handshakeBytes > TransportLimits.handshakeBytes {
                return end(.tooMuchBeforeTLS)
            }
            if tls.status != .handshaking, let identity = tls.identity {
                state = .open
                setTimer(nil)
                // Frames that the owner sends in its handler leave together with the end of the
                // handshake.
                emit(.opened(identity: identity, remote: remote))
            }
            pump()
        } else if !tls.hasNoOutput {
            // A TLS key update requires an answer.
            pump()
        }
        guard !plain.isEmpty else { return endIfPeerFinished() }
        decoder.append(plain)
        deliver()
    }

    /// Ends the link after everything that the peer sent before its close_notify is delivered.
    private func endIfPeerFinished() {
        guard case .open = state, !isReadingPaused, tls?.status == .peerFinished else { return }
        let reason = decoder.isEmpty ? CloseReason.byPeer : .cutOff
        state = .closing(reason, hasFinished: false)
        waiting.removeAll()
        pump()
        end(reason)
    }

    /// Delivers the complete frames, as far as the rate limit allows.
    private func deliver() {
        var hasDelivered = false
        do throws(FrameError) {
            while case .open = state, !isReadingPaused, let payload = try decoder.next() {
                hasDelivered = true
                if !frameLimit.consume(at: .now) { pauseReading() }
                emit(.frame(payload))
            }
        } catch { return fail(.badFrame(error)) }
        if !hasDelivered { heard() }
        endIfPeerFinished()
    }

    /// Pauses reading: further bytes wait at the peer, and other links have their turn.
    private func pauseReading() {
        isReadingPaused = true
        socket?.pauseReading(for: TransportLimits.framePause)
        queue.async(after: TransportLimits.framePause) { [weak self] in
            guard let self else { return }
            isReadingPaused = false
            deliver()
        }
    }

    /// Emits `.heard` unless one was emitted within the last second.
    func heard() {
        let now = SuspendingClock.now
        guard case .open = state,
            lastHeard.map({ $0.duration(to: now) >= TransportLimits.heardInterval }) ?? true
        else { return }
        lastHeard = now
        emit(.heard)
    }

    /// Ends the link after a failure, and sends the peer an alert if TLS has one.
    func fail(_ reason: CloseReason) {
        switch (reason, tls?.hasNoOutput ?? true) {
        case (.tls, false), (.badFrame, _):
            waiting.removeAll()
            beginClosing(reason)
        default: end(reason)
        }
    }

    /// Discards bytes that arrive while closing, until the peer's end of stream.
    private func discardSome() -> Bool {
        guard let socket, case .closing(let reason, _) = state else { return false }
        let count = unsafe withUnsafeTemporaryAllocation(
            byteCount: TransportLimits.readBytes,
            alignment: 16
        ) { buffer in
            unsafe platform_receive(socket.descriptor, buffer.baseAddress, buffer.count)
        }
        if count > 0 { return true }
        if !platform_would_block(count) { end(reason) }
        return false
    }
}

/// Limits the frames read from one link by a token bucket: a burst, then a number per second.
///
/// All links share one queue, so a member that sends endlessly would hold up the others. Nothing is
/// lost: unread frames wait at their sender.
struct FrameRateLimiter {
    private var tokens = Double(TransportLimits.frameBurst)
    private var last: SuspendingClock.Instant?

    /// Counts a frame; returns whether another one may be read at once.
    mutating func consume(at now: SuspendingClock.Instant) -> Bool {
        if let last {
            let passed = last.duration(to: now) / .seconds(1)
            let refill = max(0, passed) * Double(TransportLimits.framesPerSecond)
            tokens = min(Double(TransportLimits.frameBurst), tokens + refill)
        }
        last = now
        tokens -= 1
        return tokens >= 1
    }
}
