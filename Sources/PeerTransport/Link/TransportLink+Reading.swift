internal import CPlatform
internal import Descriptors
internal import SyncProtocol

/// From the socket to the owner.
extension TransportLink {
    private enum Reading {
        /// What TLS released, and whether more may have arrived meanwhile.
        case bytes([UInt8], isShare: Bool)
        case nothing
        case over(CloseReason)
    }

    /// The socket has bytes, or its end.
    ///
    /// Reads until there are none, but leaves others their turn after a good share.
    func readable() {
        queue.requireCurrent()
        for _ in 0..<TransportLimits.turnsPerEvent {
            switch state {
            case .connecting, .closed: return
            case .handshaking, .open:
                guard !isResting, readSome() else { return }
            case .closing:
                guard discardSome() else { return }
            }
        }
    }

    /// Reads once; false when there is nothing more to read yet, or ever.
    ///
    /// What comes later is told again.
    private func readSome() -> Bool {
        guard let socket, let tls else { return false }
        let isHandshaking = tls.status == .handshaking
        // One byte more than allowed, to see that there is more than allowed.
        let capacity =
            isHandshaking
            ? TransportLimits.unprovenBytes - unprovenBytes + 1 : TransportLimits.readBytes
        let reading = unsafe withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 16) {
            buffer -> Reading in
            let count = unsafe platform_receive(socket.descriptor, buffer.baseAddress, capacity)
            guard count > 0 else { return self.reading(withoutBytes: count) }
            if isHandshaking { unprovenBytes += count }
            do throws(TLSFailure) {
                return unsafe .bytes(
                    try tls.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])),
                    isShare: count == capacity
                )
            } catch { return .over(.tls(error)) }
        }
        switch reading {
        case .nothing: return false
        case .over(let reason):
            fail(reason)
            return true
        case .bytes(let plain, let isShare):
            advance(plain, isHandshaking: isHandshaking)
            return isShare
        }
    }

    private func reading(withoutBytes result: Int) -> Reading {
        if platform_would_block(result) { return .nothing }
        if result == 0 { return .over(.cutOff) }
        return .over(.broken(SystemError("read from \(remote)", code: Int32(-result))))
    }

    /// Looks at how far TLS has come, and hands out what it released.
    private func advance(_ plain: [UInt8], isHandshaking: Bool) {
        guard let tls else { return }
        if isHandshaking {
            if tls.status == .handshaking, unprovenBytes > TransportLimits.unprovenBytes {
                return end(.tooMuchBeforeTLS)
            }
            if tls.status != .handshaking, let identity = tls.identity {
                state = .open
                setTimer(nil)
                // What the owner says now travels together with the last bytes of the handshake.
                emit(.opened(identity: identity, remote: remote))
            }
            pump()
        } else if !tls.hasNoOutput {
            // A key update asks for an answer.
            pump()
        }
        guard !plain.isEmpty else { return endIfPeerHas() }
        decoder.append(plain)
        deliver()
    }

    /// Ends the link once everything was handed out that the peer said before its goodbye.
    private func endIfPeerHas() {
        guard case .open = state, !isResting, tls?.status == .peerFinished else { return }
        let reason = decoder.isEmpty ? CloseReason.byPeer : .cutOff
        state = .closing(reason, hasFinished: false)
        waiting.removeAll()
        pump()
        end(reason)
    }

    /// Hands out the frames that are whole, as many as the link may bring at a time.
    private func deliver() {
        var hasDelivered = false
        do throws(FrameError) {
            while case .open = state, !isResting, let payload = try decoder.next() {
                hasDelivered = true
                if !allowance.spend(at: .now) { rest() }
                emit(.frame(payload))
            }
        } catch { return fail(.badFrame(error)) }
        if !hasDelivered { heard() }
        endIfPeerHas()
    }

    /// Reads nothing for a moment: what the peer sends waits on its side, and others have their
    /// turn.
    private func rest() {
        isResting = true
        socket?.pauseReading(for: TransportLimits.frameRest)
        queue.async(after: TransportLimits.frameRest) { @Sendable [weak self] in
            guard let self else { return }
            isResting = false
            deliver()
        }
    }

    /// Reports that bytes moved, at most once per second.
    func heard() {
        let now = SuspendingClock.now
        guard case .open = state,
            lastHeard.map({ $0.duration(to: now) >= TransportLimits.heardInterval }) ?? true
        else { return }
        lastHeard = now
        emit(.heard)
    }

    /// Something went wrong; tells the peer why when TLS has an alert for it.
    func fail(_ reason: CloseReason) {
        switch (reason, tls?.hasNoOutput ?? true) {
        case (.tls, false), (.badFrame, _):
            waiting.removeAll()
            beginClosing(reason)
        default: end(reason)
        }
    }

    /// Throws away what comes while saying goodbye, until the peer's end of stream.
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

/// How many frames of a link are read: a burst, and then so many a second.
///
/// A member who sends without end would otherwise hold up all others, who share the queue. Nothing
/// is lost by it: what is not read yet waits where it comes from. A value without a clock of its
/// own, so that its bounds are tested alone.
struct FrameAllowance {
    private var left = Double(TransportLimits.framesAtOnce)
    private var last: SuspendingClock.Instant?

    /// Counts a frame that is read then; whether the next may be read at once.
    mutating func spend(at now: SuspendingClock.Instant) -> Bool {
        if let last {
            let passed = last.duration(to: now) / .seconds(1)
            let more = max(0, passed) * Double(TransportLimits.framesPerSecond)
            left = min(Double(TransportLimits.framesAtOnce), left + more)
        }
        last = now
        left -= 1
        return left >= 1
    }
}
