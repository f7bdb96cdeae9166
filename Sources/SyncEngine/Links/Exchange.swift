import SessionCRDT
import SyncProtocol

/// The exchange of state over one link: what the peer has on disk, what was sent to it, and what
/// must still be sent.
///
/// Delta exchange: the hello of each side contains a version vector of the writes that it has on
/// disk. Each side sends what the other lacks as one delta, and waits for the acknowledgement
/// before it sends the next; later writes are combined in that next delta, so nothing piles up for
/// a slow peer. A delta names the vector on which it is based; a peer that has seen less answers
/// with `need` and its own vector. When both vectors are equal, the digests of the states must be
/// equal, too. If they are not (because a disk was corrupted), both sides send a union: their full
/// state, which is merged without regard to the vectors. That is tried once for each pair of
/// digests, and after `maxUnions` only at intervals.
struct Exchange: Sendable {
    /// The writes that the peer is known to have on disk.
    private(set) var peerVector: VersionVector
    /// The digest of the peer's state at `peerVector`; nil if part of that vector was reported by
    /// other peers.
    private(set) var peerDigest: Digest?
    /// The time at which the unanswered delta was sent; nil if there is none.
    private(set) var sentAt: UInt64?
    var awaitsAnswer: Bool { sentAt != nil }
    /// Whether the full state must be sent to repair a difference, after everything the peer lacks.
    private(set) var owesUnion = false
    /// Whether the peer's full state arrived and is not acknowledged yet.
    ///
    /// If the disk refuses it, it must be requested again, because the vector does not show the
    /// loss.
    private(set) var owesAckForUnion = false
    /// Whether equal vectors had different digests, and the peer's full state has not shown why.
    var hasMismatch = false
    /// Whether the peer sent more than a session may hold, so that its deltas are ignored.
    private(set) var isRefused = false

    /// The writes that the peer will have seen after it applies the last delta.
    private var sent = VersionVector()
    private var lastWasUnion = false
    /// The digest of the last union, while the difference may still exist: sending the same state
    /// again would not help.
    private var sentUnion: Digest?
    /// The pair of digests for which a union was last sent.
    private var repaired: [Digest?] = []
    private var unions = 0
    private var lastUnionAt: UInt64 = 0
    /// The time at which digests are compared again; nil unless too many unions were sent.
    private(set) var compareAt: UInt64?
    /// The vector for which the peer was last sent a digest unasked.
    private var digestSentFor: VersionVector?
    private var consecutiveNeeds = 0
    private var lastNeed: UInt64?

    /// The number of unions that one link sends without a pause between them.
    static let maxUnions = 8

    init(peerVector: VersionVector, peerDigest: Digest) {
        (self.peerVector, self.peerDigest) = (peerVector, peerDigest)
    }

    /// Whether the peer has exactly the writes of this vector and owes no acknowledgement.
    func isLevel(with vector: VersionVector) -> Bool { !awaitsAnswer && peerVector == vector }

    /// Ignores all further deltas of the peer, because it sent more than a session may hold.
    mutating func refuse() { isRefused = true }

    /// Records that a delta or union of the state with this digest was sent.
    mutating func recordSent(_ delta: Delta, of digest: Digest, at now: Moment) {
        sentAt = now.uptime
        sent = delta.upto
        lastWasUnion = delta.isUnion
        guard delta.isUnion else { return }
        owesUnion = false
        sentUnion = digest
        unions += 1
        lastUnionAt = now.uptime
    }

    /// Plans a union, because the digests of this device and the peer differ; returns whether it
    /// will be sent.
    mutating func planUnion(ours: Digest, theirs: Digest?, at now: Moment) -> Bool {
        compareAt = nil
        guard !owesUnion, repaired != [ours, theirs] else { return false }
        guard maySendUnion(at: now) else {
            compareAt = lastUnionAt + Timing.unionSpacing
            return false
        }
        repaired = [ours, theirs]
        owesUnion = true
        return true
    }

    /// Plans a union in reply to the peer's union, unless this state was sent as a union already.
    mutating func replyWithUnion(of ours: Digest, at now: Moment) {
        if sentUnion != ours, maySendUnion(at: now) { owesUnion = true }
    }

    /// Whether another union may be sent: while users keep writing, each union may be outdated on
    /// arrival, and two devices that never converge must not flood the network.
    private func maySendUnion(at now: Moment) -> Bool {
        unions < Exchange.maxUnions || now.uptime >= lastUnionAt + Timing.unionSpacing
    }

    /// Whether it is time to compare digests again; returns true once.
    mutating func isComparisonDue(at now: Moment) -> Bool {
        guard let time = compareAt, time <= now.uptime else { return false }
        compareAt = nil
        return true
    }

    mutating func markEqual() {
        (sentUnion, owesUnion, compareAt, hasMismatch) = (nil, false, nil, false)
    }

    /// Applies the peer's acknowledgement.
    ///
    /// Only an acknowledgement of everything that was sent completes the delta: otherwise a peer
    /// could cause endless resends by acknowledging nothing.
    mutating func apply(_ acknowledgement: Acknowledgement) {
        if acknowledgement.vector.covers(sent) {
            sentAt = nil
            consecutiveNeeds = 0
        }
        peerVector.join(acknowledgement.vector)
        peerDigest = peerVector == acknowledgement.vector ? acknowledgement.digest : nil
    }

    /// Whether the peer must be sent the digest of this state, because it is known only from other
    /// peers that it has the same vector; returns true once per vector.
    mutating func needsDigest(of vector: VersionVector) -> Bool {
        guard peerDigest == nil, digestSentFor != vector else { return false }
        digestSentFor = vector
        return true
    }

    /// Records what the peer has on disk, according to its delta or to another peer.
    mutating func learn(_ vector: VersionVector) {
        guard !peerVector.covers(vector) else { return }
        peerVector.join(vector)
        peerDigest = nil
    }

    mutating func recordReceived(_ delta: Delta) {
        learn(delta.upto)
        if delta.isUnion { owesAckForUnion = true }
    }

    mutating func recordAckSent() { owesAckForUnion = false }

    /// Applies a `need` of the peer, whose state lacks the base of a delta or whose disk lost one;
    /// returns whether to send a delta again.
    ///
    /// An honest peer, even with a full disk, pauses between two needs.
    mutating func applyNeed(_ vector: VersionVector, at now: Moment) -> Bool {
        sentAt = nil
        if let lastNeed, now.uptime >= lastNeed + Timing.needSpacing { consecutiveNeeds = 0 }
        lastNeed = now.uptime
        consecutiveNeeds += 1
        // Sends what the peer lacks first, and the union after it.
        if lastWasUnion { owesUnion = true }
        peerVector = vector
        peerDigest = nil
        return consecutiveNeeds < 3
    }
}

/// The links whose deltas this device's disk refused, and the time to request these again.
///
/// The links stay open, because they work. Links are asked one at a time, after growing pauses, so
/// that a full disk does not keep all peers busy; all are asked as soon as the disk accepts a
/// batch.
struct RefusedDeltas: Sendable {
    var askAt: UInt64? { links.isEmpty ? nil : time }

    private var links: Set<LinkID> = []
    private var time: UInt64 = 0
    /// The last pause; 0 after the disk has accepted a batch.
    private var pause: UInt64 = 0
    /// Whether a link was asked, so that the next batch shows whether the disk works again.
    private var isTrying = false

    mutating func add(_ link: LinkID) { links.insert(link) }
    mutating func remove(_ link: LinkID) { links.remove(link) }

    /// Plans a later request after the disk has refused a batch; `jitter` is between 0 and 1.
    ///
    /// A refusal that no request caused, such as that of a local write, does not delay a planned
    /// request.
    mutating func diskFailed(at now: Moment, jitter: Double) {
        guard isTrying || now.uptime >= time else { return }
        isTrying = false
        pause = Timing.nextPause(after: pause, in: Timing.refusedBackoff)
        time = now.uptime + Timing.jittered(pause, jitter)
    }

    /// Ends the pause after the disk has accepted a batch.
    mutating func diskRecovered(at now: Moment) {
        (pause, isTrying) = (0, false)
        time = min(time, now.uptime)
    }

    /// Removes and returns the links to ask now, sorted by id.
    mutating func linksToAsk(at now: Moment) -> [LinkID] {
        guard let askAt, askAt <= now.uptime else { return [] }
        let sorted = links.sorted()
        guard pause > 0, let first = sorted.first else {
            links = []
            return sorted
        }
        links.remove(first)
        isTrying = true
        time = now.uptime + pause
        return [first]
    }
}
