import SessionCRDT
import SyncProtocol

/// A connection with a member of a session: the identity of the peer, and whether it is alive.
///
/// Liveness: a link that has been silent for `Timing.pingAfter` is pinged, and closed if no byte
/// arrives within `Timing.pingTimeout`. An announcement by a peer that misses no other peer
/// replaces the ping. An unanswered delta makes the link doubtful much earlier: the peer is then
/// dialled at its other addresses, while the link stays open.
struct Link: Sendable {
    struct Peer: Hashable, Sendable {
        let device: DeviceID
        let instance: InstanceID
        let name: String
        let port: UInt16
        /// The milliseconds by which the peer's clock is ahead.
        var skew: Int64
        /// The optional parts of the protocol that the peer supports, see `Feature`.
        let features: Set<String>
        /// The reason why the peer cannot save, as it reported; nil if it can.
        var storageProblem: StorageProblem?
        /// The laptops that wait at the peer to be admitted.
        var knocks: [Knock] = []
    }

    /// The state of the link after the peer has said hello.
    struct Greeted {
        var peer: Peer
        let openedAt: UInt64
        var exchange: Exchange
        var lastHeard: UInt64
        /// The last time at which the peer announced, from the address of this link, that it misses
        /// no peer.
        var announcedAt: UInt64?
        var isReceivingParts = false
        var lastPing: UInt64?
        var ping: Ping?
        /// Whether a newer link between the same instances waits for this link's answer to a ping.
        var isDisputed = false
        /// Whether the peer is being dialled at its other addresses because this link is doubtful.
        var isRedialling = false
        /// The instances to which the peer itself sends writes.
        var peersLinks: Set<InstanceID> = []
        /// The instances to which this device sends writes, as last reported to the peer.
        var sentLinks: [InstanceID] = []
        /// The addresses of other members that were sent to the peer, with their instance and the
        /// time.
        var sentAddresses: [Endpoint: (instance: InstanceID, at: UInt64)] = [:]
        var delegated = DelegatedDeltas()

        var silenceDeadline: UInt64 {
            if let ping {
                return isDisputed ? ping.trustedUntil + 1 : ping.sentAt + Timing.pingTimeout
            }
            // An announcement does not show that deltas arrive.
            let announcedAt = exchange.sentAt == nil ? announcedAt : nil
            let announced = announcedAt.map { $0 + Timing.announcementLifetime } ?? 0
            let longest = lastHeard + Timing.maxSilence
            return max(lastHeard + Timing.pingAfter, min(announced, longest))
        }

        var doubtAt: UInt64? {
            guard let sentAt = exchange.sentAt, !isRedialling else { return nil }
            if let ping { return ping.trustedUntil + 1 }
            // A peer that has sent anything since is alive and may only be slow to answer.
            return lastHeard <= sentAt ? sentAt + Timing.answerTimeout : nil
        }

        /// Returns the shortest useful timeout of a ping: a ping waits behind a long delta, whose
        /// receiver reports progress only at intervals.
        func minPingTimeout(at now: Moment) -> UInt64 {
            guard let sentAt = exchange.sentAt, lastHeard > sentAt,
                now.uptime > sentAt + Timing.answerTimeout
            else { return isReceivingParts ? Timing.suspiciousSilence : 0 }
            return Timing.progressInterval + Timing.suspiciousSilence
        }

        /// Returns the sorted addresses of other members, as the peer at `remote` can use them, that
        /// were not sent to it within `Timing.addressResendInterval`, and records them as sent.
        mutating func newAddresses(
            of others: [Link],
            to remote: IPAddress,
            at now: Moment
        ) -> [Endpoint] {
            var news: Set<Endpoint> = []
            for other in others {
                guard let endpoint = other.listening, let instance = other.instance,
                    Ports.mayDial(named: endpoint.port),
                    let address = endpoint.address.sent(to: remote)
                else { continue }
                if let sent = sentAddresses[endpoint], sent.instance == instance,
                    now.uptime < sent.at + Timing.addressResendInterval
                {
                    continue
                }
                sentAddresses[endpoint] = (instance, now.uptime)
                news.insert(Endpoint(address: address, port: endpoint.port))
            }
            return Array(news.sorted().prefix(Limits.addresses))
        }

        /// Records the instances to which this device sends writes; returns whether the peer must
        /// be notified of a change.
        mutating func recordLinks(_ instances: [InstanceID]) -> Bool {
            guard peer.features.contains(Feature.reach), sentLinks != instances else {
                return false
            }
            sentLinks = instances
            return true
        }

        /// Records that bytes arrived; returns whether a ping was unanswered.
        mutating func recordActivity(at now: Moment) -> Bool {
            defer { ping = nil }
            lastHeard = now.uptime
            isRedialling = false
            return ping != nil
        }

        /// Records the arrival of an incomplete message or delta; returns whether to send a ping to
        /// show progress, because the sender gets no answer before the whole delta has arrived.
        mutating func isProgressDue(at now: Moment, ofPart isPart: Bool) -> Bool {
            // The first part is reported at once, before the waiting sender dials other addresses.
            let isFirst = isPart && !isReceivingParts
            isReceivingParts = isReceivingParts || isPart
            let pinged = lastPing.map { $0 + Timing.progressInterval } ?? 0
            return isFirst || now.uptime >= max(pinged, openedAt + Timing.answerTimeout)
        }

        /// Removes delegated deltas that have expired or that the peer has.
        mutating func pruneDelegated(at now: Moment) {
            delegated.prune(at: now, peerVector: exchange.peerVector)
        }

        /// Records a new ping unless one is unanswered; returns whether the ping must be sent.
        mutating func ping(at now: Moment, timeout: UInt64) -> Bool {
            guard ping == nil else { return false }
            lastPing = now.uptime
            ping = Ping(sentAt: now.uptime, timeout: max(timeout, minPingTimeout(at: now)))
            return true
        }
    }

    struct Ping {
        let sentAt: UInt64
        let timeout: UInt64

        /// The time after which the link is doubtful if the ping is still unanswered.
        var trustedUntil: UInt64 { sentAt + timeout }
    }

    /// The state; indirect so that copying a link copies a pointer: every input copies many links.
    private indirect enum State {
        /// The peer has not said hello yet.
        case greeting
        case greeted(Greeted)
    }

    let id: LinkID
    /// The address of the other end of the connection.
    let remote: Endpoint
    let side: LinkSide
    let openedAt: UInt64

    /// The next time at which the link must be checked.
    private(set) var nextDeadline: UInt64
    private var state = State.greeting { didSet { nextDeadline = deadline } }

    init(_ id: LinkID, _ remote: Endpoint, _ side: LinkSide, at now: Moment) {
        (self.id, self.remote, self.side) = (id, remote, side)
        openedAt = now.uptime
        nextDeadline = openedAt + Timing.helloTimeout
    }

    private var greeted: Greeted? { if case .greeted(let greeted) = state { greeted } else { nil } }

    /// Changes the state of a greeted link; does nothing before the hello.
    mutating func change<Result>(_ change: (inout Greeted) -> Result) -> Result? {
        guard case .greeted(var greeted) = state else { return nil }
        // Releases the stored value first, so that the change happens in place.
        state = .greeting
        defer { state = .greeted(greeted) }
        return change(&greeted)
    }

    private var deadline: UInt64 {
        guard case .greeted(let greeted) = state else { return silenceDeadline }
        let (doubt, comparison) = (greeted.doubtAt ?? .max, greeted.exchange.compareAt ?? .max)
        return min(greeted.silenceDeadline, doubt, comparison, greeted.delegated.due ?? .max)
    }

    // MARK: The peer

    /// The peer; nil until it has said hello.
    var peer: Peer? { greeted?.peer }
    var isGreeted: Bool { if case .greeted = state { true } else { false } }
    var instance: InstanceID? { greeted?.peer.instance }
    var exchange: Exchange? { greeted?.exchange }

    /// The address on which the peer listens, as far as this connection shows it.
    var listening: Endpoint? { peer.map { Endpoint(address: remote.address, port: $0.port) } }

    /// The address at which the peer can be dialled again.
    var contactEndpoint: Endpoint? { side == .dialled ? remote : listening }

    mutating func greet(_ peer: Peer, _ exchange: Exchange, at now: Moment) {
        let (opened, now) = (openedAt, now.uptime)
        state = .greeted(Greeted(peer: peer, openedAt: opened, exchange: exchange, lastHeard: now))
    }

    /// Whether the peer has this state and owes no answer to a ping, so that the link is known to
    /// work.
    func isSynced(with vector: VersionVector) -> Bool {
        guard let greeted, greeted.ping == nil else { return false }
        return greeted.exchange.isLevel(with: vector)
    }

    // MARK: Forwarding

    var peersLinks: Set<InstanceID> { greeted?.peersLinks ?? [] }

    /// Whether other devices are sending these writes to the peer.
    func isDelegated(_ news: [Dot], at now: Moment) -> Bool {
        greeted?.delegated.covers(news, at: now) ?? false
    }

    // MARK: Silence

    var lastHeard: UInt64? { greeted?.lastHeard }
    /// The time of the unanswered ping; nil if there is none.
    var pingedAt: UInt64? { greeted?.ping?.sentAt }
    var trustedUntil: UInt64? { greeted?.ping?.trustedUntil }

    func isSuspicious(at now: Moment) -> Bool { trustedUntil.map { $0 < now.uptime } ?? false }

    /// Whether the peer has not said hello, or not answered a ping, in time.
    func isDead(at now: Moment) -> Bool {
        guard let greeted else { return true }
        return greeted.ping.map { now.uptime >= $0.sentAt + Timing.pingTimeout } ?? false
    }

    /// The time at which a silent link must be pinged or closed.
    var silenceDeadline: UInt64 { greeted?.silenceDeadline ?? openedAt + Timing.helloTimeout }

    /// The time at which an unanswered delta makes the link doubtful: the first time the peer is
    /// pinged, the next time it is dialled at its other addresses.
    var doubtAt: UInt64? { greeted?.doubtAt }
    var isRedialling: Bool { greeted?.isRedialling ?? false }

    /// Records an announcement of the peer that it misses no other peer, if it came from this
    /// address.
    mutating func recordAnnouncement(from source: Endpoint, at now: Moment) {
        if source.address == remote.address { change { $0.announcedAt = now.uptime } }
    }

    /// Returns the number of a ping that is sent at this uptime.
    static func pingNumber(_ uptime: UInt64) -> UInt64 { uptime & 0xFFFF_FFFF }
}

/// Duplicate links: two daemons that dial each other at the same time get two connections, and a
/// connection that was cut silently is replaced while it still looks alive. Exactly one of two
/// links between the same instances must survive, and both sides must choose the same one without
/// negotiation. If both have about the same age (`Timing.simultaneousOpening`), the link that the
/// device with the higher id dialled survives. Otherwise the older one does if it is alive, so that
/// transfers on it need not restart and no peer can displace it by opening new connections. If that
/// is uncertain the older link is disputed: it is pinged, and the answer or the timeout decides.
extension Link {
    /// The decision about two links of the same two instances.
    enum DuplicateResolution: Hashable {
        case close(LinkID)
        /// The older link is pinged, and survives if it is alive.
        case pingOlder
        /// The peer decides which link to close.
        case leaveToPeer
    }

    var isDisputed: Bool { greeted?.isDisputed ?? false }

    func isDuplicate(of other: Link) -> Bool {
        id != other.id && peer?.device == other.peer?.device
            && instance == other.instance
    }

    func isOlder(than other: Link) -> Bool { (openedAt, id) < (other.openedAt, other.id) }

    /// Decides between this link and a newer duplicate by the rules of this extension.
    func resolve(with newer: Link, on device: Device, at now: Moment) -> DuplicateResolution {
        guard !isSuspicious(at: now) else { return .close(id) }
        guard newer.openedAt < openedAt + Timing.simultaneousOpening else {
            return hasAnswered(since: newer) ? .close(newer.id) : .pingOlder
        }
        var isKept = true
        if side != newer.side, let peer = newer.peer {
            let isHigher = (device.id, device.instance) > (peer.device, peer.instance)
            isKept = (side == .dialled) == isHigher
        } else if newer.side == .accepted {
            // Only the side that opened both links knows which of them the other side saw first.
            return .leaveToPeer
        }
        guard isKept else { return .close(id) }
        return isDoubtful(comparedTo: newer) ? .pingOlder : .close(newer.id)
    }

    /// Whether this link had been silent for so long when the newer one was opened that it may be
    /// dead.
    ///
    /// After two dials at the same moment, both links have just received bytes.
    private func isDoubtful(comparedTo newer: Link) -> Bool {
        lastHeard.map { $0 + Timing.doubtfulSilence <= newer.openedAt } ?? false
    }

    /// Whether bytes have arrived since the newer link was opened, with no ping unanswered.
    private func hasAnswered(since newer: Link) -> Bool {
        pingedAt == nil && lastHeard.map { $0 > newer.openedAt } ?? false
    }
}
