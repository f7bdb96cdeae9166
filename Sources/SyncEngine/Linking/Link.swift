import SessionCRDT
import SyncProtocol

/// One connection with a member of a session: what is known of the peer and how far it is.
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

    let id: LinkID
    let session: SessionID
    /// Where the connection comes from or goes to.
    let remote: Endpoint
    let origin: LinkOrigin
    let openedAt: UInt64

    /// Who is at the other end; nil until the peer has said hello.
    private(set) var peer: Peer?
    /// What the peer has said that it has on disk.
    private(set) var stated = VersionVector()
    /// The digest that belongs to `stated`; nil when `stated` was joined from other messages.
    private(set) var statedDigest: Digest?
    /// Whether a delta is on its way that the peer has not answered.
    ///
    /// One at a time: what is written meanwhile goes together in the next, so nothing piles up for
    /// a slow peer.
    private(set) var awaitsAnswer = false
    /// Whether everything is to be sent, to repair a difference, once the peer lacks nothing.
    private(set) var owesUnion = false
    /// Whether everything was sent and the difference is not known to be gone: then sending it
    /// again would not help.
    private var sentUnion = false
    /// The two digests for which everything was sent last.
    private var repaired: [Digest?] = []
    private(set) var lastHeard: UInt64
    /// When a ping went out that nothing has answered.
    private(set) var pingedAt: UInt64?
    private var unions = 0
    private var isUnionUnanswered = false
    /// Whether a newer link of the same two runs waits for the answer to this one's ping.
    private(set) var isDisputed = false
    /// How long the ping that is out may take.
    private var patience = Timing.suspiciousSilence
    private var fruitlessNeeds = 0
    /// What the peer has once it has taken the last delta.
    private var sent = VersionVector()

    /// How often everything is sent by one link, whatever the digests say.
    static let mostUnions = 8

    init(
        _ id: LinkID,
        _ session: SessionID,
        _ remote: Endpoint,
        _ origin: LinkOrigin,
        at now: Moment
    ) {
        self.id = id
        self.session = session
        self.remote = remote
        self.origin = origin
        openedAt = now.uptime
        lastHeard = now.uptime
    }

    /// Where the peer listens, as far as this link tells.
    var listening: Endpoint? {
        peer.map { Endpoint(address: remote.address, port: $0.port) }
    }

    /// Whether the connection is of the same two runs as the other.
    func isTwin(of other: Link) -> Bool {
        id != other.id && session == other.session && peer?.device == other.peer?.device
            && peer?.instance == other.peer?.instance
    }

    /// Whether this link is the older of two.
    func precedes(_ other: Link) -> Bool { (openedAt, id) < (other.openedAt, other.id) }

    /// Whether nothing had come for so long when the newer one was opened that this may be dead.
    ///
    /// Links of dials that crossed have just heard each other.
    func isDoubtful(beside newer: Link) -> Bool {
        lastHeard + Timing.doubtfulSilence <= newer.openedAt
    }

    /// Notes that a newer link waits for this one's answer.
    mutating func dispute() { isDisputed = true }

    /// Notes that the newer link waits no longer.
    mutating func endDispute() { isDisputed = false }

    /// Until when a ping that is out may be answered before the link is doubted.
    var trustedUntil: UInt64? { pingedAt.map { $0 + patience } }

    /// Whether a ping has had no answer for too long.
    func isSuspicious(at now: Moment) -> Bool { trustedUntil.map { $0 < now.uptime } ?? false }

    /// Notes that bytes came.
    mutating func hear(at now: Moment) {
        lastHeard = now.uptime
        pingedAt = nil
        patience = Timing.suspiciousSilence
    }

    /// The number of a ping that goes out then.
    static func pingNumber(_ uptime: UInt64) -> UInt64 { uptime & 0xFFFF_FFFF }

    /// Notes that a ping is out.
    mutating func ping(at now: Moment, patience: UInt64) {
        pingedAt = pingedAt ?? now.uptime
        self.patience = min(self.patience, patience)
    }

    /// Notes who is there and what they have.
    mutating func greet(_ peer: Peer, has vector: VersionVector, _ digest: Digest) {
        self.peer = peer
        stated = vector
        statedDigest = digest
    }

    /// Notes that a delta, or everything, is on its way to the peer.
    mutating func send(_ delta: Delta) {
        awaitsAnswer = true
        sent = delta.upto
        isUnionUnanswered = delta.isUnion
        guard delta.isUnion else { return }
        owesUnion = false
        sentUnion = true
        unions += 1
    }

    /// Asks for everything to be sent, because the peer holds `theirs` where this device holds
    /// `ours`; whether it will be.
    ///
    /// For the same two digests it was of no use and is not tried again.
    mutating func oweUnion(ours: Digest, theirs: Digest?) -> Bool {
        guard !owesUnion, unions < Link.mostUnions, repaired != [ours, theirs] else {
            return false
        }
        repaired = [ours, theirs]
        owesUnion = true
        return true
    }

    /// Asks for everything to be sent in return for the peer's, unless that was in return.
    mutating func returnUnion() {
        if !sentUnion, unions < Link.mostUnions { owesUnion = true }
    }

    /// Notes that both hold the same.
    mutating func agree() {
        sentUnion = false
        owesUnion = false
    }

    /// Notes what the peer has on disk, and that it answered.
    ///
    /// Only an acknowledgement of all that was sent is the answer; otherwise a peer could ask for
    /// the same again and again by acknowledging nothing.
    mutating func acknowledge(_ acknowledgement: Acknowledgement) {
        if acknowledgement.vector.covers(sent) {
            awaitsAnswer = false
            fruitlessNeeds = 0
        }
        stated.join(acknowledgement.vector)
        statedDigest = stated == acknowledgement.vector ? acknowledgement.digest : nil
    }

    /// Notes that a delta showed what the peer has on disk.
    mutating func learn(_ vector: VersionVector) {
        guard !stated.covers(vector) else { return }
        stated.join(vector)
        statedDigest = nil
    }

    /// Notes that a delta did not fit; whether it makes sense to try again.
    mutating func need(_ vector: VersionVector) -> Bool {
        awaitsAnswer = false
        fruitlessNeeds += 1
        // The peer has seen less than it had said: first the rest, then everything.
        if isUnionUnanswered { owesUnion = true }
        stated = vector
        statedDigest = nil
        return fruitlessNeeds < 3
    }
}
