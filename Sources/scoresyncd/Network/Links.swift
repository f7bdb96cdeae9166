import Descriptors
import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// Connections with members that come and go: owns those that are open and those under way.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class Links: @unchecked Sendable {
    private var links: [LinkID: PeerLink] = [:]
    /// Dials under way, which must be kept until they end.
    private var dials: [LinkID: TransportLink] = [:]
    private var unfinished = UnfinishedDeltas()
    /// What came of the last dials.
    private(set) var results = DialResults()
    private var lastLink: UInt64 = 0
    private let sessions: SessionCatalog
    private let loop: EngineLoop
    private let log: Log
    private let queue: EventQueue

    init(_ sessions: SessionCatalog, _ loop: EngineLoop, _ log: Log, on queue: EventQueue) {
        self.sessions = sessions
        self.loop = loop
        self.log = log
        self.queue = queue
    }

    /// Whether nobody is linked.
    var isEmpty: Bool { links.isEmpty }

    /// Says something to a peer.
    func send(_ message: PeerMessage, to link: LinkID) { links[link]?.send(message) }

    /// Closes a link once everything said is on its way.
    func close(_ link: LinkID) {
        links.removeValue(forKey: link)?.close()
        _ = unfinished.note(0, of: link, from: 0, at: 0)
    }

    /// Gives up the links on which a delta does not get on.
    func dropStalled() {
        for link in unfinished.takeStalled(at: Clock.now.uptime) {
            refuse(link, "the parts of a delta come too slowly")
        }
    }

    private func refuse(_ link: LinkID, _ text: String) {
        let error = PeerError(code: PeerError.tooMuch, text: text)
        loop.handle(.unreadable(link, error, isFatal: true))
    }

    // MARK: Who comes in

    /// The key of a session, by which its members come in.
    func key(of session: SessionID) -> Secret? { sessions[session]?.facts.key }

    /// Whether an address is known as one of a member of some session.
    func isOfMember(_ address: UInt32) -> Bool { sessions.isOfMember(address) }

    /// A member came in.
    func accept(_ transport: TransportLink, _ session: SessionID) {
        open(transport, as: next(), session, transport.remote, .accepted)
    }

    // MARK: Who is called

    /// Connects with a session's key.
    func dial(_ endpoint: Endpoint, for session: SessionID) {
        let identity = LinkIdentity.member(session).description
        guard
            let key = key(of: session).flatMap({ PreSharedKey(identity: identity, secret: $0) })
        else { return loop.handle(.dialFailed(session, endpoint, .unreachable)) }
        let id = next()
        dials[id] = TransportLink.dial(to: endpoint, key: key, on: queue) { [self] event in
            switch event {
            case .opened:
                guard let transport = dials.removeValue(forKey: id) else { return }
                note(.linked, nil, of: endpoint, for: session)
                open(transport, as: id, session, endpoint, .dialled)
            case .closed(let reason):
                guard dials.removeValue(forKey: id) != nil else { return }
                log.write(.debug, from: .others, "dialling \(endpoint): \(reason)")
                note(Diagnosis.Outcome(reason), "\(reason)", of: endpoint, for: session)
                loop.handle(.dialFailed(session, endpoint, DialFailure(reason)))
            case .frame, .heard, .drained: break
            }
        }
    }

    private func note(
        _ outcome: Diagnosis.Outcome,
        _ text: String?,
        of endpoint: Endpoint,
        for session: SessionID
    ) {
        let result = DialResults.Result(outcome: outcome, text: text, uptime: Clock.now.uptime)
        results.note(result, of: endpoint, for: session)
    }

    /// The network has changed, or one machine was heard: tries again at once what is under way.
    func hurry(to endpoint: Endpoint? = nil) {
        for (_, dial) in dials.sorted(by: { $0.key < $1.key })
        where endpoint == nil || dial.remote == endpoint {
            dial.hurry()
        }
    }

    private func next() -> LinkID {
        lastLink += 1
        return LinkID(lastLink)
    }

    private func open(
        _ transport: TransportLink,
        as id: LinkID,
        _ session: SessionID,
        _ remote: Endpoint,
        _ side: LinkSide
    ) {
        let link = PeerLink(transport)
        links[id] = link
        transport.onEvent = { [self] event in
            switch event {
            case .frame(let payload):
                loop.handle(link.read(payload, from: id))
                bound(link, id, remote)
            case .heard: loop.handle(.heard(id))
            case .closed(let reason):
                log.write(.debug, from: .others, "link \(id.number) to \(remote): \(reason)")
                // A link that the engine closed is gone from the table and not lost.
                _ = unfinished.note(0, of: id, from: 0, at: 0)
                if links.removeValue(forKey: id) != nil { loop.handle(.unlinked(id)) }
            case .opened, .drained: break
            }
        }
        loop.handle(.linked(id, session, remote, side))
    }

    /// Bounds the memory that deltas take which are not complete.
    private func bound(_ link: PeerLink, _ id: LinkID, _ remote: Endpoint) {
        guard links[id] != nil else { return }
        let (bytes, now) = (link.unfinishedBytes, Clock.now.uptime)
        for greedy in unfinished.note(bytes, of: id, from: remote.address, at: now) {
            refuse(greedy, "unfinished deltas take too much memory here")
        }
    }
}

extension DialFailure {
    /// What the end of a connection says about who is there.
    init(_ reason: CloseReason) {
        switch reason {
        case .tls(.unknownIdentity): self = .unknownSession
        case .tls(.wrongKey): self = .wrongKey
        case .tls, .local, .byPeer, .cutOff, .unreachable, .broken, .timedOut, .tooMuchBeforeTLS,
            .badFrame, .peerTooSlow, .evicted:
            self = .unreachable
        }
    }
}
