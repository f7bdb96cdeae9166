internal import CPlatform
internal import Descriptors
internal import SyncProtocol

/// From the owner to the socket.
extension TransportLink {
    /// The socket has room.
    func writable() {
        queue.requireCurrent()
        switch state {
        case .handshaking, .open, .closing: pump()
        case .connecting, .closed: break
        }
    }

    /// Writes until nothing waits or the socket takes no more.
    func pump() {
        guard let socket, let tls else { return }
        if case .connecting = state { return }
        while true {
            if outputStart == output.count {
                do throws(CloseReason) {
                    guard try refill(tls) else { break }
                } catch { return endWriting(error) }
            }
            let count = unsafe output.withUnsafeBytes { buffer in
                unsafe platform_send(
                    socket.descriptor,
                    buffer.baseAddress?.advanced(by: outputStart),
                    buffer.count - outputStart
                )
            }
            if platform_would_block(count) {
                owesDrained = true
                isBlocked = true
                return socket.startWriting { @Sendable [weak self] in self?.writable() }
            }
            guard count > 0 else {
                let error = SystemError("write to \(remote)", code: Int32(-count))
                return endWriting(.broken(error))
            }
            outputStart += count
            // Room where there was none means that the peer's machine has taken bytes: it is alive.
            // What goes into an empty socket says nothing about anybody.
            if isBlocked { heard() }
            isBlocked = false
            if case .closed = state { return }
        }
        socket.stopWriting()
        everythingWritten(socket, tls)
    }

    /// Ends the link for a failure of writing, unless it is ending for another reason already.
    private func endWriting(_ reason: CloseReason) {
        if case .closing(let first, _) = state { return end(first) }
        end(reason)
    }

    /// Puts the next bytes for the wire into `output`; false when there are none.
    private func refill(_ tls: TLSMachine) throws(CloseReason) -> Bool {
        if tls.status == .open || tls.status == .peerFinished, let piece = try nextPiece() {
            do throws(TLSFailure) { try tls.send(piece) } catch { throw .tls(error) }
        }
        output = tls.takeOutput()
        outputStart = 0
        return !output.isEmpty
    }

    private func nextPiece() throws(CloseReason) -> [UInt8]? {
        do throws(FrameError) {
            return try waiting.nextPiece(limit: TransportLimits.pieceBytes)
        } catch { throw .badFrame(error) }
    }

    private func everythingWritten(_ socket: DescriptorEvents, _ tls: TLSMachine) {
        switch state {
        case .connecting, .handshaking, .closed: break
        case .open:
            guard owesDrained, waiting.isEmpty else { return }
            owesDrained = false
            emit(.drained)
        case .closing(let reason, false):
            state = .closing(reason, hasFinished: true)
            tls.finish()
            pump()
        case .closing(_, true):
            platform_finish_writing(socket.descriptor)
        }
    }
}
