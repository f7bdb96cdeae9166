/// The framing of all messages between peers and on the control socket: a big-endian length of
/// four bytes, then that many bytes of UTF-8 JSON.
package enum Frame {
    package static let headerBytes = 4

    /// A placeholder for the length; the payload is appended to it.
    static let header = [UInt8](repeating: 0, count: headerBytes)

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

    /// Replaces the placeholder by the length of the payload.
    static func finish(_ frame: inout [UInt8], limit: Int) throws(FrameError) {
        let count = frame.count - headerBytes
        guard count > 0 else { throw .empty }
        guard count <= limit else { throw .tooLong(bytes: count, limit: limit) }
        for index in 0..<headerBytes {
            frame[index] = UInt8(truncatingIfNeeded: count >> (24 - 8 * index))
        }
    }
}

/// The reason why a frame was rejected; the stream after it cannot be read.
package enum FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The length exceeds the limit; no memory was allocated for it.
    case tooLong(bytes: Int, limit: Int)
    case empty

    package var description: String {
        switch self {
        case .tooLong(let bytes, let limit):
            "a frame of \(bytes) bytes is longer than the limit of \(limit)"
        case .empty: "a frame without content"
        }
    }
}

/// Splits a stream of bytes into the payloads of its frames.
///
/// It buffers at most one incomplete frame and the rest of the last read. The length is checked
/// before memory is allocated for the frame.
package struct FrameDecoder: Sendable {
    private let limit: Int
    private var buffer: [UInt8] = []
    private var start = 0

    package init(limit: Int = Limits.frameBytes) { self.limit = limit }

    /// Whether no incomplete frame is buffered, so that the stream may end.
    package var isEmpty: Bool { start == buffer.count }

    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0, start == buffer.count || start > 1 << 16 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the payload of the next frame; nil if none is complete.
    package mutating func next() throws(FrameError) -> [UInt8]? {
        guard buffer.count - start >= Frame.headerBytes else { return nil }
        var length = 0
        for index in start..<start + Frame.headerBytes { length = length << 8 | Int(buffer[index]) }
        guard length > 0 else { throw .empty }
        guard length <= limit else { throw .tooLong(bytes: length, limit: limit) }
        let first = start + Frame.headerBytes
        guard buffer.count - first >= length else { return nil }
        start = first + length
        return Array(buffer[first..<start])
    }
}
