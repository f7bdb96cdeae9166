import SyncProtocol
import SyncTestKit
import Testing

struct FrameTests {
    @Test("a frame is its length, most significant byte first, and its payload")
    func golden() throws {
        #expect(try Frame.encode("{}".bytes) == [0, 0, 0, 2, 0x7B, 0x7D])
        let payload = [UInt8](repeating: 0x20, count: 0x1_0203)
        #expect(try Frame.encode(payload).prefix(4) == [0, 1, 2, 3])
    }

    @Test("a payload has from one byte to the limit")
    func encodingLimits() throws {
        let longest = [UInt8](repeating: 0x20, count: Limits.frameBytes)
        #expect(try Frame.encode(longest).count == Limits.frameBytes + Frame.headerBytes)
        #expect(throws: FrameError.empty) { _ = try Frame.encode([]) }
        let error = FrameError.tooLong(bytes: Limits.frameBytes + 1, limit: Limits.frameBytes)
        #expect(throws: error) { _ = try Frame.encode(longest + [0x20]) }
    }

    @Test("a length over the limit is rejected before the payload arrives")
    func decodingLimits() throws {
        var decoder = FrameDecoder(limit: 5)
        decoder.append([0, 0, 0, 5, 1, 2, 3, 4, 5])
        #expect(try decoder.next() == [1, 2, 3, 4, 5])
        decoder.append([0, 0, 0, 6])
        #expect(throws: FrameError.tooLong(bytes: 6, limit: 5)) { _ = try decoder.next() }
        var greatest = FrameDecoder()
        greatest.append([0xFF, 0xFF, 0xFF, 0xFF])
        let error = FrameError.tooLong(bytes: 0xFFFF_FFFF, limit: Limits.frameBytes)
        #expect(throws: error) { _ = try greatest.next() }
        var empty = FrameDecoder()
        empty.append([0, 0, 0, 0])
        #expect(throws: FrameError.empty) { _ = try empty.next() }
    }

    @Test("frames are decoded however the stream is split")
    func everySplit() throws {
        let payloads = ["{}", "[1,2,3]", "x", "{\"type\":\"ping\"}"].map(\.bytes)
        var stream: [UInt8] = []
        for payload in payloads { stream += try Frame.encode(payload) }
        for first in 0...stream.count {
            for second in first...stream.count {
                var decoder = FrameDecoder()
                var decoded: [[UInt8]] = []
                for piece in [stream[..<first], stream[first..<second], stream[second...]] {
                    decoder.append(piece)
                    while let payload = try decoder.next() { decoded.append(payload) }
                }
                #expect(decoded == payloads)
                #expect(decoder.isEmpty)
            }
        }
    }

    @Test("a stream may not end inside a frame")
    func unfinished() throws {
        let frame = try Frame.encode("{}".bytes)
        for length in 1..<frame.count {
            var decoder = FrameDecoder()
            decoder.append(frame[..<length])
            #expect(try decoder.next() == nil)
            #expect(!decoder.isEmpty)
        }
    }

    @Test("the limits are those of the documentation")
    func limits() {
        #expect(Limits.frameBytes == 2_097_152)
        #expect(Limits.deltaPartBytes == 65_536)
        #expect(Limits.deltaBytes == 75_497_472)
        #expect(Limits.announcementBytes == 512)
        #expect(Limits.jsonDepth == 32)
        #expect(Limits.largestInteger == 9_007_199_254_740_991)
        #expect(Limits.textBytes == 4096)
        #expect(Limits.sheetBytes == 262_144)
        #expect(Limits.keyBytes == 512)
        #expect(Limits.addresses == 64)
        #expect(Limits.actors == 4608)
        #expect(Limits.mergedBytes == 67_108_864)
        #expect(Limits.authorBytes == 50_331_648)
        #expect(Limits.nameBytes == 128)
        #expect(Ports.listening == 47_615...47_634)
    }
}
