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
    /// Whether the whole was sent already to repair a difference; once per link.
    private(set) var sentUnion = false
    private(set) var lastHeard: UInt64
    /// Whether a ping is out that nothing has answered.
    private(set) var isPinged = false
    private var fruitlessNeeds = 0

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

    /// Notes that bytes came.
    mutating func hear(at now: Moment) {
        lastHeard = now.uptime
        isPinged = false
    }

    /// Notes that a ping is out.
    mutating func ping() { isPinged = true }

    /// Notes who is there and what they have.
    mutating func greet(_ peer: Peer, has vector: VersionVector, _ digest: Digest) {
        self.peer = peer
        stated = vector
        statedDigest = digest
    }

    /// Notes that a delta, or everything, is on its way to the peer.
    mutating func send(_ delta: Delta) {
        awaitsAnswer = true
        if delta.isUnion { sentUnion = true }
    }

    /// Notes what the peer has on disk, and that it answered.
    mutating func acknowledge(_ acknowledgement: Acknowledgement) {
        awaitsAnswer = false
        fruitlessNeeds = 0
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
        stated = vector
        statedDigest = nil
        return fruitlessNeeds < 3
    }
}
