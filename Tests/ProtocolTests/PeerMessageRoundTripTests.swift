import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

struct PeerMessageRoundTripTests {
    @Test("what is encoded is decoded to the same", arguments: [1, 2, 3, 4] as [UInt64])
    func roundTrips(_ seed: UInt64) throws {
        var samples = WireSamples(seed: seed)
        var decoder = PeerMessageDecoder()
        for _ in 0..<400 {
            let message = samples.message()
            var decoded: PeerMessage?
            for payload in PeerMessageEncoder(message) { decoded = try decoder.receive(payload) }
            #expect(decoded == message, "seed \(seed)")
        }
    }

    @Test("the same message has the same bytes each time")
    func determinism() {
        var first = WireSamples(seed: 5)
        var second = WireSamples(seed: 5)
        for _ in 0..<100 {
            let messages = [first.message(), second.message()]
            #expect(messages[0] == messages[1])
            let texts = messages.map { message in
                PeerMessageEncoder(message).map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(texts[0] == texts[1])
        }
    }

    @Test("messages survive every split of their stream")
    func splits() throws {
        var samples = WireSamples(seed: 6)
        let messages = (0..<12).map { _ in samples.message() }
        var stream: [UInt8] = []
        for message in messages {
            for payload in PeerMessageEncoder(message) { stream += try Frame.encode(payload) }
        }
        for size in [1, 2, 3, 5, 7, 64, 1000, stream.count] {
            var frames = FrameDecoder()
            var decoder = PeerMessageDecoder()
            var decoded: [PeerMessage] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                frames.append(stream[start..<min(start + size, stream.count)])
                while let payload = try frames.next() {
                    if let message = try decoder.receive(payload) { decoded.append(message) }
                }
            }
            #expect(decoded == messages, "pieces of \(size)")
            #expect(frames.isEmpty)
        }
    }

    @Test("values beyond the limits of the wire are cut to them")
    func cuts() throws {
        let endless = String(repeating: "é", count: 1000)
        let error = PeerMessage.error(PeerError(code: "a\nb", text: endless))
        let shorter = PeerMessage.error(
            PeerError(code: "ab", text: String(repeating: "é", count: 256))
        )
        var decoder = PeerMessageDecoder()
        for payload in PeerMessageEncoder(error) {
            #expect(try decoder.receive(payload) == shorter)
        }
        for payload in PeerMessageEncoder(.ping(.max)) {
            #expect(try decoder.receive(payload) == .ping(Dot.lastSequence))
        }
    }

    @Test("a name loses its control characters")
    func printable() {
        #expect(PrintableText.cleaned("a\u{1B}[2Jb\n\u{202E}c\u{9B}🎲", limit: 100) == "a[2Jbc🎲")
        #expect(PrintableText.cleaned("abcé", limit: 4) == "abc")
        #expect(PrintableText.cleaned("abcé", limit: 5) == "abcé")
        #expect(PrintableText.cleaned("", limit: 0) == "")
    }
}
