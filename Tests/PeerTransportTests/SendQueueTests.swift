import SyncProtocol
import Testing

@testable import PeerTransport

/// Frames that are made when asked for.
///
/// Invariant for `@unchecked Sendable`: touched on the queue of its link only, once it was sent.
final class CountedFrames: FrameSource, @unchecked Sendable {
    private(set) var made = 0
    private let total: Int
    private let size: Int
    var onMake: () -> Void = {}

    init(total: Int, size: Int) {
        self.total = total
        self.size = size
    }

    func nextFrame() -> [UInt8]? {
        guard made < total else { return nil }
        onMake()
        defer { made += 1 }
        return CountedFrames.frame(made, size: size)
    }

    static func frame(_ number: Int, size: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
    }
}

@Suite("The send queue")
struct SendQueueTests {
    /// Everything that waits, decoded again.
    private func frames(_ queue: inout SendQueue, limit: Int) throws -> [[UInt8]] {
        var decoder = FrameDecoder()
        var frames: [[UInt8]] = []
        while let piece = try queue.nextPiece(limit: limit) {
            #expect(piece.count <= limit)
            decoder.append(piece)
            while let frame = try decoder.next() { frames.append(frame) }
        }
        #expect(decoder.isEmpty)
        return frames
    }

    @Test(
        "keeps the order of messages and series, whatever the pieces",
        arguments: [1, 7, 64, 65_536]
    )
    func order(limit: Int) throws {
        var queue = SendQueue()
        #expect(queue.append([1]) == true)
        queue.append(CountedFrames(total: 3, size: 50))
        #expect(queue.append([2, 2]) == true)
        queue.append(CountedFrames(total: 0, size: 1))
        let sent = try frames(&queue, limit: limit)
        #expect(sent == [[1]] + (0..<3).map { CountedFrames.frame($0, size: 50) } + [[2, 2]])
        #expect(queue.isEmpty)
        #expect(queue.messages == 0)
        #expect(queue.bytes == 0)
    }

    @Test("accepts 256 messages and not one more")
    func messageLimit() throws {
        var queue = SendQueue()
        for _ in 0..<Limits.queuedMessages { #expect(queue.append([1]) == true) }
        #expect(queue.append([1]) == false)
        #expect(queue.messages == Limits.queuedMessages)
        _ = try queue.nextPiece(limit: 5)
        #expect(queue.append([1]) == true)
        #expect(queue.append([1]) == false)
    }

    @Test("accepts 1 MiB and not one byte more")
    func byteLimit() throws {
        var queue = SendQueue()
        #expect(queue.append([UInt8](repeating: 1, count: Limits.queuedBytes - 1)) == true)
        #expect(queue.append([1, 2]) == false)
        #expect(queue.append([1]) == true)
        #expect(queue.append([1]) == false)
        _ = try queue.nextPiece(limit: 100)
        #expect(queue.append([1]) == false, "a message counts until its last byte is taken")
    }

    @Test("does not count a series, and evaluates it only as far as it is used")
    func seriesAreLazy() throws {
        var queue = SendQueue()
        let source = CountedFrames(total: 1_000, size: 60_000)
        queue.append(source)
        #expect(queue.messages == 0)
        #expect(source.made == 0)
        _ = try queue.nextPiece(limit: 65_536)
        #expect(source.made == 2)
        queue.removeAll()
        #expect(queue.isEmpty)
    }

    @Test("refuses a frame of a series that is too long")
    func oversize() {
        var queue = SendQueue()
        queue.append(CountedFrames(total: 1, size: Limits.frameBytes + 1))
        #expect(throws: FrameError.self) { try queue.nextPiece(limit: 10) }
    }
}
