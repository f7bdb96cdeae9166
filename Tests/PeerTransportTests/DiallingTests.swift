import CPlatform
import Descriptors
import Dispatch
import SyncProtocol
import Testing

@testable import PeerTransport

@Suite("Dialling")
struct DiallingTests {
    private let stage = Stage()
    private let short = LinkDurations(
        connect: .milliseconds(50),
        handshake: .milliseconds(50),
        goodbye: .milliseconds(50)
    )

    private func outcome(
        of key: PreSharedKey,
        at endpoint: Endpoint,
        _ durations: LinkDurations = .patient
    ) async throws -> CloseReason? {
        let dialler = End(stage)
        await stage.run { dialler.dial(endpoint, key, durations) }
        try await stage.wait(for: "the end of the attempt") { !dialler.closed.isEmpty }
        return await stage.run { dialler.closed.first }
    }

    @Test("a peer without the session differs from one with another key, at both ends")
    func wrongKeys() async throws {
        let host = Host(stage)
        let endpoint = try host.listen()
        let unknown = CloseReason.tls(.unknownIdentity("j:7Q"))
        #expect(try await outcome(of: Keys.key("j:7Q"), at: endpoint) == unknown)
        try await stage.wait(for: "the host's word") { host.refused == [unknown] }
        let wrong = CloseReason.tls(.wrongKey(identity: Keys.member))
        let otherKey = try Keys.key(secret: [UInt8](repeating: 8, count: 32))
        #expect(try await outcome(of: otherKey, at: endpoint) == wrong)
        try await stage.wait(for: "the host's word") { host.refused == [unknown, wrong] }
        await stage.run { #expect(host.ends.isEmpty) }
    }

    @Test("a port without a listener is unreachable")
    func nobodyListens() async throws {
        let quiet = try Quiet(isListening: false)
        guard case .unreachable(let error) = try await outcome(of: Keys.key(), at: quiet.endpoint)
        else {
            Issue.record("not unreachable")
            return
        }
        withExtendedLifetime(quiet) {}
        #expect(error.code == ECONNREFUSED)
        #expect("\(error)".contains("connect to 127.0.0.1:"))
    }

    @Test("an address that the system rejects at once is unreachable, reported after the call")
    func refusedAtOnce() async throws {
        let dialler = End(stage)
        let key = try Keys.key()
        await stage.run {
            dialler.dial(Endpoint(address: .max, port: 1), key)
            #expect(dialler.closed.isEmpty, "an event came from within a call of the owner")
        }
        try await stage.wait(for: "the end") { !dialler.closed.isEmpty }
        guard case .unreachable = await stage.run({ dialler.closed.first }) else {
            Issue.record("not unreachable")
            return
        }
    }

    @Test("a peer that accepts and sends nothing is abandoned")
    func silentPeer() async throws {
        let quiet = try Quiet(isListening: true)
        let impatient = LinkDurations(connect: .seconds(120), handshake: .milliseconds(50))
        let reason = try await outcome(of: Keys.key(), at: quiet.endpoint, impatient)
        #expect(reason == .timedOut(.handshaking))
        withExtendedLifetime(quiet) {}
    }

    @Test("a peer that does not accept the connection is given up")
    func fullBacklog() async throws {
        let quiet = try Quiet(isListening: true)
        // Its queue of one place is filled by two; the next gets no answer.
        let fillers = try (0..<2).map { _ in try RawPeer(quiet.endpoint, stage: stage) }
        let reason = try await outcome(of: Keys.key(), at: quiet.endpoint, short)
        #expect(reason == .timedOut(.connecting))
        await stage.run { for filler in fillers { filler.cut() } }
        withExtendedLifetime(quiet) {}
    }

    @Test("another attempt starts next to those in progress, later by itself or on request")
    func attempts() async throws {
        let quiet = try Quiet(isListening: true)
        let fillers = try (0..<2).map { _ in try RawPeer(quiet.endpoint, stage: stage) }
        let (dialler, key, counts) = (End(stage), try Keys.key(), Counts())
        await stage.run {
            dialler.dial(quiet.endpoint, key, .patient)
            counts.record(dialler)
            // The first has had no time for an answer.
            for _ in 0..<20 { dialler.link?.retryNow() }
            counts.record(dialler)
            // Nobody tells of an attempt, so that it is looked for when it is due.
            stage.queue.async(after: TransportLimits.minAttemptSpacing) {
                counts.record(dialler)
                dialler.link?.retryNow()
                counts.record(dialler)
            }
            stage.queue.async(after: TransportLimits.attemptSpacing * 3) {
                counts.record(dialler)
                for _ in 0..<20 { dialler.link?.retryNow() }
                dialler.link?.close()
                counts.record(dialler)
            }
        }
        try await stage.wait(for: "the end") { dialler.closed == [.local] }
        await stage.run {
            #expect(counts.seen.prefix(2) == [1, 1])
            // Twenty who hurry are one, and so is who comes right after.
            #expect(counts.seen.dropFirst(2).prefix(2) == [2, 2])
            #expect(counts.seen[4] ?? 0 > 2)
            #expect(counts.seen.last == 0)
            for filler in fillers { filler.cut() }
        }
        withExtendedLifetime(quiet) {}
    }

    @Test("at most twelve attempts run at once")
    func mostAttempts() async throws {
        let quiet = try Quiet(isListening: true)
        let fillers = try (0..<2).map { _ in try RawPeer(quiet.endpoint, stage: stage) }
        let (dialler, key) = (End(stage), try Keys.key())
        await stage.run {
            dialler.dial(quiet.endpoint, key, .patient)
            for _ in 0..<20 {
                dialler.link?.lastAttempt = nil
                dialler.link?.retryNow()
            }
            #expect(dialler.link?.attempts.count == TransportLimits.attempts)
            dialler.link?.close()
        }
        try await stage.wait(for: "the end") { dialler.closed == [.local] }
        await stage.run { for filler in fillers { filler.cut() } }
        withExtendedLifetime(quiet) {}
    }

    /// Numbers that were seen on the queue.
    @EventLoop
    private final class Counts {
        var seen: [Int?] = []

        nonisolated init() {}

        func record(_ dialler: End) { seen.append(dialler.link?.attempts.count) }
    }

    @Test("closing before the link is open ends it at once")
    func closeEarly() async throws {
        let quiet = try Quiet(isListening: true)
        let dialler = End(stage)
        let key = try Keys.key()
        await stage.run {
            dialler.dial(quiet.endpoint, key)
            dialler.link?.close()
        }
        try await stage.wait(for: "the end") { dialler.closed == [.local] }
        withExtendedLifetime(quiet) {}
    }
}

/// A port of loopback that never accepts anything.
private final class Quiet: Sendable {
    let endpoint: Endpoint
    private let descriptor: Int32

    init(isListening: Bool) throws {
        var local = platform_ipv4(0x7F00_0001, 0)
        descriptor = platform_tcp_socket(local)
        try #require(descriptor >= 0)
        try #require(platform_bind(descriptor, local) == 0)
        if isListening { try #require(platform_listen(descriptor, 0) == 0) }
        try #require(platform_local_address(descriptor, &local) == 0)
        endpoint = Endpoint(local)
    }

    deinit { platform_close(descriptor) }
}
