import CPlatform
import Descriptors
import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// Owns the connections to members, both open ones and dials in progress.
@EventLoop
final class Links: DaemonPart {
    /// The result of a dial, which `scorectl doctor` shows.
    struct DialResult: Hashable {
        let outcome: Diagnosis.Outcome
        /// The error as a text; nil if the dial succeeded.
        let text: String?
        let uptime: UInt64
    }

    /// The maximum number of stored dial results, because announcements can name any number of
    /// addresses.
    nonisolated static let maxResults = 256

    let daemon: Daemon
    private var links: [LinkID: PeerLink] = [:]
    /// The dials in progress, retained until they end.
    private var dials: [LinkID: TransportLink] = [:]
    private var incomplete = IncompleteDeltas()
    private(set) var results = BoundedTable<DialTarget, DialResult>(maxCount: Links.maxResults)
    private var lastLink: UInt64 = 0

    init(_ daemon: Daemon) { self.daemon = daemon }

    var isEmpty: Bool { links.isEmpty }

    func send(_ message: PeerMessage, to link: LinkID) { links[link]?.send(message) }

    func close(_ link: LinkID) {
        if let closed = links.removeValue(forKey: link) {
            limitSegmentsIfStalled(closed.transport)
            closed.close()
        }
        incomplete.remove(link)
    }

    func dropStalled() {
        for link in incomplete.removeStalled(at: Clock.now.uptime) {
            refuse(link, "the parts of a delta arrive too slowly")
        }
    }

    private func refuse(_ link: LinkID, _ text: String) {
        let error = PeerError(code: PeerError.tooMuch, text: text)
        driver.handle(.messageRejected(link, error, isFatal: true))
    }

    func accept(_ transport: TransportLink, _ session: SessionID) {
        open(transport, as: next(), session, transport.remote, .accepted)
    }

    func dial(_ endpoint: Endpoint, for session: SessionID) {
        let identity = LinkIdentity.member(session).description
        guard
            let secret = sessions[session]?.facts.key,
            let key = PreSharedKey(identity: identity, secret: secret)
        else { return driver.handle(.dialFailed(session, endpoint, .unreachable)) }
        let id = next()
        // The engine dials a peer a second time if a link with it does not answer.
        for link in links.values where link.transport.remote.address == endpoint.address {
            limitSegmentsIfStalled(link.transport)
        }
        dials[id] = TransportLink.dial(
            to: endpoint,
            key: key,
            on: queue,
            hasShortSegments: network.limitsSegments(with: endpoint)
        ) { [self] event in
            switch event {
            case .opened:
                guard let transport = dials.removeValue(forKey: id) else { return }
                record(.linked, nil, of: endpoint, for: session)
                open(transport, as: id, session, endpoint, .dialled)
            case .closed(let reason):
                guard dials.removeValue(forKey: id) != nil else { return }
                log.write(.debug, from: .others, "dialling \(endpoint): \(reason)")
                let outcome = Diagnosis.Outcome(reason)
                record(outcome, "\(reason)", of: endpoint, for: session)
                driver.handle(.dialFailed(session, endpoint, outcome.failure))
            case .frame, .heard, .drained: break
            }
        }
    }

    private func limitSegmentsIfStalled(_ transport: TransportLink) {
        if transport.isStalled { network.limitSegments(with: transport.remote) }
    }

    private func record(
        _ outcome: Diagnosis.Outcome,
        _ text: String?,
        of endpoint: Endpoint,
        for session: SessionID
    ) {
        let result = DialResult(outcome: outcome, text: text, uptime: Clock.now.uptime)
        results[DialTarget(session, endpoint)] = result
    }

    /// Retries dials at once, because the network has changed or a peer was heard at this endpoint.
    func retryDials(to endpoint: Endpoint? = nil) {
        for (_, dial) in dials.sorted(by: { $0.key < $1.key })
        where endpoint == nil || dial.remote == endpoint {
            dial.retryNow()
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
                driver.handle(link.read(payload, from: id))
                limitMemory(of: link, id, remote)
            case .heard: driver.handle(.bytesReceived(id))
            case .closed(let reason):
                limitSegmentsIfStalled(transport)
                log.write(.debug, from: .others, "link \(id.number) to \(remote): \(reason)")
                // A link that the engine has closed is already removed, and its end is not
                // reported.
                incomplete.remove(id)
                if links.removeValue(forKey: id) != nil { driver.handle(.unlinked(id)) }
            case .opened, .drained: break
            }
        }
        driver.handle(.linked(id, session, remote, side))
    }

    private func limitMemory(of link: PeerLink, _ id: LinkID, _ remote: Endpoint) {
        guard links[id] != nil else { return }
        let (bytes, now) = (link.unfinishedBytes, Clock.now.uptime)
        for greedy in incomplete.record(bytes, of: id, from: remote.address, at: now) {
            refuse(greedy, "unfinished deltas take too much memory here")
        }
    }
}

/// A link with a member, which translates between frames and messages.
@EventLoop
final class PeerLink {
    let transport: TransportLink
    private var decoder = PeerMessageDecoder()

    init(_ transport: TransportLink) { self.transport = transport }

    /// The number of bytes received of an incomplete delta.
    var unfinishedBytes: Int { decoder.unfinishedBytes }

    /// Sends a message; the parts of a long delta are created while the socket accepts them.
    func send(_ message: PeerMessage) {
        switch message {
        case .delta: transport.send(stream: MessageSource(message))
        case .hello, .ack, .need, .ping, .pong, .clock, .addresses, .links, .reached, .storage,
            .knocks, .admit, .bye, .error, .welcome, .guest:
            let source = MessageSource(message)
            while let payload = source.nextFrame() { transport.send(payload) }
        }
    }

    /// Closes the link after everything that is queued for it was sent.
    func close() { transport.close() }

    func read(_ payload: [UInt8], from link: LinkID) -> Input {
        do throws(PeerMessageError) {
            guard let message = try decoder.receive(payload) else { return .partReceived(link) }
            // The peer sends no further message about a write after this one.
            if case .reached = message { transport.acknowledgeAtOnce() }
            return .received(link, message)
        } catch {
            guard let answer = error.errorReply else { return .bytesReceived(link) }
            return .messageRejected(link, answer, isFatal: error.isFatal)
        }
    }
}

/// The frames of a message, each encoded when it is needed.
final class MessageSource: FrameSource {
    private var payloads: PeerMessageEncoder

    init(_ message: PeerMessage) { payloads = PeerMessageEncoder(message) }

    func nextFrame() -> [UInt8]? { payloads.next() }
}

extension PeerMessageError {
    /// Whether the link must be closed: not for a message of a later version or a delta that is too
    /// long.
    fileprivate var isFatal: Bool {
        switch self {
        case .unknownType, .longDelta: false
        case .notJSON, .badMessage, .badDelta: true
        }
    }
}

extension Diagnosis.Outcome {
    /// The failure in the form that the engine distinguishes.
    fileprivate var failure: DialFailure {
        switch self {
        case .unknownSession: .unknownSession
        case .wrongKey: .wrongKey
        case .linked, .refused, .silent, .absent, .noWay, .failed: .unreachable
        }
    }

    init(_ reason: CloseReason) {
        switch reason {
        case .tls(.unknownIdentity): self = .unknownSession
        case .tls(.wrongKey): self = .wrongKey
        case .unreachable(let error): self.init(errno: error.code)
        case .timedOut(.connecting): self = .silent
        case .tls, .local, .byPeer, .cutOff, .broken, .timedOut, .tooMuchBeforeTLS, .badFrame,
            .peerTooSlow, .evicted:
            self = .failed
        }
    }

    init(errno code: Int32) {
        self =
            switch code {
            case ECONNREFUSED: .refused
            case ETIMEDOUT: .silent
            case EHOSTUNREACH, EHOSTDOWN: .absent
            case ENETUNREACH, ENETDOWN, ENODEV, EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL: .noWay
            default: .failed
            }
    }
}

/// The memory and the progress of incomplete deltas.
///
/// A member can start a delta on each of many links and complete none. A link of the address with
/// the most bytes is closed first, so that a long resync of an honest laptop survives. Times are
/// uptimes in milliseconds.
struct IncompleteDeltas {
    /// The maximum number of bytes of all incomplete deltas: 1.5 times the longest delta.
    static let maxBytes = Limits.deltaBytes * 3 / 2
    /// The timeout for the next part, in milliseconds.
    static let timeout: UInt64 = 10_000
    /// The minimum number of bytes that must arrive within `timeout`.
    static let minBytes = 64 << 10

    private struct Unfinished {
        let address: IPAddress
        var bytes: Int
        /// The number of bytes at the last check, and the uptime of that check.
        var checked: (bytes: Int, at: UInt64)
    }

    private var byLink: [LinkID: Unfinished] = [:]

    var bytes: Int { byLink.values.reduce(0) { $0 + $1.bytes } }

    mutating func remove(_ link: LinkID) { byLink[link] = nil }

    /// Records the number of bytes of a link's incomplete delta; 0 if it has none.
    ///
    /// - Returns: the links that must be closed.
    mutating func record(
        _ bytes: Int,
        of link: LinkID,
        from address: IPAddress,
        at now: UInt64
    ) -> [LinkID] {
        guard bytes > 0 else {
            byLink[link] = nil
            return []
        }
        let fresh = Unfinished(address: address.limitGroup, bytes: 0, checked: (0, now))
        byLink[link, default: fresh].bytes = bytes
        var gone: [LinkID] = []
        while self.bytes > IncompleteDeltas.maxBytes, let greediest {
            byLink[greediest] = nil
            gone.append(greediest)
        }
        return gone
    }

    /// Removes and returns the links whose delta progresses by less than `minBytes` in `timeout`.
    mutating func removeStalled(at now: UInt64) -> [LinkID] {
        var stalled: [LinkID] = []
        for (link, unfinished) in byLink.sorted(by: { $0.key < $1.key })
        where unfinished.checked.at + IncompleteDeltas.timeout <= now {
            if unfinished.bytes - unfinished.checked.bytes < IncompleteDeltas.minBytes {
                byLink[link] = nil
                stalled.append(link)
            } else {
                byLink[link]?.checked = (unfinished.bytes, now)
            }
        }
        return stalled
    }

    /// The link with the most bytes at the address with the most bytes.
    private var greediest: LinkID? {
        var byAddress: [IPAddress: Int] = [:]
        for unfinished in byLink.values {
            byAddress[unfinished.address, default: 0] += unfinished.bytes
        }
        return byLink.max {
            (byAddress[$0.value.address] ?? 0, $0.value.bytes, $0.key)
                < (byAddress[$1.value.address] ?? 0, $1.value.bytes, $1.key)
        }?.key
    }
}
