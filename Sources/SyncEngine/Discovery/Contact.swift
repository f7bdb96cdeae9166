package import SessionCRDT
package import SyncProtocol

/// An address at which a member of a session was or may be found, and when to dial it next.
///
/// Redialling backs off: the pause doubles with every failure, from half a second up to a maximum,
/// with jitter so that devices that started together drift apart. A hint that a peer is reachable
/// (an announcement, a referral by another member, a local write in a finished session) brings the
/// next dial forward. Hints can be forged: announcements from an address where other instances
/// answered than announced cause dials less and less often, and an address known only from
/// announcements is dropped after `Timing.maxFailedDials` failures.
package struct Contact: Hashable, Sendable {
    package let endpoint: Endpoint
    /// The device that last answered or announced itself at the address; an announcement may be
    /// forged.
    private(set) var device: DeviceID?
    private(set) var instance: InstanceID?
    /// The member that was last linked at the address; nil once it has left the session.
    package private(set) var member: DeviceID?
    /// The instance of the member that was last linked at the address.
    private(set) var linkedInstance: InstanceID?
    package internal(set) var isTyped: Bool
    var isReferred: Bool
    /// The uptime at which a member last answered; 0 if none has during this run.
    private(set) var reachedAt: UInt64 = 0

    private var failures = 0
    /// The last pause between a failure and the next dial; 0 before the first failure.
    private var backoff: UInt64 = 0
    /// The last pause before polling a member with the same finished session; 0 before the first.
    private var pollInterval: UInt64 = 0
    /// The number of times another instance answered than the one that was announced.
    private var falseAnnouncements = 0
    /// Whether a dial is in progress, which lasts until the peer has said hello.
    private(set) var isDialling = false
    /// The time of the next dial; while a dial is in progress, of the one after it.
    private var plannedAt: UInt64?
    /// Whether both sides have the same finished session, so that only a local write causes a dial.
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

    /// Creates the contact of a stored address, at which a member answered or which the user typed.
    package init(stored endpoint: Endpoint, of member: DeviceID?, isTyped: Bool = false) {
        self.init(endpoint, member: member, isTyped: isTyped, isReferred: true)
    }

    /// The time of the next dial; nil while a dial is in progress, or if none is planned.
    var dueAt: UInt64? { isDialling ? nil : plannedAt }

    /// Whether a member has answered at the address and has not left since.
    var isConfirmed: Bool { member != nil }

    /// Whether the address is known only from announcements, which anyone can forge.
    var isUnverified: Bool { !isConfirmed && !isTyped && !isReferred }

    var isUnresponsive: Bool { failures >= Timing.maxFailedDials }

    /// Whether no member has answered and dials keep failing, so that the address may be dropped.
    var isUnreachable: Bool { !isConfirmed && !isTyped && isUnresponsive }

    /// Whether the peer at the address is known and not linked; a typed address counts until a
    /// member answers.
    func isMissing(from linked: [Link.Peer]) -> Bool {
        guard let member else { return isTyped }
        return !linked.contains { $0.device == member }
    }

    // MARK: When to dial

    /// Plans a dial now, or right after the one in progress.
    mutating func dialNow(at now: Moment) {
        plannedAt = min(plannedAt ?? .max, now.uptime)
        waitsForChange = false
    }

    /// Plans a dial now, unless one is due soon.
    mutating func dialNowIfIdle(at now: Moment) {
        if plannedAt == nil || isBackedOff(at: now) { dialNow(at: now) }
    }

    mutating func postponeDial(until time: UInt64) { plannedAt = time }
    mutating func pause() { (plannedAt, waitsForChange) = (nil, false) }

    /// Plans a dial for the next local write, because both sides have the same finished session;
    /// and a poll after a long pause, because the other side may write and be unable to dial.
    mutating func pauseUntilChange(at now: Moment, jitter: Double, wait: UInt64 = 0) {
        let pause = Timing.jittered(max(pollInterval, Timing.finishedPoll.lowerBound), jitter)
        (plannedAt, waitsForChange) = (now.uptime + pause + wait, true)
    }

    /// Ends the long pauses of a finished session after a local write.
    mutating func wake(at now: Moment) {
        backoff = min(backoff, Timing.redialBackoff.upperBound)
        pollInterval = 0
        if waitsForChange || isBackedOff(at: now) { dialNow(at: now) }
    }

    /// Whether the next dial is later than it would be in an unfinished session.
    private func isBackedOff(at now: Moment) -> Bool {
        dueAt.map { $0 > now.uptime + Timing.redialBackoff.upperBound * 2 } ?? false
    }

    // MARK: What happens there

    /// Plans a dial after an announcement from this address: now or, if earlier announcements were
    /// false, some time after the last answer.
    mutating func receiveAnnouncement(of device: DeviceID, _ instance: InstanceID, at now: Moment) {
        (self.device, self.instance) = (device, instance)
        guard falseAnnouncements > 0, isConfirmed else { return dialNow(at: now) }
        let distrust = min(Timing.dialSpacing << falseAnnouncements, Timing.maxDistrust)
        guard now.uptime < reachedAt + distrust else { return dialNow(at: now) }
        postponeDial(until: min(dueAt ?? .max, reachedAt + distrust))
    }

    /// Records that a member sent this address.
    ///
    /// The member does not say which instance it means: after a home was copied, it may be the
    /// other one.
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

    /// Records the answer of a member; does not change whether the contact waits for a change.
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

    /// Forgets the announced instance after an unanswered dial, so that a link to that instance at
    /// another address no longer prevents dials to this one.
    mutating func forgetInstance() {
        instance = nil
        device = device ?? member
    }

    /// Records that the member has left the session; it will announce itself if it comes back.
    mutating func memberLeft() {
        member = nil
        pause()
    }

    /// Plans a dial after a link has ended or a dial has failed, after a pause that doubles with
    /// every failure up to `maxPause`; `jitter` is between 0 and 1.
    ///
    /// The end of a link that `hasLived` for a while does not count as a failure.
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
