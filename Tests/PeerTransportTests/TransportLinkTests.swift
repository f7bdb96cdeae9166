import CPlatform
import Dispatch
import QueueKit
import SyncProtocol
import Testing

@testable import PeerTransport

// Needs real time: a link sends a beat each second.

@Suite("A link")
struct TransportLinkTests {
    private let stage = Stage()

    @Test("opens with the identity of the key, and carries frames both ways in order")
    func framesBothWays() async throws {
        let linked = try await Linked(on: stage)
        let (dialler, acceptor) = (linked.dialler, linked.acceptor)
        let toHost = (1...100).map { [UInt8](repeating: UInt8($0), count: $0 * 37) }
        await stage.run {
            for payload in toHost { dialler.link?.send(payload) }
            acceptor.link?.send([9])
        }
        try await stage.wait(for: "all frames") {
            acceptor.frames.count == 100 && dialler.frames.count == 1
        }
        await stage.run {
            #expect(acceptor.frames == toHost)
            #expect(dialler.frames == [[9]])
            #expect(dialler.identity == Keys.member)
            #expect(acceptor.identity == Keys.member)
            #expect(dialler.closed.isEmpty && acceptor.closed.isEmpty)
        }
    }

    @Test("sends frames queued before it was open, and the longest frame")
    func sendsEarly() async throws {
        let host = Host(stage)
        let dialler = End(stage)
        let endpoint = try host.listen()
        let key = try Keys.key()
        let long = [UInt8](repeating: 5, count: Limits.queuedBytes)
        await stage.run {
            dialler.dial(endpoint, key)
            dialler.link?.send(long)
            dialler.link?.send(stream: CountedFrames(total: 1, size: Limits.frameBytes))
        }
        try await stage.wait(for: "the frames") {
            host.ends.first?.frames.map(\.count) == [Limits.queuedBytes, Limits.frameBytes]
        }
    }

    @Test("sends everything that waits before it closes, then a goodbye that is not like a cut")
    func goodbye() async throws {
        let linked = try await Linked(on: stage)
        let (dialler, acceptor) = (linked.dialler, linked.acceptor)
        await stage.run {
            dialler.link?.send(stream: CountedFrames(total: 20, size: 60_000))
            dialler.link?.send([1])
            dialler.link?.close()
            dialler.letGo()
        }
        try await stage.wait(for: "both ends to close") {
            !dialler.closed.isEmpty && !acceptor.closed.isEmpty
        }
        await stage.run {
            #expect(acceptor.frames.count == 21)
            #expect(acceptor.frames.last == [1])
            #expect(dialler.closed == [.local])
            #expect(acceptor.closed == [.byPeer])
        }
    }

    @Test("reads a flood of frames at a bounded rate, in order, and loses none, nor the goodbye")
    func flood() async throws {
        let linked = try await Linked(on: stage)
        let (dialler, acceptor) = (linked.dialler, linked.acceptor)
        let total = 3 * TransportLimits.frameBurst
        let start = SuspendingClock.now
        await stage.run {
            dialler.link?.send(stream: CountedFrames(total: total, size: 12))
            dialler.link?.close()
        }
        try await stage.wait(for: "the end") { !acceptor.closed.isEmpty }
        let seconds = start.duration(to: .now) / .seconds(1)
        let most = Double(TransportLimits.frameBurst + 1)
        let expected = (0..<total).map { CountedFrames.frame($0, size: 12) }
        await stage.run {
            #expect(acceptor.frames == expected)
            #expect(acceptor.closed == [.byPeer])
        }
        #expect(Double(total) <= most + seconds * Double(TransportLimits.framesPerSecond))
    }

    @Test("detects that the peer died")
    func peerDies() async throws {
        let linked = try await Linked(on: stage)
        let (dialler, acceptor) = (linked.dialler, linked.acceptor)
        await stage.run { acceptor.link?.abort() }
        try await stage.wait(for: "the end") { !dialler.closed.isEmpty }
        await stage.run {
            #expect(acceptor.closed == [.local])
            #expect(dialler.closed == [.cutOff])
        }
    }

    @Test("is cut when its owner releases it")
    func letGo() async throws {
        let linked = try await Linked(on: stage)
        let (dialler, acceptor) = (linked.dialler, linked.acceptor)
        await stage.run { dialler.letGo() }
        try await stage.wait(for: "the end") { acceptor.closed == [.cutOff] }
        await stage.run { #expect(dialler.closed.isEmpty) }
    }

    @Test("sends 40 MB to a slow reader in bounded memory, and reports when it is sent")
    func slowReader() async throws {
        let reading = Stage()
        let linked = try await Linked(dialling: stage, hosting: reading)
        let (dialler, acceptor) = (linked.dialler, linked.acceptor)
        let (total, size) = (640, 65_000)
        let source = CountedFrames(total: total, size: size)
        let received = Counter()
        await reading.run {
            acceptor.onFrame = { frame in
                let expected =
                    received.count < total ? CountedFrames.frame(received.count, size: size) : [1]
                let isNext = frame == expected
                #expect(isNext, "frame \(received.count)")
                received.count += 1
                reading.changed()
            }
        }
        let resume = reading.thread.suspend()
        await stage.run {
            guard let link = dialler.link else { return }
            source.onMake = { [weak link] in
                #expect((link?.output.count ?? 0) <= TransportLimits.pieceBytes + 1_024)
            }
            link.send(stream: source)
            link.send([1])
            #expect(link.backlog.messages == 1)
            #expect(link.backlog.bytes == 1)
            // Everything that is not in the hands of the kernel is still unmade.
            #expect(link.outputStart < link.output.count, "the reader is not slow")
            #expect(source.made < total / 2)
        }
        resume()
        try await reading.wait(for: "all frames") { received.count == total + 1 }
        try await stage.wait(for: "the news that all has gone") { dialler.drained == 1 }
        await stage.run { #expect(dialler.link?.backlog.messages == 0) }
    }

    @Test("gives up a peer that reads too slowly for the queue")
    func peerTooSlow() async throws {
        let reading = Stage()
        let linked = try await Linked(dialling: stage, hosting: reading)
        let (dialler, acceptor) = (linked.dialler, linked.acceptor)
        let resume = reading.thread.suspend()
        await stage.run {
            guard let link = dialler.link else { return }
            // A series does not count, so that it can fill the socket.
            link.send(stream: CountedFrames(total: 640, size: 65_000))
            for _ in 0..<Limits.queuedMessages { link.send([1]) }
            #expect(link.backlog.messages == Limits.queuedMessages)
            #expect(dialler.closed.isEmpty)
            link.send([1])
            #expect(dialler.closed.isEmpty, "an event came from within a call of the owner")
        }
        resume()
        try await stage.wait(for: "the end") { dialler.closed == [.peerTooSlow] }
        try await reading.wait(for: "the end there") { !acceptor.closed.isEmpty }
    }

    @Test("ignores frames after the end, and ends once")
    func afterTheEnd() async throws {
        let linked = try await Linked(on: stage)
        let dialler = linked.dialler
        await stage.run {
            let link = dialler.link
            link?.abort()
            link?.send([1])
            link?.send(stream: CountedFrames(total: 1, size: 1))
            link?.close()
            link?.abort()
        }
        try await stage.wait(for: "the end") { dialler.closed == [.local] }
    }

    @Test("rejects a frame that no peer would accept")
    func oversizeFromHere() async throws {
        let linked = try await Linked(on: stage)
        let dialler = linked.dialler
        let bytes = Limits.frameBytes + 1
        await stage.run { dialler.link?.send([UInt8](repeating: 0, count: bytes)) }
        try await stage.wait(for: "the end") {
            dialler.closed == [.badFrame(.tooLong(bytes: bytes, limit: Limits.frameBytes))]
        }
    }

    @Test("reports progress of a long frame, once per second")
    func heard() async throws {
        let host = Host(stage)
        let peer = try RawPeer(host.listen(), stage: stage)
        let key = try Keys.key()
        await stage.run { #expect(throws: Never.self) { try peer.startTLS(key) } }
        try await stage.wait(for: "TLS") { peer.isOpen && host.ends.count == 1 }
        let start = DispatchTime.now().uptimeNanoseconds
        for byte: UInt8 in [0, 0, 0, 5] {
            await stage.run { #expect(throws: Never.self) { try peer.sendPlain([byte]) } }
        }
        try await stage.wait(for: "a sign of life") { (host.ends.first?.heard ?? 0) > 0 }
        await stage.run {
            #expect(throws: Never.self) { try peer.sendPlain([1, 2, 3, 4, 5]) }
        }
        try await stage.wait(for: "the frame") { host.ends.first?.frames == [[1, 2, 3, 4, 5]] }
        let seconds = (DispatchTime.now().uptimeNanoseconds - start) / 1_000_000_000
        await stage.run { #expect((host.ends.first?.heard ?? 0) <= Int(seconds) + 1) }
    }

    @Test("does not count bytes into an empty socket as a sign of life")
    func sentIsNotHeard() async throws {
        let reading = Stage()
        let linked = try await Linked(dialling: stage, hosting: reading)
        let (dialler, acceptor) = (linked.dialler, linked.acceptor)
        await stage.run { dialler.link?.send(stream: CountedFrames(total: 3, size: 100)) }
        try await stage.wait(for: "the news that all has gone") { dialler.drained == 1 }
        try await reading.wait(for: "the frames") { acceptor.frames.count == 3 }
        await stage.run { #expect(dialler.heard == 0) }
    }

    @Test("rejects a frame with an excessive length before it has arrived")
    func oversizeFromThere() async throws {
        let host = Host(stage)
        let peer = try RawPeer(host.listen(), stage: stage)
        let key = try Keys.key()
        await stage.run { #expect(throws: Never.self) { try peer.startTLS(key) } }
        try await stage.wait(for: "TLS") { peer.isOpen && host.ends.count == 1 }
        await stage.run { #expect(throws: Never.self) { try peer.sendPlain([0, 0x20, 0, 1]) } }
        try await stage.wait(for: "the end") {
            host.ends.first?.closed
                == [.badFrame(.tooLong(bytes: (2 << 20) + 1, limit: Limits.frameBytes))]
        }
        try await stage.wait(for: "the end there") { peer.isOver }
    }

    @Test("distinguishes a connection that ends within a frame from a goodbye")
    func cutWithinFrame() async throws {
        let host = Host(stage)
        let peer = try RawPeer(host.listen(), stage: stage)
        let key = try Keys.key()
        await stage.run { #expect(throws: Never.self) { try peer.startTLS(key) } }
        try await stage.wait(for: "TLS") { peer.isOpen && host.ends.count == 1 }
        await stage.run {
            #expect(throws: Never.self) { try peer.sendPlain([0, 0, 0, 9, 1]) }
            peer.cut()
        }
        try await stage.wait(for: "the end") { host.ends.first?.closed == [.cutOff] }
    }
}

/// A number that closures share.
final class Counter: @unchecked Sendable {
    var count = 0
}
