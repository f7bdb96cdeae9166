import SessionCRDT
import SyncProtocol

/// One connection with a member of a session: who is at the other end, and whether they are still.
struct Link: Sendable {
    /// Who is at the other end.
    struct Peer: Hashable, Sendable {
        let device: DeviceID
        let instance: InstanceID
        let name: String
        let port: UInt16
        /// How far the peer's clock is ahead, in milliseconds.
        var skew: Int64
        /// What it understands beyond the version of the protocol (`Feature`).
        let features: Set<String>
    }

    /// What there is once the peer has said hello.
    private struct Greeted {
        var peer: Peer
        var exchange: Exchange
        var lastHeard: UInt64
        /// When the peer announced last, from where the link leads, that it misses nobody.
        var announcedAt: UInt64?
        /// Whether parts of a delta have come, and not the last.
        var isTakingParts = false
        /// When a ping went out last.
        var askedAt: UInt64?
        /// The ping that nothing has answered.
        var ping: Ping?
        /// Whether a newer link of the same two runs waits for this one's answer.
        var isDisputed = false
        /// Whether the peer is looked for elsewhere.
        var isDoubted = false
        /// To whom the peer itself sends what it has.
        var peersLinks: Set<InstanceID> = []
        /// To whom this device does, as the peer was told.
        var toldLinks: [InstanceID] = []
        /// The addresses of other members that the peer was told last, with the run that was there.
        var toldAddresses: [Endpoint: (run: InstanceID, at: UInt64)] = [:]
        /// What others are sending to the peer.
        var left = LeftToOthers()

        var silenceDeadline: UInt64 {
            if let ping {
                return isDisputed ? ping.trustedUntil + 1 : ping.sentAt + Timing.deadAfter
            }
            let announced = announcedAt.map { $0 + Timing.announcedLife } ?? 0
            let longest = lastHeard + Timing.longestSilence
            return max(lastHeard + Timing.pingAfter, min(announced, longest))
        }

        var doubtAt: UInt64? {
            guard let sentAt = exchange.sentAt, !isDoubted else { return nil }
            if let ping { return ping.trustedUntil + 1 }
            // Who has said anything since may only be slow to answer.
            return lastHeard <= sentAt ? sentAt + Timing.answerWithin : nil
        }

        /// The least time that a ping may take, whatever is hoped for: it and its answer wait
        /// behind a long delta, of which its taker says now and then that it arrives.
        func leastPatience(at now: Moment) -> UInt64 {
            guard let sentAt = exchange.sentAt, lastHeard > sentAt,
                now.uptime > sentAt + Timing.answerWithin
            else { return isTakingParts ? Timing.suspiciousSilence : 0 }
            return Timing.sign + Timing.suspiciousSilence
        }
    }

    /// A ping on its way.
    private struct Ping {
        let sentAt: UInt64
        /// How long it may take.
        let patience: UInt64

        /// Until when it may be answered before the link is doubted.
        var trustedUntil: UInt64 { sentAt + patience }
    }

    /// Indirect, so that links are copied by a pointer each: their lists are, at every input.
    private indirect enum State {
        /// The peer has yet to say hello.
        case greeting
        /// The peer has said who it is and what it has.
        case greeted(Greeted)
    }

    let id: LinkID
    /// Where the connection comes from or goes to.
    let remote: Endpoint
    let side: LinkSide
    let openedAt: UInt64

    /// When something must be done for the peer, or about its silence.
    private(set) var nextDeadline: UInt64
    private var state = State.greeting {
        didSet { nextDeadline = deadline }
    }

    init(_ id: LinkID, _ remote: Endpoint, _ side: LinkSide, at now: Moment) {
        self.id = id
        self.remote = remote
        self.side = side
        openedAt = now.uptime
        nextDeadline = openedAt + Timing.helloWithin
    }

    private var greeted: Greeted? {
        if case .greeted(let greeted) = state { greeted } else { nil }
    }

    /// Changes what there is once the peer has said hello; nothing happens before.
    private mutating func change<Result>(_ change: (inout Greeted) -> Result) -> Result? {
        guard case .greeted(var greeted) = state else { return nil }
        // Let go of meanwhile, so that nothing is copied.
        state = .greeting
        defer { state = .greeted(greeted) }
        return change(&greeted)
    }

    // MARK: Who is there

    /// Who is at the other end; nil until the peer has said hello.
    var peer: Peer? { greeted?.peer }

    /// Whether the peer has said hello.
    var isGreeted: Bool { if case .greeted = state { true } else { false } }

    /// Which run of the peer's device it is; nil until it has said hello.
    var instance: InstanceID? {
        if case .greeted(let greeted) = state { greeted.peer.instance } else { nil }
    }

    /// How far the peer is; nil until it has said hello.
    var exchange: Exchange? { greeted?.exchange }

    /// Where the peer listens, as far as this link tells.
    var listening: Endpoint? {
        peer.map { Endpoint(address: remote.address, port: $0.port) }
    }

    /// The address by which the peer can be dialled again.
    var contactEndpoint: Endpoint? { side == .dialled ? remote : listening }

    /// Notes who is there and how far they are.
    mutating func greet(_ peer: Peer, _ exchange: Exchange, at now: Moment) {
        state = .greeted(Greeted(peer: peer, exchange: exchange, lastHeard: now.uptime))
    }

    /// Takes the exchange with the peer a step on, once it has said hello.
    mutating func exchange<Result>(_ step: (inout Exchange) -> Result) -> Result? {
        change { step(&$0.exchange) }
    }

    /// Whether the peer has this and owes no answer, so that it is there.
    func isSynced(with vector: VersionVector) -> Bool {
        guard let greeted, greeted.ping == nil else { return false }
        return greeted.exchange.isLevel(with: vector)
    }

    // MARK: Telling of others

    /// Notes that the peer is told where others listen; what is news to it, in order.
    ///
    /// Who comes back after a while may have been given up there.
    mutating func tell(of others: [Link], at now: Moment) -> [Endpoint] {
        change { greeted in
            var news: Set<Endpoint> = []
            for other in others {
                guard let endpoint = other.listening, let run = other.instance,
                    Ports.mayDial(named: endpoint.port)
                else { continue }
                if let told = greeted.toldAddresses[endpoint], told.run == run,
                    now.uptime < told.at + Timing.tellAgain
                {
                    continue
                }
                greeted.toldAddresses[endpoint] = (run, now.uptime)
                news.insert(endpoint)
            }
            return Array(news.sorted().prefix(Limits.addresses))
        } ?? []
    }

    /// Notes that who was at the address is no member any more: it is told of again when it is.
    mutating func forget(_ endpoint: Endpoint) {
        change { $0.toldAddresses[endpoint] = nil }
    }

    // MARK: Passing on

    /// To whom the peer itself sends what it has.
    var peersLinks: Set<InstanceID> { greeted?.peersLinks ?? [] }

    /// Notes to whom the peer sends what it has.
    mutating func note(peersLinks instances: [InstanceID]) {
        change { $0.peersLinks = Set(instances) }
    }

    /// Notes to whom this device sends what it has; whether the peer has yet to be told.
    mutating func tell(links instances: [InstanceID]) -> Bool {
        change { greeted in
            guard greeted.peer.features.contains(Feature.reach), greeted.toldLinks != instances
            else { return false }
            greeted.toldLinks = instances
            return true
        } ?? false
    }

    /// Leaves to somebody else what they send to the peer.
    mutating func leave(_ vector: VersionVector, until: UInt64) {
        change { $0.left.add(vector, until: until) }
    }

    /// Whether others are sending these writes to the peer.
    func isLeft(_ news: [Dot], at now: Moment) -> Bool {
        greeted?.left.contains(news, at: now) ?? false
    }

    /// Forgets what is left to others no longer, or has reached the peer.
    mutating func pruneLeft(at now: Moment) {
        change { $0.left.prune(at: now, stated: $0.exchange.stated) }
    }

    // MARK: Links of the same two runs

    /// Whether a newer link of the same two runs waits for the answer to this one's ping.
    var isDisputed: Bool { greeted?.isDisputed ?? false }

    /// Notes that a newer link waits for this one's answer, or no longer.
    mutating func dispute(_ isDisputed: Bool) { change { $0.isDisputed = isDisputed } }

    // MARK: Silence

    /// When something came last from a peer that has said hello.
    var lastHeard: UInt64? { greeted?.lastHeard }

    /// When a ping went out that nothing has answered.
    var pingedAt: UInt64? { greeted?.ping?.sentAt }

    /// Until when a ping that is out may be answered before the link is doubted.
    var trustedUntil: UInt64? { greeted?.ping?.trustedUntil }

    /// Whether a ping has had no answer for too long.
    func isSuspicious(at now: Moment) -> Bool { trustedUntil.map { $0 < now.uptime } ?? false }

    /// Whether the peer has not said hello, or not answered, for so long that it is gone.
    func isDead(at now: Moment) -> Bool {
        guard let greeted else { return true }
        return greeted.ping.map { now.uptime >= $0.sentAt + Timing.deadAfter } ?? false
    }

    private var deadline: UInt64 {
        guard case .greeted(let greeted) = state else { return silenceDeadline }
        let (doubt, comparison) = (greeted.doubtAt ?? .max, greeted.exchange.compareAt ?? .max)
        return min(greeted.silenceDeadline, doubt, comparison, greeted.left.due ?? .max)
    }

    /// When something must be done about the peer's silence.
    var silenceDeadline: UInt64 { greeted?.silenceDeadline ?? openedAt + Timing.helloWithin }

    /// When an unanswered delta makes the link doubtful: first the peer is asked, and then looked
    /// for elsewhere.
    var doubtAt: UInt64? { greeted?.doubtAt }

    /// Notes that the peer is looked for elsewhere, because it answers nothing.
    mutating func doubt() { change { $0.isDoubted = true } }

    /// Whether the peer has not answered a delta for so long that it is looked for elsewhere.
    var isDoubted: Bool { greeted?.isDoubted ?? false }

    /// Notes that bytes came; whether a ping was out.
    @discardableResult
    mutating func hear(at now: Moment) -> Bool {
        change { greeted in
            defer { greeted.ping = nil }
            greeted.lastHeard = now.uptime
            greeted.isDoubted = false
            return greeted.ping != nil
        } ?? false
    }

    /// Notes that the peer announces from that address that it misses nobody.
    mutating func note(announcementFrom address: UInt32, at now: Moment) {
        guard address == remote.address else { return }
        change { $0.announcedAt = now.uptime }
    }

    /// Whether the peer, which sends a long delta, is due a sign that it is arriving.
    mutating func owesSign(at now: Moment, ofPart isPart: Bool) -> Bool {
        let openedAt = openedAt
        return change { greeted in
            // With the first part, before the sender, who waits for an answer, looks elsewhere.
            let isFirst = isPart && !greeted.isTakingParts
            greeted.isTakingParts = greeted.isTakingParts || isPart
            let asked = greeted.askedAt.map { $0 + Timing.sign } ?? 0
            return isFirst || now.uptime >= max(asked, openedAt + Timing.answerWithin)
        } ?? false
    }

    /// Notes that a delta is there as a whole: a part that arrives next is of another.
    mutating func takeDelta() { change { $0.isTakingParts = false } }

    /// Notes how far the peer's clock is ahead.
    mutating func note(skew: Int64) { change { $0.peer.skew = skew } }

    /// The number of a ping that goes out then.
    static func pingNumber(_ uptime: UInt64) -> UInt64 { uptime & 0xFFFF_FFFF }

    /// Notes that a ping is out, unless one is already; whether it is to be sent.
    mutating func ping(at now: Moment, patience: UInt64) -> Bool {
        change { greeted in
            guard greeted.ping == nil else { return false }
            greeted.askedAt = now.uptime
            greeted.ping = Ping(
                sentAt: now.uptime,
                patience: max(patience, greeted.leastPatience(at: now))
            )
            return true
        } ?? false
    }
}

/// Several links of the same two runs, of which one is kept.
extension Link {
    /// What becomes of two such links.
    enum Verdict: Hashable {
        /// This one is too many.
        case surplus(LinkID)
        /// Whether the older one lives decides.
        case askOlder
        /// The peer decides.
        case leaveToPeer
    }

    /// Whether the connection is of the same two runs as the other.
    func isDuplicate(of other: Link) -> Bool {
        id != other.id && peer?.device == other.peer?.device
            && instance == other.instance
    }

    /// Whether this link is the older of two.
    func precedes(_ other: Link) -> Bool { (openedAt, id) < (other.openedAt, other.id) }

    /// Which of two links with one run of a peer is one too many, of which this is the older one.
    ///
    /// Both sides judge alike, because the time between the two is nearly the same for both: links
    /// of one age by who opened them; else the older one stays if it answers, so that nothing that
    /// is on its way over it must begin again, whoever may be the cause of the newer one.
    func verdict(beside newer: Link, on device: Device, at now: Moment) -> Verdict {
        guard !isSuspicious(at: now) else { return .surplus(id) }
        guard newer.openedAt < openedAt + Timing.sameTime else {
            return hasSpoken(since: newer) ? .surplus(newer.id) : .askOlder
        }
        var isKept = true
        if side != newer.side, let peer = newer.peer {
            let isHigher = (device.id, device.instance) > (peer.device, peer.instance)
            isKept = (side == .dialled) == isHigher
        } else if newer.side == .accepted {
            // Only who opened both can tell which of them the other side saw first.
            return .leaveToPeer
        }
        guard isKept else { return .surplus(id) }
        return isDoubtful(beside: newer) ? .askOlder : .surplus(newer.id)
    }

    /// Whether nothing had come for so long when the newer one was opened that this may be dead.
    ///
    /// Links of dials that crossed have just heard each other.
    private func isDoubtful(beside newer: Link) -> Bool {
        lastHeard.map { $0 + Timing.doubtfulSilence <= newer.openedAt } ?? false
    }

    /// Whether something has come by this link since the newer one was opened, and nothing that
    /// was asked is unanswered.
    private func hasSpoken(since newer: Link) -> Bool {
        pingedAt == nil && lastHeard.map { $0 > newer.openedAt } ?? false
    }
}
