internal import CPlatform
internal import Descriptors
internal import SyncProtocol

/// Writing: the path of frames from the owner to the socket.
extension TransportLink {
    /// Writes until the send queue is empty or the socket accepts no more.
    func pump() {
        switch state {
        case .connecting, .closed: return
        case .handshaking, .open, .closing: break
        }
        guard let socket, let tls else { return }
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
                needsDrainedEvent = true
                isBlocked = true
                return socket.startWriting { [weak self] in self?.pump() }
            }
            guard count > 0 else {
                let error = SystemError("write to \(remote)", code: Int32(-count))
                return endWriting(.broken(error))
            }
            outputStart += count
            // A full socket that has space again shows that the peer's machine has received bytes,
            // so it is alive. Writing to an empty socket shows nothing.
            if isBlocked { heard() }
            isBlocked = false
            if case .closed = state { return }
        }
        socket.stopWriting()
        everythingWritten(socket, tls)
    }

    /// Ends the link after a failed write, with the earlier reason if it is already closing.
    private func endWriting(_ reason: CloseReason) {
        if case .closing(let first, _) = state { return end(first) }
        end(reason)
    }

    /// Encrypts the next bytes into `output`; returns false if there are none.
    private func refill(_ tls: TLSMachine) throws(CloseReason) -> Bool {
        if tls.status == .open || tls.status == .peerFinished, let piece = try nextPiece() {
            do throws(TLSFailure) { try tls.send(piece) } catch { throw .tls(error) }
        }
        output = tls.drainOutput()
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
            guard needsDrainedEvent, waiting.isEmpty else { return }
            needsDrainedEvent = false
            emit(.drained)
        case .closing(let reason, false):
            state = .closing(reason, hasFinished: true)
            tls.finish()
            pump()
        case .closing(_, true): platform_finish_writing(socket.descriptor)
        }
    }
}

/// The send queue of one link, from which plain bytes are taken in pieces.
///
/// It holds at most `Limits.queuedMessages` messages and `Limits.queuedBytes` bytes of payload. A
/// message counts until its last byte is taken; a `FrameSource`, whose frames do not exist yet,
/// does not count.
struct SendQueue {
    private enum Item {
        case message([UInt8])
        case source(any FrameSource)
    }

    /// The queued items; those before index `first` were taken.
    private var items: [Item] = []
    private var first = 0
    /// The frame that is being taken, and the index of its next byte.
    private var frame: [UInt8] = []
    private var position = 0
    /// The payload bytes that the current frame counts as; nil if it came from a source.
    private var countedBytes: Int?

    /// The number of queued messages, including the current one.
    private(set) var messages = 0
    /// The number of payload bytes of the queued messages.
    private(set) var bytes = 0

    var isEmpty: Bool { first == items.count && position == frame.count }

    /// Appends a message; returns false and appends nothing if that would exceed a limit.
    mutating func append(_ payload: [UInt8]) -> Bool {
        guard messages < Limits.queuedMessages,
            bytes + payload.count <= Limits.queuedBytes
        else { return false }
        messages += 1
        bytes += payload.count
        items.append(.message(payload))
        return true
    }

    mutating func append(_ source: any FrameSource) { items.append(.source(source)) }

    mutating func removeAll() { self = SendQueue() }

    /// Removes and returns up to `limit` bytes; nil if the queue is empty.
    ///
    /// Several small frames are combined, to save system calls.
    mutating func nextPiece(limit: Int) throws(FrameError) -> [UInt8]? {
        var piece: [UInt8] = []
        while piece.count < limit {
            if position == frame.count, try !startFrame() { break }
            let count = min(limit - piece.count, frame.count - position)
            if piece.isEmpty, position == 0, count == frame.count {
                piece = frame
            } else {
                piece.append(contentsOf: frame[position..<position + count])
            }
            position += count
            if position == frame.count { endFrame() }
        }
        return piece.isEmpty ? nil : piece
    }

    /// Makes the next frame the current one; returns false if there is none.
    private mutating func startFrame() throws(FrameError) -> Bool {
        while first < items.count {
            switch items[first] {
            case .message(let payload):
                removeFirst()
                countedBytes = payload.count
                frame = try Frame.encode(payload)
                return true
            case .source(let source):
                guard let payload = source.nextFrame() else {
                    removeFirst()
                    continue
                }
                countedBytes = nil
                frame = try Frame.encode(payload)
                return true
            }
        }
        return false
    }

    private mutating func endFrame() {
        frame = []
        position = 0
        guard let count = countedBytes else { return }
        messages -= 1
        bytes -= count
        countedBytes = nil
    }

    private mutating func removeFirst() {
        first += 1
        if first == items.count {
            items.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= Limits.queuedMessages {
            items.removeFirst(first)
            first = 0
        }
    }
}

/// A long series of frames that are created while they are sent, such as a whole session.
///
/// It is one item of a send queue, and creates its next payload after the socket has accepted the
/// previous one, so that sending a large session needs little memory.
package protocol FrameSource: AnyObject {
    /// Returns the payload of the next frame, or nil if there is none left.
    ///
    /// Called on the link's queue; must not call methods of the link.
    func nextFrame() -> [UInt8]?
}
