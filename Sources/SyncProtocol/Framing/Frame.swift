/// The frame that carries every message, between peers and on the control socket: a length of four
/// bytes, most significant first, then that many bytes of UTF-8 JSON.
package enum Frame {
    /// The bytes before the payload.
    package static let headerBytes = 4

    /// Room for the length, behind which a payload is written.
    static let header = [UInt8](repeating: 0, count: headerBytes)

    /// The payload with its length before it, or an error when it is longer than a frame may be.
    package static func encode(
        _ payload: [UInt8],
        limit: Int = Limits.frameBytes
    ) throws(FrameError) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(headerBytes + payload.count)
        frame += header
        frame += payload
        try finish(&frame, limit: limit)
        return frame
    }

    /// Fills in the length of the payload behind the header.
    static func finish(_ frame: inout [UInt8], limit: Int) throws(FrameError) {
        let count = frame.count - headerBytes
        guard count > 0 else { throw .empty }
        guard count <= limit else { throw .tooLong(bytes: count, limit: limit) }
        for index in 0..<headerBytes {
            frame[index] = UInt8(truncatingIfNeeded: count >> (24 - 8 * index))
        }
    }
}

/// Why a frame was refused.
///
/// The stream that it came on cannot be read any further.
package enum FrameError: Error, Hashable, Sendable {
    /// The length says more bytes than the limit; nothing was allocated for them.
    case tooLong(bytes: Int, limit: Int)
    /// A frame without payload, which no message has.
    case empty
}

extension FrameError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong(let bytes, let limit):
            "a frame of \(bytes) bytes is longer than the limit of \(limit)"
        case .empty: "a frame without content"
        }
    }
}

/// Cuts a stream of bytes into the payloads of its frames.
///
/// It holds at most one unfinished frame and what came after it in the same read. The length is
/// compared with the limit before anything is kept for it, so a stranger cannot make it allocate.
package struct FrameDecoder: Sendable {
    private let limit: Int
    private var buffer: [UInt8] = []
    private var start = 0

    /// A decoder that refuses payloads longer than `limit` bytes.
    package init(limit: Int = Limits.frameBytes) { self.limit = limit }

    /// Whether no byte of an unfinished frame is held: where a stream may end cleanly.
    package var isEmpty: Bool { start == buffer.count }

    /// Takes the next bytes of the stream, in any pieces.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0, start == buffer.count || start > 1 << 16 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The payload of the next whole frame, or nil until more bytes come.
    package mutating func next() throws(FrameError) -> [UInt8]? {
        guard buffer.count - start >= Frame.headerBytes else { return nil }
        var length = 0
        for index in start..<start + Frame.headerBytes {
            length = length << 8 | Int(buffer[index])
        }
        guard length > 0 else { throw .empty }
        guard length <= limit else { throw .tooLong(bytes: length, limit: limit) }
        let first = start + Frame.headerBytes
        guard buffer.count - first >= length else { return nil }
        start = first + length
        return Array(buffer[first..<start])
    }
}
