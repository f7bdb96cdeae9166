package import SessionCRDT
package import SyncProtocol

/// An address at which a member of a session was or may be found, and when to dial it next.
///
/// Redialling backs off: the pause doubles with every failure, from half a second up to a maximum,
/// with jitter so that devices that started together drift apart. A hint that a peer is there (an
/// announcement, a referral by another member, a local write in a finished session) brings the next
/// dial forward. Hints can be forged. An address whose announced instances do not answer is dialled
/// for announcements less and less often, and an address known only from announcements is dropped
/// after `Timing.maxFailedDials` failures.
package struct Contact: Hashable, Sendable {
    package let endpoint: Endpoint
    /// The device that answered or announced itself there last; an announcement may lie.
    private(set) var device: DeviceID?
    /// The instance that announced itself there last.
    private(set) var instance: InstanceID?
    /// The member that was linked there last and is expected there; nil once it has left.
    package private(set) var member: DeviceID?
    /// The instance of the member that was linked last.
    private(set) var linkedInstance: InstanceID?
    /// Whether the user typed the address.
    package internal(set) var isTyped: Bool
    /// Whether a member sent the address.
    var isReferred: Bool
    /// The uptime at which a member answered last; 0 if none has in this run.
    private(set) var reachedAt: UInt64 = 0

    private var failures = 0
    /// The last pause between a failure and the next dial; 0 before the first.
    private var backoff: UInt64 = 0
    /// The last pause before polling a member that holds the same finished session, or 0.
    private var pollInterval: UInt64 = 0
    /// The number of times an instance was announced there and another one answered.
    private var falseAnnouncements = 0
    /// Whether a dial is under way, until the peer has said hello.
    private(set) var isDialling = false
    /// The time of the next dial, or of the one after that under way.
    private var plannedAt: UInt64?
    /// Whether both sides hold all of a finished session: only the next local write causes a dial.
    private(set) var waitsForChange = false

    init(
        _ endpoint: Endpoint,
        member: DeviceID? = nil,
        isTyped: Bool = false,
        isReferred: Bool = false,
        dueAt: UInt64? = nil
    ) {
        (self.endpoint, device, self.member) = (endpoint, member, member)
        (self.isTyped, self.isReferred, plannedAt) = (isTyped, isReferred, dueAt)
    }

    /// Creates a stored address of a member, or one that the user typed.
    package init(stored endpoint: Endpoint, of member: DeviceID?, isTyped: Bool = false) {
        self.init(endpoint, member: member, isTyped: isTyped, isReferred: true)
    }

    /// The time of the next dial; nil while one is under way or none is planned.
    var dueAt: UInt64? { isDialling ? nil : plannedAt }

    /// Whether a member has answered there and has not left since.
    var isConfirmed: Bool { member != nil }

    /// Whether the address is known only from announcements, which anyone can forge.
    var isUnverified: Bool { !isConfirmed && !isTyped && !isReferred }

    /// Whether `Timing.maxFailedDials` dials in a row have failed: no peer seems to be there.
    var isUnresponsive: Bool { failures >= Timing.maxFailedDials }

    /// Whether no member has answered there or is likely to: the address may be dropped.
    var isUnreachable: Bool { !isConfirmed && !isTyped && isUnresponsive }

    /// Whether the address belongs to a peer that is not among the linked ones.
    func isMissing(from linked: [Link.Peer]) -> Bool {
        guard let member else { return isTyped }
        return !linked.contains { $0.device == member }
    }

    // MARK: When to dial

    /// Plans a dial now, or after the one under way.
    mutating func dialNow(at now: Moment) {
        plannedAt = min(plannedAt ?? .max, now.uptime)
        waitsForChange = false
    }

    /// Plans a dial now, unless one is planned soon.
    mutating func dialNowIfIdle(at now: Moment) {
        if plannedAt == nil || isBackedOff(at: now) { dialNow(at: now) }
    }

    mutating func postponeDial(until time: UInt64) { plannedAt = time }
    mutating func pause() { (plannedAt, waitsForChange) = (nil, false) }

    /// Plans a dial on the next local write, because both sides hold all of a finished session; and
    /// at long intervals, because the other side may write and be unable to dial.
    mutating func pauseUntilChange(at now: Moment, jitter: Double, wait: UInt64 = 0) {
        let pause = Timing.jittered(max(pollInterval, Timing.finishedPoll.lowerBound), jitter)
        (plannedAt, waitsForChange) = (now.uptime + pause + wait, true)
    }

    /// Ends the long pauses of a finished session, because something was written here.
    mutating func wake(at now: Moment) {
        backoff = min(backoff, Timing.redialBackoff.upperBound)
        pollInterval = 0
        if waitsForChange || isBackedOff(at: now) { dialNow(at: now) }
    }

    /// Whether the next dial is later than any of an unfinished session would be.
    private func isBackedOff(at now: Moment) -> Bool {
        dueAt.map { $0 > now.uptime + Timing.redialBackoff.upperBound * 2 } ?? false
    }

    // MARK: What happens there

    /// Plans a dial after an instance announced itself there: now, or some time after the last
    /// answer if earlier announcements from there were false.
    mutating func receiveAnnouncement(of device: DeviceID, _ instance: InstanceID, at now: Moment) {
        (self.device, self.instance) = (device, instance)
        guard falseAnnouncements > 0, isConfirmed else { return dialNow(at: now) }
        let distrust = min(Timing.dialSpacing << falseAnnouncements, Timing.maxDistrust)
        guard now.uptime < reachedAt + distrust else { return dialNow(at: now) }
        postponeDial(until: min(dueAt ?? .max, reachedAt + distrust))
    }

    /// Records that a member sent the address.
    ///
    /// The member does not name the instance there: of a cloned home it may be another copy.
    mutating func receiveReferral(linked: [InstanceID]) {
        isReferred = true
        if let instance, linked.contains(instance) { return }
        (device, instance) = (nil, nil)
    }

    mutating func startDial() {
        if waitsForChange {
            let polls = Timing.finishedPoll
            pollInterval = min(polls.upperBound, max(polls.lowerBound, pollInterval) * 2)
        }
        (isDialling, plannedAt) = (true, nil)
    }

    /// Records the answer of a member; a contact that waits for a change still waits while linked.
    mutating func recordAnswer(of device: DeviceID, _ instance: InstanceID, at now: Moment) {
        if let announced = self.instance, announced != instance {
            falseAnnouncements = min(falseAnnouncements + 1, 16)
        }
        (self.device, self.instance) = (device, instance)
        (member, linkedInstance) = (device, instance)
        reachedAt = now.uptime
        failures = 0
        (isDialling, plannedAt) = (false, nil)
    }

    mutating func endDial() { isDialling = false }

    /// Forgets the announced instance after an unanswered dial; the address is then no longer
    /// dialled for an instance that may be linked elsewhere.
    mutating func forgetInstance() {
        instance = nil
        device = device ?? member
    }

    /// Records that the member has left the session; it will announce itself if it comes back.
    mutating func memberLeft() {
        member = nil
        pause()
    }

    /// Plans a dial after a link has ended or failed: after a pause that doubles with every
    /// failure, up to `maxPause`; `jitter` is between 0 and 1.
    ///
    /// The end of a link that `hasLived` for a while is not a failure of the address.
    mutating func recordFailure(
        at now: Moment,
        jitter: Double,
        _ hasLived: Bool = false,
        maxPause: UInt64 = Timing.redialBackoff.upperBound
    ) {
        failures = hasLived ? 1 : min(failures + 1, 64)
        falseAnnouncements = 0
        backoff = Timing.nextPause(
            after: hasLived ? 0 : backoff,
            in: Timing.redialBackoff.lowerBound...maxPause
        )
        isDialling = false
        plannedAt = now.uptime + Timing.jittered(backoff, jitter)
    }
}
