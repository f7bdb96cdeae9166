import Descriptors
import QueueKit
import SyncProtocol
import Testing

@testable import PeerTransport

/// The queue of a test, and conditions that are checked whenever something has
/// happened on it.
///
/// So a test waits for what it wants, bounded, without sleeping or polling.
@EventLoop
final class Stage {
    /// Long, because the machine may be busy; nothing waits for it when all is well.
    private static let patience = Duration.seconds(30)

    nonisolated let thread = QueueThread()
    nonisolated var queue: EventQueue { thread.queue }
    private var waiting: [Int: (condition: EventLoopCondition, end: (Bool) -> Void)] = [:]
    private var lastWait = 0

    typealias EventLoopCondition = @EventLoop () -> Bool

    nonisolated init() {}

    /// Does something on the queue.
    nonisolated func run<Value: Sendable>(
        _ body: @escaping @EventLoop () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                let value = body()
                changed()
                continuation.resume(returning: value)
            }
        }
    }

    /// Something has happened: looks at what is waited for.
    func changed() {
        for (id, wait) in waiting where wait.condition() {
            waiting[id] = nil
            wait.end(true)
        }
    }

    /// Waits until a condition, read on the queue, is true.
    nonisolated func wait(
        for what: Comment,
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: @escaping EventLoopCondition
    ) async throws {
        let isTrue = await withCheckedContinuation { continuation in
            queue.async { [self] in
                if condition() { return continuation.resume(returning: true) }
                lastWait += 1
                let id = lastWait
                waiting[id] = (condition, { continuation.resume(returning: $0) })
                queue.async(after: Stage.patience) { [self] in
                    waiting.removeValue(forKey: id)?.end(false)
                }
            }
        }
        try #require(isTrue, what, sourceLocation: sourceLocation)
    }
}

/// One end of a link, with everything that happened on it.
@EventLoop
final class End {
    let stage: Stage
    private(set) var link: TransportLink?
    private(set) var identity: String?
    private(set) var frames: [[UInt8]] = []
    private(set) var heard = 0
    private(set) var drained = 0
    private(set) var closed: [CloseReason] = []
    /// Called for each frame; the frame is then not kept.
    var onFrame: (([UInt8]) -> Void)?

    nonisolated init(_ stage: Stage) { self.stage = stage }

    /// Dials.
    func dial(_ remote: Endpoint, _ key: PreSharedKey, _ durations: LinkDurations = .patient) {
        link = TransportLink.dial(
            to: remote,
            key: key,
            on: stage.queue,
            durations: durations,
            onEvent: record
        )
    }

    /// Takes over a link that a listener has opened.
    func adopt(_ link: TransportLink, identity: String) {
        self.link = link
        self.identity = identity
        link.onEvent = record
    }

    /// Lets go of the link without closing it.
    func letGo() { link = nil }

    private func record(_ event: LinkEvent) {
        #expect(closed.isEmpty, "an event after the last one")
        switch event {
        case .opened(let identity, _): self.identity = identity
        case .frame(let payload):
            if let onFrame { onFrame(payload) } else { frames.append(payload) }
        case .heard: heard += 1
        case .drained: drained += 1
        case .closed(let reason): closed.append(reason)
        }
        stage.changed()
    }
}

/// A listener on a free loopback port, with what it accepted and refused.
@EventLoop
final class Host {
    let stage: Stage
    var keys: [String: [UInt8]]
    var known: Set<IPAddress> = []
    private(set) var ends: [End] = []
    private(set) var refused: [CloseReason] = []
    private(set) var listener: PeerListener?
    var prepare: (End) -> Void = { _ in }

    nonisolated init(_ stage: Stage, keys: [String: [UInt8]] = [Keys.member: Keys.secret]) {
        self.stage = stage
        self.keys = keys
    }

    var delegate: PeerListener.Delegate {
        PeerListener.Delegate(
            key: { [weak self] in self?.keys[$0].map { Secret($0) } },
            isKnown: { [weak self] in self?.known.contains($0) ?? false },
            opened: { [weak self] link, identity in
                guard let self else { return }
                let end = End(stage)
                prepare(end)
                end.adopt(link, identity: identity)
                ends.append(end)
                stage.changed()
            },
            refused: { [weak self] _, reason in
                guard let self else { return }
                refused.append(reason)
                stage.changed()
            }
        )
    }

    /// Listens; the endpoint to dial.
    nonisolated func listen(
        at address: IPAddress? = .loopback,
        durations: LinkDurations = .patient,
        accept: sending PeerListener.Accept? = nil
    ) throws -> Endpoint {
        try stage.queue.sync { try open(address, durations, accept) }
    }

    private func open(
        _ address: IPAddress?,
        _ durations: LinkDurations,
        _ accept: PeerListener.Accept?
    ) throws -> Endpoint {
        let listener =
            if let accept {
                try PeerListener(
                    on: stage.queue,
                    address: address,
                    ports: 0...0,
                    durations: durations,
                    delegate: delegate,
                    accept: accept
                )
            } else {
                try PeerListener(
                    on: stage.queue,
                    address: address,
                    ports: 0...0,
                    durations: durations,
                    delegate: delegate
                )
            }
        self.listener = listener
        return listener.endpoint
    }
}

extension LinkDurations {
    /// Limits that a busy machine does not reach between two steps of a test.
    static let patient = LinkDurations(
        connect: .seconds(900),
        handshake: .seconds(900),
        goodbye: .seconds(900)
    )
}

/// The keys of the tests.
enum Keys {
    static let member = "m:00112233445566778899aabbccddeeff"
    static let secret = [UInt8](repeating: 7, count: 32)

    static func key(
        _ identity: String = member,
        secret: [UInt8] = secret
    ) throws -> PreSharedKey {
        try #require(PreSharedKey(identity: identity, secret: Secret(secret)))
    }
}

/// A link that is open at both ends.
struct Linked {
    let host: Host
    let dialler: End
    let acceptor: End

    /// Links two ends on their stages.
    init(dialling: Stage, hosting: Stage) async throws {
        let host = Host(hosting)
        let dialler = End(dialling)
        let endpoint = try host.listen()
        let key = try Keys.key()
        await dialling.run { dialler.dial(endpoint, key) }
        try await dialling.wait(for: "the dialler to open") { dialler.identity != nil }
        try await hosting.wait(for: "the host to open") { host.ends.count == 1 }
        acceptor = try #require(await hosting.run { host.ends.first })
        self.host = host
        self.dialler = dialler
    }

    /// Links two ends on one stage.
    init(on stage: Stage) async throws { try await self.init(dialling: stage, hosting: stage) }
}
