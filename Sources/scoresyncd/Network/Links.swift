import CPlatform
import Descriptors
import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// Connections with members that come and go: owns those that are open and those under way.
@EventLoop
final class Links: DaemonPart {
    private var links: [LinkID: PeerLink] = [:]
    /// Dials under way, which must be kept until they end.
    private var dials: [LinkID: TransportLink] = [:]
    private var unfinished = IncompleteDeltas()
    private(set) var results = DialResults()
    private var lastLink: UInt64 = 0

    let daemon: Daemon

    init(_ daemon: Daemon) { self.daemon = daemon }

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
        driver.handle(.messageRejected(link, error, isFatal: true))
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
        else { return driver.handle(.dialFailed(session, endpoint, .unreachable)) }
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
                driver.handle(.dialFailed(session, endpoint, DialFailure(reason)))
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
                bound(link, id, remote)
            case .heard: driver.handle(.bytesReceived(id))
            case .closed(let reason):
                log.write(.debug, from: .others, "link \(id.number) to \(remote): \(reason)")
                // A link that the engine closed is gone from the table and not lost.
                _ = unfinished.note(0, of: id, from: 0, at: 0)
                if links.removeValue(forKey: id) != nil { driver.handle(.unlinked(id)) }
            case .opened, .drained: break
            }
        }
        driver.handle(.linked(id, session, remote, side))
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

/// One link with a member: frames on one side, messages on the other.
@EventLoop
final class PeerLink {
    private let transport: TransportLink
    private var decoder = PeerMessageDecoder()

    init(_ transport: TransportLink) {
        self.transport = transport
    }

    /// The bytes received of an incomplete delta.
    var unfinishedBytes: Int { decoder.unfinishedBytes }

    /// Says something to the peer; a long delta is cut into parts while the socket drains.
    func send(_ message: PeerMessage) {
        switch message {
        case .delta: transport.send(stream: MessageSource(message))
        case .hello, .ack, .need, .ping, .pong, .clock, .addresses, .links, .reached, .bye,
            .error, .welcome:
            let source = MessageSource(message)
            while let payload = source.nextFrame() { transport.send(payload) }
        }
    }

    /// Closes once everything said is on its way.
    func close() { transport.close() }

    /// The input of the engine for a frame of the peer.
    func read(_ payload: [UInt8], from link: LinkID) -> Input {
        do throws(PeerMessageError) {
            guard let message = try decoder.receive(payload) else { return .partReceived(link) }
            // The last word about what somebody wrote.
            if case .reached = message { transport.acknowledgeAtOnce() }
            return .received(link, message)
        } catch {
            guard let answer = error.answer else { return .bytesReceived(link) }
            return .messageRejected(link, answer, isFatal: error.isFatal)
        }
    }
}

/// A message as the frames that it takes, made as they are asked for.
final class MessageSource: FrameSource {
    private var payloads: PeerMessageEncoder

    init(_ message: PeerMessage) {
        payloads = PeerMessageEncoder(message)
    }

    func nextFrame() -> [UInt8]? { payloads.next() }
}

extension PeerMessageError {
    /// Whether the link cannot go on: only a message of a later version can be passed over, and a
    /// delta that is too long.
    fileprivate var isFatal: Bool {
        switch self {
        case .unknownType, .longDelta: false
        case .notJSON, .badMessage, .badDelta: true
        }
    }
}

extension Diagnosis.Outcome {
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
            case ENETUNREACH, ENETDOWN, EINVAL: .noWay
            default: .failed
            }
    }
}

/// The results of the last dial to each address, which `doctor` shows.
struct DialResults {
    /// The end of a dial.
    struct Result: Hashable {
        let outcome: Diagnosis.Outcome
        /// The error.
        let text: String?
        let uptime: UInt64
    }

    /// The limit: announcements can name any number of addresses.
    static let most = 256

    private var results: [DialTarget: Result] = [:]

    /// The last dial to an address for a session; nil where none is known.
    subscript(session: SessionID, endpoint: Endpoint) -> Result? {
        results[DialTarget(session, endpoint)]
    }

    /// Notes the end of a dial, in place of the one that is longest ago where there are too many.
    mutating func note(_ result: Result, of endpoint: Endpoint, for session: SessionID) {
        results[DialTarget(session, endpoint)] = result
        guard results.count > DialResults.most else { return }
        let oldest = results.min { left, right in
            (left.value.uptime, left.key.endpoint) < (right.value.uptime, right.key.endpoint)
        }
        if let oldest { results[oldest.key] = nil }
    }
}

/// The deltas of which some parts have come and some have not: how much memory they take together,
/// and whether they get on.
///
/// A member can begin a delta on each of many links and never end one. Whose address holds most
/// gives way first, so that one long resync of an honest laptop is not what goes. A value without a
/// clock; times are uptimes in milliseconds.
struct IncompleteDeltas {
    /// The limit for all of them together: one of the longest, and half as much.
    static let mostBytes = Limits.deltaBytes * 3 / 2
    /// The timeout for the next part, in milliseconds.
    static let patience: UInt64 = 10_000
    /// The least number of bytes within that time.
    static let leastBytes = 64 << 10

    private struct Unfinished {
        let address: UInt32
        var bytes: Int
        /// The bytes at the last check, from which on more must come.
        var checked: (bytes: Int, at: UInt64)
    }

    private var byLink: [LinkID: Unfinished] = [:]

    var bytes: Int { byLink.values.reduce(0) { $0 + $1.bytes } }

    /// Notes how many bytes of an unfinished delta a link holds, 0 for none.
    ///
    /// - Returns: the links that must let go of theirs.
    mutating func note(
        _ bytes: Int,
        of link: LinkID,
        from address: UInt32,
        at now: UInt64
    ) -> [LinkID] {
        guard bytes > 0 else {
            byLink[link] = nil
            return []
        }
        let fresh = Unfinished(address: address, bytes: 0, checked: (0, now))
        byLink[link, default: fresh].bytes = bytes
        var gone: [LinkID] = []
        while self.bytes > IncompleteDeltas.mostBytes, let greediest {
            byLink[greediest] = nil
            gone.append(greediest)
        }
        return gone
    }

    /// The links whose delta does not get on, or only as slowly as somebody who wants to hold it
    /// up; they are forgotten.
    mutating func takeStalled(at now: UInt64) -> [LinkID] {
        var stalled: [LinkID] = []
        for (link, unfinished) in byLink.sorted(by: { $0.key < $1.key })
        where unfinished.checked.at + IncompleteDeltas.patience <= now {
            if unfinished.bytes - unfinished.checked.bytes < IncompleteDeltas.leastBytes {
                byLink[link] = nil
                stalled.append(link)
            } else {
                byLink[link]?.checked = (unfinished.bytes, now)
            }
        }
        return stalled
    }

    /// The link with the most bytes of the address with the most.
    private var greediest: LinkID? {
        var byAddress: [UInt32: Int] = [:]
        for unfinished in byLink.values {
            byAddress[unfinished.address, default: 0] += unfinished.bytes
        }
        return byLink.max {
            (byAddress[$0.value.address] ?? 0, $0.value.bytes, $0.key)
                < (byAddress[$1.value.address] ?? 0, $1.value.bytes, $1.key)
        }?.key
    }
}
