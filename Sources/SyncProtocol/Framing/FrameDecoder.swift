/// Cuts a stream of bytes into the payloads of its frames.
///
/// It holds at most one unfinished frame and what came after it in the same read. The length is
/// compared with the limit before anything is kept for it, so a stranger cannot make it allocate.
package struct FrameDecoder: Sendable {
    private let limit: Int
    private var buffer: [UInt8] = []
    private var start = 0

    /// A decoder that refuses payloads longer than `limit` bytes.
    package init(limit: Int = Limits.frameBytes) {
        self.limit = limit
    }

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
