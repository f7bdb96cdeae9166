import SessionCRDT
import SyncProtocol

/// The exchange of state over one link: what the peer has on disk, what is on its way to it, and
/// what must still be sent.
///
/// Delta exchange: both sides say in their hello which writes they have on disk, as a version
/// vector. Each sends what the other lacks as one delta and waits for the acknowledgement before it
/// sends the next; what is written meanwhile goes together into that one, so nothing piles up for a
/// slow peer. A delta names the vector on which it builds; a peer that has less answers with `need`
/// and its own vector. When both vectors are equal the digests of the states must be, too. If they
/// are not (a disk gave back something else than was written), both sides send their whole state, a
/// union, which merges without regard to what was seen; that is tried once for each pair of
/// digests, and only at intervals after `maxUnions`.
struct Exchange: Sendable {
    /// The writes that the peer is known to have on disk.
    private(set) var peerVector: VersionVector
    /// The digest of the peer's state at `peerVector`; nil if part of the vector was reported by
    /// others.
    private(set) var peerDigest: Digest?
    /// The time at which the unanswered delta was sent; nil if there is none.
    private(set) var sentAt: UInt64?
    var awaitsAnswer: Bool { sentAt != nil }
    /// Whether the full state must be sent to repair a difference, once the peer lacks nothing.
    private(set) var owesUnion = false
    /// Whether the peer sent its full state and was not answered.
    ///
    /// If the disk loses that, it must be requested again: the vector does not show the loss.
    private(set) var owesAckForUnion = false
    /// Whether the peer sent more than a session may hold, so that its deltas are ignored.
    private(set) var isRefused = false

    /// The writes that the peer will have after applying the last delta.
    private var sent = VersionVector()
    private var lastWasUnion = false
    /// The digest of the union sent last, while the difference may still exist: sending the same
    /// again would not help.
    private var sentUnion: Digest?
    /// The two digests for which the full state was sent last.
    private var repaired: [Digest?] = []
    private var unions = 0
    private var lastUnionAt: UInt64 = 0
    /// The time at which digests are compared again; nil unless too many unions were sent.
    private(set) var compareAt: UInt64?
    /// The vector whose digest the peer was last sent without a request.
    private var digestSentFor: VersionVector?
    private var consecutiveNeeds = 0
    private var lastNeed: UInt64?

    /// The number of unions that one link sends as soon as the digests differ.
    static let maxUnions = 8

    /// Creates the exchange with a peer that has just said hello.
    init(peerVector: VersionVector, peerDigest: Digest) {
        (self.peerVector, self.peerDigest) = (peerVector, peerDigest)
    }

    /// Whether the peer has exactly this state and owes no acknowledgement.
    func isLevel(with vector: VersionVector) -> Bool { !awaitsAnswer && peerVector == vector }

    /// Ignores all further deltas of the peer, which sent more than a session may hold.
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

    /// Plans a union, because the peer holds `theirs` where this device holds `ours`; returns
    /// whether it will be sent.
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

    /// Plans a union in reply to the peer's, unless the peer was sent just that.
    mutating func replyWithUnion(of ours: Digest, at now: Moment) {
        if sentUnion != ours, maySendUnion(at: now) { owesUnion = true }
    }

    /// Whether another union is allowed: during constant writing each may arrive too late, and two
    /// devices that never converge must not flood the network.
    private func maySendUnion(at now: Moment) -> Bool {
        unions < Exchange.maxUnions || now.uptime >= lastUnionAt + Timing.unionSpacing
    }

    /// Whether it is time to compare digests again; true once.
    mutating func isComparisonDue(at now: Moment) -> Bool {
        guard let time = compareAt, time <= now.uptime else { return false }
        compareAt = nil
        return true
    }

    mutating func markEqual() { (sentUnion, owesUnion, compareAt) = (nil, false, nil) }

    /// Applies the peer's acknowledgement.
    ///
    /// Only one that covers everything sent completes the delta: otherwise a peer could cause
    /// endless resends by acknowledging nothing.
    mutating func apply(_ acknowledgement: Acknowledgement) {
        if acknowledgement.vector.covers(sent) {
            sentAt = nil
            consecutiveNeeds = 0
        }
        peerVector.join(acknowledgement.vector)
        peerDigest = peerVector == acknowledgement.vector ? acknowledgement.digest : nil
    }

    /// Whether the peer must be sent the digest of this state, because only others have said that
    /// it has the same; true once for each vector.
    mutating func needsDigest(of vector: VersionVector) -> Bool {
        guard peerDigest == nil, digestSentFor != vector else { return false }
        digestSentFor = vector
        return true
    }

    /// Records what the peer has on disk according to a delta or to another device.
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

    /// Applies the peer's answer that a delta did not fit or was lost to its disk; returns whether
    /// it makes sense to try again.
    ///
    /// A peer with a full disk takes its time between two such answers.
    mutating func applyNeed(_ vector: VersionVector, at now: Moment) -> Bool {
        sentAt = nil
        if let lastNeed, now.uptime >= lastNeed + Timing.needSpacing { consecutiveNeeds = 0 }
        lastNeed = now.uptime
        consecutiveNeeds += 1
        // Resends what the peer now lacks first, and then the union.
        if lastWasUnion { owesUnion = true }
        peerVector = vector
        peerDigest = nil
        return consecutiveNeeds < 3
    }
}

/// The links whose deltas this device's disk refused, and the time to request them again.
///
/// The links stay open, because nothing is wrong with them. One is asked at a time, after pauses
/// that grow, so that a full disk does not keep all peers busy; all are asked as soon as the disk
/// accepts something.
struct RefusedDeltas: Sendable {
    /// The time of the next request; nil if nothing was refused.
    var askAt: UInt64? { links.isEmpty ? nil : time }

    private var links: Set<LinkID> = []
    private var time: UInt64 = 0
    /// The last pause; 0 since the disk has accepted something.
    private var pause: UInt64 = 0
    /// Whether a link was asked, so that the next batch shows whether the disk works.
    private var isTrying = false

    mutating func add(_ link: LinkID) { links.insert(link) }
    mutating func remove(_ link: LinkID) { links.remove(link) }

    /// Plans a later request after the disk refused a batch; `jitter` is between 0 and 1.
    ///
    /// A refusal before the time of the next request, such as of user input, does not delay it.
    mutating func diskFailed(at now: Moment, jitter: Double) {
        guard isTrying || now.uptime >= time else { return }
        isTrying = false
        pause = Timing.nextPause(after: pause, in: Timing.refusedBackoff)
        time = now.uptime + Timing.jittered(pause, jitter)
    }

    /// Ends the pause, because the disk has accepted a batch.
    mutating func diskRecovered(at now: Moment) {
        (pause, isTrying) = (0, false)
        time = min(time, now.uptime)
    }

    /// Removes and returns the links to ask now, in ascending order.
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
