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
        let skew: Int64
    }

    /// What there is once the peer has said hello.
    private struct Greeted {
        let peer: Peer
        var exchange: Exchange
        var lastHeard: UInt64
        /// The ping that nothing has answered.
        var ping: Ping?
        /// Whether a newer link of the same two runs waits for this one's answer.
        var isDisputed = false
    }

    /// A ping on its way.
    private struct Ping {
        let sentAt: UInt64
        /// How long it may take.
        let patience: UInt64
    }

    private enum State {
        /// The peer has yet to say hello.
        case greeting
        /// The peer has said who it is and what it has.
        case greeted(Greeted)
    }

    let id: LinkID
    /// Where the connection comes from or goes to.
    let remote: Endpoint
    let origin: LinkOrigin
    let openedAt: UInt64

    private var state = State.greeting

    init(_ id: LinkID, _ remote: Endpoint, _ origin: LinkOrigin, at now: Moment) {
        self.id = id
        self.remote = remote
        self.origin = origin
        openedAt = now.uptime
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

    /// How far the peer is; nil until it has said hello.
    var exchange: Exchange? { greeted?.exchange }

    /// Where the peer listens, as far as this link tells.
    var listening: Endpoint? {
        peer.map { Endpoint(address: remote.address, port: $0.port) }
    }

    /// The address by which the peer can be dialled again.
    var contactEndpoint: Endpoint? { origin == .dialled ? remote : listening }

    /// Notes who is there and how far they are.
    mutating func greet(_ peer: Peer, _ exchange: Exchange, at now: Moment) {
        state = .greeted(Greeted(peer: peer, exchange: exchange, lastHeard: now.uptime))
    }

    /// Takes the exchange with the peer a step on, once it has said hello.
    mutating func exchange<Result>(_ step: (inout Exchange) -> Result) -> Result? {
        change { step(&$0.exchange) }
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
    var trustedUntil: UInt64? { greeted?.ping.map { $0.sentAt + $0.patience } }

    /// Whether a ping has had no answer for too long.
    func isSuspicious(at now: Moment) -> Bool { trustedUntil.map { $0 < now.uptime } ?? false }

    /// Whether the peer has not said hello, or anything at all, for so long that it is gone.
    func isDead(at now: Moment) -> Bool {
        greeted.map { now.uptime >= $0.lastHeard + Timing.deadAfter } ?? true
    }

    /// When something must be done about the peer's silence.
    var nextDeadline: UInt64 {
        guard let greeted else { return openedAt + Timing.helloWithin }
        if greeted.isDisputed, let trustedUntil { return trustedUntil + 1 }
        return greeted.lastHeard
            + (greeted.ping == nil ? Timing.pingAfter : Timing.deadAfter)
    }

    /// Notes that bytes came.
    mutating func hear(at now: Moment) {
        change { greeted in
            greeted.lastHeard = now.uptime
            greeted.ping = nil
        }
    }

    /// The number of a ping that goes out then.
    static func pingNumber(_ uptime: UInt64) -> UInt64 { uptime & 0xFFFF_FFFF }

    /// Notes that a ping is out, unless one is already; whether it is to be sent.
    mutating func ping(at now: Moment, patience: UInt64) -> Bool {
        change { greeted in
            guard greeted.ping == nil else { return false }
            greeted.ping = Ping(
                sentAt: now.uptime,
                patience: min(patience, Timing.suspiciousSilence)
            )
            return true
        } ?? false
    }
}
