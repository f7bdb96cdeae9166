import SessionCRDT
import SyncProtocol

/// An address where a member of a session is, was or may be, and when to try it next.
struct Contact: Hashable, Sendable {
    let endpoint: Endpoint
    /// Who answered or announced itself there last; an announcement may lie.
    private(set) var device: DeviceID?
    /// Which run of that device announced itself there last.
    private(set) var instance: InstanceID?
    /// Who proved to be a member there last, and is expected to be one still.
    private(set) var member: DeviceID?
    /// Which run of the member was linked last.
    private(set) var metInstance: InstanceID?
    /// Whether the user typed it.
    var isTyped: Bool
    /// Whether a member told of the address.
    var isTold: Bool
    /// Whether a member has answered there, and has not been missed there since.
    private(set) var isProven: Bool
    /// When a member answered last, by this run's clock; 0: before this run.
    private(set) var reachedAt: UInt64 = 0
    /// Whether a dial is under way, which it is until the peer has said hello.
    private(set) var isDialling = false
    /// When to dial next, unless linked; nil: not before something happens.
    private(set) var dueAt: UInt64?
    /// Whether both had all of a finished session: the contact rests until something is written.
    private(set) var waitsForNews = false
    private(set) var failures = 0

    init(
        _ endpoint: Endpoint,
        member: DeviceID? = nil,
        isTyped: Bool = false,
        isTold: Bool = false,
        dueAt: UInt64? = nil
    ) {
        self.endpoint = endpoint
        self.device = member
        self.member = member
        self.isTyped = isTyped
        self.isTold = isTold
        self.isProven = member != nil
        self.dueAt = dueAt
    }

    /// Asks for a dial now.
    mutating func hurry(at now: Moment) { look(at: now.uptime) }

    /// Asks for a dial at that time, if there is no link then.
    mutating func look(at time: UInt64) {
        waitsForNews = false
        dueAt = min(dueAt ?? time, time)
    }

    /// Puts a dial off until that time.
    mutating func putOff(until time: UInt64) { dueAt = time }

    /// Asks for no dial until something happens; `untilNews`: a write here is enough.
    mutating func rest(untilNews: Bool) {
        dueAt = nil
        waitsForNews = untilNews
    }

    /// Notes who says to be there.
    mutating func claim(_ device: DeviceID, _ instance: InstanceID) {
        self.device = device
        self.instance = instance
    }

    /// Notes that nobody answered: whatever was announced there, another run of a device that is
    /// linked elsewhere is no reason to go on.
    mutating func doubt() { instance = nil }

    /// Notes that a dial starts.
    mutating func dial() {
        isDialling = true
        dueAt = nil
    }

    /// Notes that a member answered.
    mutating func reach(_ device: DeviceID, _ instance: InstanceID, at now: Moment) {
        claim(device, instance)
        member = device
        metInstance = instance
        isDialling = false
        isProven = true
        reachedAt = now.uptime
        dueAt = nil
    }

    /// Notes that the dial is over, one way or the other.
    mutating func dialEnded() { isDialling = false }

    /// Notes that who was there is no member any more: it announces itself when it comes back.
    mutating func leave() {
        member = nil
        isProven = false
        rest(untilNews: false)
    }

    /// Notes that the link is gone or never came, and asks for a dial after a pause that doubles
    /// with every failure; `jitter` is between 0 and 1.
    ///
    /// A link that `hasLived` was of use for a while, so that its end is no failure of the address.
    mutating func fail(at now: Moment, jitter: Double, hasLived: Bool = false) {
        isDialling = false
        failures = hasLived ? 1 : min(failures + 1, 64)
        let pause = min(
            Timing.redial.upperBound,
            Timing.redial.lowerBound << UInt64(min(failures - 1, 10))
        )
        dueAt = now.uptime + UInt64(Double(pause) * (0.8 + 0.4 * jitter))
    }

    /// Whether nothing but an announcement, which anybody can make up, speaks for the address.
    var isRumour: Bool { !isProven && !isTyped && !isTold }

    /// Whether no member answers there and none will: it may be dropped.
    var isHopeless: Bool { !isProven && !isTyped && failures >= Timing.hopelessDials }
}
