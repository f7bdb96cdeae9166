import SessionCRDT
import SyncProtocol

/// How far the peer of one link is: what it has, what is on its way to it, and what it is owed.
struct Exchange: Sendable {
    /// What the peer has said that it has on disk.
    private(set) var stated: VersionVector
    /// The digest that belongs to `stated`; nil when `stated` was joined from other messages.
    private(set) var statedDigest: Digest?
    /// Whether a delta is on its way that the peer has not answered.
    ///
    /// One at a time: what is written meanwhile goes together in the next, so nothing piles up for
    /// a slow peer.
    var awaitsAnswer: Bool { sentAt != nil }
    /// When the delta that is unanswered went out; nil while there is none.
    private(set) var sentAt: UInt64?
    /// Whether everything is to be sent, to repair a difference, once the peer lacks nothing.
    private(set) var owesUnion = false

    /// Whether the peer sent everything and was not answered, so that it must be asked for again
    /// should the disk lose it: what has been seen does not tell that something is missing.
    private(set) var owesAnswerToUnion = false

    /// Whether the peer sent more than a session may hold: nothing more is taken of it.
    private(set) var isRefused = false

    /// What the peer has once it has taken the last delta.
    private var sent = VersionVector()
    /// Whether the last delta was everything.
    private var lastWasUnion = false
    /// The digest of what was sent when that was everything and the difference is not known to be
    /// gone: then sending the same again would not help.
    private var sentUnion: Digest?
    /// The two digests for which everything was sent last.
    private var repaired: [Digest?] = []
    private var unions = 0
    private var lastUnionAt: UInt64 = 0
    /// When the digests are compared again, because everything was sent too often of late; nil
    /// while nothing waits for that.
    private(set) var compareAt: UInt64?
    /// Of what the peer was told a digest without having asked.
    private var said: VersionVector?
    private var fruitlessNeeds = 0
    private var lastNeed: UInt64?

    /// How often everything is sent by one link as soon as the digests differ; after that only now
    /// and then.
    static let mostUnions = 8

    /// The exchange with a peer that has just said what it has.
    init(stated: VersionVector, digest: Digest) {
        self.stated = stated
        statedDigest = digest
    }

    /// Whether the peer has this, and nothing is on its way to it.
    func isLevel(with vector: VersionVector) -> Bool { !awaitsAnswer && stated == vector }

    /// Notes that the peer sent more than a session may hold.
    mutating func refuse() { isRefused = true }

    /// Notes that a delta, or everything, is on its way to the peer, of what has this digest.
    mutating func send(_ delta: Delta, of digest: Digest, at now: Moment) {
        sentAt = now.uptime
        sent = delta.upto
        lastWasUnion = delta.isUnion
        guard delta.isUnion else { return }
        owesUnion = false
        sentUnion = digest
        unions += 1
        lastUnionAt = now.uptime
    }

    /// Asks for everything to be sent, because the peer holds `theirs` where this device holds
    /// `ours`; whether it will be.
    ///
    /// For the same two digests it was of no use and is not tried again.
    mutating func oweUnion(ours: Digest, theirs: Digest?, at now: Moment) -> Bool {
        compareAt = nil
        guard !owesUnion, repaired != [ours, theirs] else { return false }
        guard mayUnite(at: now) else {
            compareAt = lastUnionAt + Timing.unionSpacing
            return false
        }
        repaired = [ours, theirs]
        owesUnion = true
        return true
    }

    /// Asks for everything to be sent in return for the peer's, unless the peer was sent just that.
    mutating func returnUnion(of ours: Digest, at now: Moment) {
        if sentUnion != ours, mayUnite(at: now) { owesUnion = true }
    }

    /// Whether everything may be sent once more: each may come too late where somebody writes all
    /// the while, and two that never agree must not fill the line.
    private func mayUnite(at now: Moment) -> Bool {
        unions < Exchange.mostUnions || now.uptime >= lastUnionAt + Timing.unionSpacing
    }

    /// Whether it is time to compare the digests again.
    mutating func takeComparison(at now: Moment) -> Bool {
        guard let time = compareAt, time <= now.uptime else { return false }
        compareAt = nil
        return true
    }

    /// Notes that both hold the same.
    mutating func agree() {
        sentUnion = nil
        owesUnion = false
        compareAt = nil
    }

    /// Notes what the peer has on disk, and that it answered.
    ///
    /// Only an acknowledgement of all that was sent is the answer; otherwise a peer could ask for
    /// the same again and again by acknowledging nothing.
    mutating func acknowledge(_ acknowledgement: Acknowledgement) {
        if acknowledgement.vector.covers(sent) {
            sentAt = nil
            fruitlessNeeds = 0
        }
        stated.join(acknowledgement.vector)
        statedDigest = stated == acknowledgement.vector ? acknowledgement.digest : nil
    }

    /// Whether the peer is to be told what is held of this, because only others have said that it
    /// has the same; once for each.
    mutating func sayDigest(of vector: VersionVector) -> Bool {
        guard statedDigest == nil, said != vector else { return false }
        said = vector
        return true
    }

    /// Notes that a delta, or somebody else, told what the peer has on disk.
    mutating func learn(_ vector: VersionVector) {
        guard !stated.covers(vector) else { return }
        stated.join(vector)
        statedDigest = nil
    }

    /// Notes that a delta came.
    mutating func take(_ delta: Delta) {
        learn(delta.upto)
        if delta.isUnion { owesAnswerToUnion = true }
    }

    /// Notes that the peer is told what is on disk here.
    mutating func answer() { owesAnswerToUnion = false }

    /// Notes that a delta did not fit, or was lost to the peer's disk; whether it makes sense to
    /// try again.
    ///
    /// A peer whose disk is full takes its time.
    mutating func need(_ vector: VersionVector, at now: Moment) -> Bool {
        sentAt = nil
        if let lastNeed, now.uptime >= lastNeed + Timing.needSpacing { fruitlessNeeds = 0 }
        lastNeed = now.uptime
        fruitlessNeeds += 1
        // The peer has seen less than it had said: first the rest, then everything.
        if lastWasUnion { owesUnion = true }
        stated = vector
        statedDigest = nil
        return fruitlessNeeds < 3
    }
}

/// Deltas that came and that this device's disk did not take: by which links, and when to ask for
/// them again.
///
/// The links stay, for nothing is wrong with them. One is asked at a time, after pauses that grow,
/// so that a full disk does not keep everybody busy with what it cannot take; all are as soon as it
/// takes something.
struct RefusedDeltas: Sendable {
    /// When to ask for them again; nil while there are none.
    var askAt: UInt64? { owing.isEmpty ? nil : time }

    private var owing: Set<LinkID> = []
    private var time: UInt64 = 0
    /// The last pause; 0 since the disk has taken something.
    private var pause: UInt64 = 0
    /// Whether somebody was asked, so that the next batch shows whether the disk takes it.
    private var isTrying = false

    /// The disk has refused a batch; `jitter` is between 0 and 1.
    ///
    /// What it refuses before the time has come, such as what the user types, puts nothing off.
    mutating func fail(at now: Moment, jitter: Double) {
        guard isTrying || now.uptime >= time else { return }
        isTrying = false
        pause = Timing.pause(after: pause, in: Timing.askAgain)
        time = now.uptime + Timing.spread(pause, jitter)
    }

    /// Notes that a delta of the link was lost to the disk.
    mutating func add(_ link: LinkID) { owing.insert(link) }

    /// Forgets a link that is gone.
    mutating func remove(_ link: LinkID) { owing.remove(link) }

    /// The disk has taken a batch: there is no reason to wait any longer.
    mutating func succeed(at now: Moment) {
        pause = 0
        isTrying = false
        time = min(time, now.uptime)
    }

    /// The links that are asked now, if it is time, in the order of their numbers.
    mutating func takeDue(at now: Moment) -> [LinkID] {
        guard let askAt, askAt <= now.uptime else { return [] }
        let links = owing.sorted()
        guard pause > 0, let first = links.first else {
            owing = []
            return links
        }
        owing.remove(first)
        isTrying = true
        time = now.uptime + pause
        return [first]
    }
}
