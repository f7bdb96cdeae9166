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

/// What waits to be sent on one link, in order, and cut into pieces of plain bytes.
///
/// A value without input or output, so that its bounds are tested alone: at most
/// `Limits.queuedMessages` messages and `Limits.queuedBytes` bytes of payload wait. A message
/// counts until its last byte is taken; a `FrameSource` does not count, for it holds nothing yet.
struct SendQueue {
    private enum Item {
        case message([UInt8])
        case source(any FrameSource)
    }

    /// The items; those before `first` are gone.
    private var items: [Item] = []
    private var first = 0
    /// The frame that is being cut, and where the rest of it begins.
    private var frame: [UInt8] = []
    private var rest = 0
    /// The payload bytes that the frame being cut counts for; nil when a source made it.
    private var countedBytes: Int?

    /// The messages that wait, the one being cut included.
    private(set) var messages = 0
    /// Their payload bytes.
    private(set) var bytes = 0

    /// Whether nothing waits, not even a source.
    var isEmpty: Bool { first == items.count && rest == frame.count }

    /// Adds a message; false, and nothing added, when it would pass a bound.
    mutating func append(_ payload: [UInt8]) -> Bool {
        guard messages < Limits.queuedMessages,
            bytes + payload.count <= Limits.queuedBytes
        else { return false }
        messages += 1
        bytes += payload.count
        items.append(.message(payload))
        return true
    }

    /// Adds a series of frames behind what waits.
    mutating func append(_ source: any FrameSource) {
        items.append(.source(source))
    }

    /// Forgets everything.
    mutating func removeAll() {
        self = SendQueue()
    }

    /// The next plain bytes, at most `limit`; several small frames make one piece, for one call of
    /// the system.
    ///
    /// Nil when nothing waits.
    mutating func nextPiece(limit: Int) throws(FrameError) -> [UInt8]? {
        var piece: [UInt8] = []
        while piece.count < limit {
            if rest == frame.count, try !takeFrame() { break }
            let count = min(limit - piece.count, frame.count - rest)
            if piece.isEmpty, rest == 0, count == frame.count {
                piece = frame
            } else {
                piece.append(contentsOf: frame[rest..<rest + count])
            }
            rest += count
            if rest == frame.count { endFrame() }
        }
        return piece.isEmpty ? nil : piece
    }

    /// Makes the next frame the one that is cut; false when there is none.
    private mutating func takeFrame() throws(FrameError) -> Bool {
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
        rest = 0
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

/// A long series of frames that is made while it is sent: a resync of a whole session.
///
/// It waits in a link's queue as one item and is asked for the next payload when the socket has
/// taken the last, so that a large session needs little memory on the way.
package protocol FrameSource: AnyObject {
    /// The payload of the next frame, or nil when there is none left.
    ///
    /// Called on the link's queue; it must not call the link.
    func nextFrame() -> [UInt8]?
}
