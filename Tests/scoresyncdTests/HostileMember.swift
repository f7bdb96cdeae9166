import Descriptors
import LaptopKit
import PeerTransport
import QueueKit
import SessionCRDT
import SessionStore
import SyncProtocol
import SyncTestKit

@testable import scoresyncd

/// A member with a client of their own, who says whatever they like.
///
/// Invariant for `@unchecked Sendable`: everything is touched on the queue only.
final class HostileMember: @unchecked Sendable {
    /// The session that they are in.
    let session: SessionID
    private let thread = QueueThread()
    private let key: [UInt8]
    private let remote: Endpoint
    private var links: [TransportLink] = []
    private var decoder = PeerMessageDecoder()
    private var heard: [PeerMessage] = []
    private var opened = 0

    /// Payloads that are made as the link takes them.
    private final class Payloads: FrameSource {
        private var rest: [[UInt8]]

        init(_ payloads: [[UInt8]]) { rest = payloads.reversed() }

        func nextFrame() -> [UInt8]? { rest.popLast() }
    }

    /// Somebody who was invited to the only session of a laptop with a running daemon.
    init(invitedTo laptop: Laptop) throws {
        let guest = try Laptop("eve-laptop")
        try guest.start("--no-discovery")
        let code = try laptop.read(InviteReply.self, "session", "invite").code ?? ""
        let port = try laptop.read(StatusReply.self, "status").daemon.port
        try guest.run("join", code, "--peer", "127.0.0.1:\(port)")
        try guest.stop()
        var generator = SeededGenerator(seed: 1)
        let store = try SessionStore(directory: guest.home, using: &generator)
        guard let record = try store.sessions().first else { throw Failure("nothing was joined") }
        session = record.id
        key = record.key
        remote = Endpoint(address: 0x7F00_0001, port: UInt16(port))
    }

    /// Opens a link and says hello as a run of a device, by a clock that may be ahead.
    func link(
        as device: DeviceID = .random(),
        instance: InstanceID = .random(),
        speaking versions: ClosedRange<Int> = Versions.peer,
        clockAheadMilliseconds ahead: UInt64 = 0
    ) throws {
        let identity = LinkIdentity.member(session).description
        guard let key = PreSharedKey(identity: identity, secret: Secret(key)) else {
            throw Failure("no key")
        }
        let hello = Hello(
            versions: versions,
            features: [],
            session: session,
            device: device,
            instance: instance,
            name: "eve-laptop",
            port: 0,
            wallMilliseconds: Clock.wallMilliseconds + ahead,
            vector: VersionVector(),
            digest: Digest()
        )
        let before = counts.opened
        thread.queue.async { @Sendable [self] in
            let link = TransportLink.dial(to: remote, key: key, on: thread.queue) { [weak self] in
                self?.happened($0)
            }
            link.send(stream: Payloads(Array(PeerMessageEncoder(.hello(hello)))))
            links.append(link)
        }
        try eventually(within: .seconds(30), "a link") { counts.opened > before }
    }

    /// Says messages on the last link, as fast as it takes them.
    func send(_ messages: [PeerMessage]) {
        send(messages.flatMap { Array(PeerMessageEncoder($0)) })
    }

    /// Says whatever it is on the last link.
    func send(_ payloads: [[UInt8]]) {
        thread.queue.async { @Sendable [self] in links.last?.send(stream: Payloads(payloads)) }
    }

    /// Waits for a message of a kind.
    func wait(for what: String, _ isIt: @escaping (PeerMessage) -> Bool) throws {
        try eventually(within: .seconds(30), what) { counts.heard.contains(where: isIt) }
    }

    /// Whether a message of a kind has come.
    func hasHeard(_ isIt: (PeerMessage) -> Bool) -> Bool { counts.heard.contains(where: isIt) }

    private var counts: (opened: Int, heard: [PeerMessage]) {
        thread.queue.sync { (opened, heard) }
    }

    private func happened(_ event: LinkEvent) {
        switch event {
        case .opened: opened += 1
        case .frame(let payload):
            if let message = try? decoder.receive(payload) { heard.append(message) }
        case .heard, .drained, .closed: break
        }
    }
}
