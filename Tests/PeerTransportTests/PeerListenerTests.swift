import CPlatform
import Descriptors
import Dispatch
import QueueKit
import SyncProtocol
import Testing

@testable import PeerTransport

// Needs real time: the listener pauses.

@Suite("The listener")
struct PeerListenerTests {
    private let stage = Stage()
    private let short = LinkDurations(
        connect: .milliseconds(50),
        handshake: .milliseconds(50),
        goodbye: .milliseconds(50)
    )

    @Test("refuses plain HTTP and closes the connection")
    func plainHTTP() async throws {
        let host = Host(stage)
        let peer = try RawPeer(host.listen(), stage: stage)
        await stage.run { peer.send(Array("GET / HTTP/1.1\r\n\r\n".utf8)) }
        try await stage.wait(for: "the refusal") { host.refused.count == 1 && peer.isOver }
        let reason = await stage.run { host.refused.first }
        guard case .tls = reason else {
            Issue.record("refused by \(String(describing: reason))")
            return
        }
    }

    @Test("abandons a stranger that sends nothing, or too little")
    func silentStranger() async throws {
        let host = Host(stage)
        let endpoint = try host.listen(durations: short)
        let silent = try RawPeer(endpoint, stage: stage)
        let halting = try RawPeer(endpoint, stage: stage)
        let hello = try TLSMachine(role: .client(Keys.key())).drainOutput()
        await stage.run { halting.send(Array(hello.prefix(100))) }
        try await stage.wait(for: "both refusals") {
            host.refused == [.timedOut(.handshaking), .timedOut(.handshaking)]
        }
        try await stage.wait(for: "both ends") { silent.isOver && halting.isOver }
    }

    @Test("reads at most 16 KiB of an unauthenticated connection", arguments: [0, 1])
    func tooMuchBeforeTLS(excess: Int) async throws {
        let host = Host(stage)
        let peer = try RawPeer(host.listen(), stage: stage)
        // The beginning of a hello of 100,000 bytes, in records of 4,096.
        var bytes: [UInt8] = []
        while bytes.count < TransportLimits.handshakeBytes + excess {
            var record = [UInt8](repeating: 0x20, count: 4_096)
            if bytes.isEmpty { record.replaceSubrange(0..<4, with: [0x01, 0x01, 0x86, 0xA0]) }
            bytes += [0x16, 0x03, 0x01, 0x10, 0x00] + record
        }
        let sent = Array(bytes.prefix(TransportLimits.handshakeBytes + excess))
        await stage.run { peer.send(sent) }
        if excess > 0 {
            try await stage.wait(for: "the refusal") { host.refused == [.tooMuchBeforeTLS] }
        } else {
            try await stage.wait(for: "the bytes to go") { peer.hasSentAll }
            await stage.run { peer.cut() }
            try await stage.wait(for: "the refusal") { host.refused == [.cutOff] }
        }
    }

    @Test("a flood of 200 strangers uses only the slots for strangers; a linked peer works on")
    func flood() async throws {
        let linked = try await Linked(on: stage)
        let (host, dialler, acceptor) = (linked.host, linked.dialler, linked.acceptor)
        let endpoint = try #require(await stage.run { host.listener?.endpoint })
        let strangers = try (0..<200).map { number in
            try RawPeer(endpoint, from: IPAddress(ipv4: 0x7F00_0100 + UInt32(number)), stage: stage)
        }
        // 48 places for strangers, so 152 have to go, the oldest first.
        await stage.run { dialler.link?.send([1]) }
        try await stage.wait(for: "the evictions") {
            host.refused.count == 152 && acceptor.frames == [[1]]
        }
        await stage.run {
            #expect(host.refused.allSatisfy { $0 == .evicted })
            acceptor.link?.send([2])
        }
        try await stage.wait(for: "a frame during the flood") { dialler.frames == [[2]] }
        let newcomer = End(stage)
        let key = try Keys.key()
        await stage.run { newcomer.dial(endpoint, key) }
        try await stage.wait(for: "a newcomer with the key") { newcomer.identity != nil }
        await stage.run {
            #expect(acceptor.closed.isEmpty && dialler.closed.isEmpty)
            for stranger in strangers { stranger.cut() }
        }
        try await stage.wait(for: "the end of the flood") { host.refused.count == 200 }
    }

    @Test("keeps places for known addresses")
    func knownAddresses() async throws {
        let host = Host(stage)
        let endpoint = try host.listen()
        let known = IPAddress(ipv4: 0x7F00_0007)
        await stage.run { host.known = [known] }
        let friend = try RawPeer(endpoint, from: known, stage: stage)
        let strangers = try (0..<60).map { _ in try RawPeer(endpoint, stage: stage) }
        try await stage.wait(for: "the evictions") { host.refused.count == 12 }
        let key = try Keys.key()
        await stage.run { #expect(throws: Never.self) { try friend.startTLS(key) } }
        try await stage.wait(for: "the friend, the oldest of all") { host.ends.count == 1 }
        await stage.run { for stranger in strangers { stranger.cut() } }
    }

    @Test("pauses when descriptors run out, without spinning, and then continues accepting")
    func descriptorsRunOut() async throws {
        let host = Host(stage)
        let failures = Counter()
        let lastFailure = Instant()
        let endpoint = try host.listen { descriptor, peer in
            guard failures.count < 3 else {
                return platform_accept(descriptor, &peer)
            }
            failures.count += 1
            let now = DispatchTime.now().uptimeNanoseconds
            // Half of the rest, so that no clock can be too exact.
            #expect(now - lastFailure.nanoseconds >= 100_000_000, "tried again at once")
            lastFailure.nanoseconds = now
            return -EMFILE
        }
        let dialler = End(stage)
        let key = try Keys.key()
        await stage.run { dialler.dial(endpoint, key) }
        try await stage.wait(for: "the link") { dialler.identity != nil }
        await stage.run { #expect(failures.count == 3) }
    }

    @Test("listens at all addresses, and knows those of IPv4 by their own form")
    func everywhere() async throws {
        let host = Host(stage)
        let port = try host.listen(at: nil).port
        let key = try Keys.key()
        let ipv6 = IPAddress(high: 0, low: 1)
        // A machine without IPv6 has no such address.
        let probe = platform_tcp_socket(Endpoint(address: ipv6, port: 0).platform)
        let hasIPv6 = platform_bind(probe, Endpoint(address: ipv6, port: 0).platform) == 0
        if probe >= 0 { platform_close(probe) }
        for (count, address) in ([.loopback] + (hasIPv6 ? [ipv6] : [])).enumerated() {
            let dialler = End(stage)
            await stage.run { dialler.dial(Endpoint(address: address, port: port), key) }
            try await stage.wait(for: "the link") { host.ends.count == count + 1 }
            await stage.run { #expect(host.ends.last?.link?.remote.address == address) }
        }
    }

    @Test("uses the next port of its range if one is in use, and reports if none is free")
    func portRange() throws {
        try stage.queue.sync { try checkPortRange() }
    }

    @EventLoop
    private func checkPortRange() throws {
        let host = Host(stage)
        let first = try PeerListener(
            on: stage.queue,
            address: .loopback,
            ports: 0...0,
            delegate: host.delegate
        )
        let port = first.endpoint.port
        try #require(port < .max)
        #expect(throws: SystemError("listen on 127.0.0.1:\(port)", code: EADDRINUSE)) {
            try PeerListener(
                on: stage.queue,
                address: .loopback,
                ports: port...port,
                delegate: host.delegate
            )
        }
        let next = platform_ipv4(0x7F00_0001, port + 1)
        let neighbour = platform_tcp_socket(next)
        defer { platform_close(neighbour) }
        if platform_bind(neighbour, next) == 0 {
            let text = "listen on any TCP port from \(port) to \(port + 1)"
            #expect(throws: SystemError(text, code: EADDRINUSE)) {
                try PeerListener(
                    on: stage.queue,
                    address: .loopback,
                    ports: port...port + 1,
                    delegate: host.delegate
                )
            }
        }
        let second = try PeerListener(
            on: stage.queue,
            address: .loopback,
            ports: port...UInt16.max,
            delegate: host.delegate
        )
        #expect(second.endpoint.port > port)
    }

    @Test("stops listening and closes unauthenticated connections when it is closed; links stay")
    func closing() async throws {
        let linked = try await Linked(on: stage)
        let (host, dialler, acceptor) = (linked.host, linked.dialler, linked.acceptor)
        let endpoint = try #require(await stage.run { host.listener?.endpoint })
        let stranger = try RawPeer(endpoint, stage: stage)
        await stage.run { stranger.send([0x16]) }
        // The next one is accepted after the stranger.
        let second = End(stage)
        let key = try Keys.key()
        await stage.run { second.dial(endpoint, key) }
        try await stage.wait(for: "the second link") { host.ends.count == 2 }
        await stage.run { host.listener?.close() }
        try await stage.wait(for: "the stranger's end") { stranger.isOver }
        let late = End(stage)
        await stage.run {
            late.dial(endpoint, key)
            dialler.link?.send([1])
        }
        try await stage.wait(for: "both outcomes") {
            !late.closed.isEmpty && acceptor.frames == [[1]]
        }
    }
}

/// A moment that a closure remembers, on one queue.
private final class Instant: @unchecked Sendable {
    var nanoseconds: UInt64 = 0
}
