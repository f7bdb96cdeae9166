internal import SyncProtocol

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
