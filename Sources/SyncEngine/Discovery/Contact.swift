import SessionCRDT
import SyncProtocol

/// An address where a member of a session is, was or may be, and when to try it next.
struct Contact: Hashable, Sendable {
    /// What is asked for, for the time when nothing is under way.
    private enum Wish: Hashable {
        /// Nothing before something happens.
        case nothing
        /// A dial as soon as something is written: both had all of a finished session.
        case news
        /// A dial then, unless linked; where it `waitsForNews`, sooner if something is written.
        case dial(at: UInt64, waitsForNews: Bool)

        /// Whether something that is written here is reason enough for a dial.
        var waitsForNews: Bool {
            switch self {
            case .nothing: false
            case .news: true
            case .dial(_, let waitsForNews): waitsForNews
            }
        }
    }

    /// Whether the contact is being reached.
    private enum State: Hashable {
        /// Nothing is under way.
        case idle(Wish)
        /// A dial is under way, which it is until the peer has said hello.
        case dialling(then: Wish)
    }

    let endpoint: Endpoint
    /// Who answered or announced itself there last; an announcement may lie.
    private(set) var device: DeviceID?
    /// Which run of that device announced itself there last.
    private(set) var instance: InstanceID?
    /// Who proved to be a member there last, and is expected to be one still; nil once they have
    /// been missed there.
    private(set) var member: DeviceID?
    /// Which run of the member was linked last.
    private(set) var metInstance: InstanceID?
    /// Whether the user typed it.
    var isTyped: Bool
    /// Whether a member told of the address.
    var isTold: Bool
    /// When a member answered last, by this run's clock; 0: before this run.
    private(set) var reachedAt: UInt64 = 0

    private var failures = 0
    /// The last pause between a failure and the next dial; 0 before there was one.
    private var pause: UInt64 = 0
    /// The last pause before who holds the same of a finished session was asked; 0 before one was.
    private var poll: UInt64 = 0
    /// How often a run was announced there, and another one answered.
    private var falseClaims = 0
    private var state: State

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
        state = .idle(dueAt.map { .dial(at: $0, waitsForNews: false) } ?? .nothing)
    }

    /// Whether a dial is under way.
    var isDialling: Bool { if case .dialling = state { true } else { false } }

    /// When to dial next; nil while a dial is under way, and before something happens.
    var dueAt: UInt64? { if case .idle(.dial(let time, _)) = state { time } else { nil } }

    /// Whether both had all of a finished session, so that something must be written first.
    var waitsForNews: Bool { wish.waitsForNews }

    /// Whether a member has answered there, and has not been missed there since.
    var isProven: Bool { member != nil }

    /// Whether nothing but an announcement, which anybody can make up, speaks for the address.
    var isRumour: Bool { !isProven && !isTyped && !isTold }

    /// Whether so many dials in a row failed that nobody seems to be there.
    var isDeserted: Bool { failures >= Timing.hopelessDials }

    /// Whether no member answers there and none will: it may be dropped.
    var isHopeless: Bool { !isProven && !isTyped && isDeserted }

    /// Whether somebody who belongs there is missing while none of these is linked.
    func isMissed(among linked: [Link.Peer]) -> Bool {
        guard let member else { return isTyped }
        return !linked.contains { $0.device == member }
    }

    private var wish: Wish {
        get {
            switch state {
            case .idle(let wish), .dialling(let wish): wish
            }
        }
        set { state = isDialling ? .dialling(then: newValue) : .idle(newValue) }
    }

    // MARK: When to dial

    /// Asks for a dial now, or as soon as the one under way is over.
    mutating func hurry(at now: Moment) {
        var time = now.uptime
        if case .dial(let planned, _) = wish { time = min(time, planned) }
        wish = .dial(at: time, waitsForNews: false)
    }

    /// Asks for a dial now, unless one is planned soon or under way.
    mutating func hurryIfIdle(at now: Moment) {
        if case .dial = wish, !isRare(at: now) { return }
        hurry(at: now)
    }

    /// Puts a dial off until that time.
    mutating func putOff(until time: UInt64) {
        wish = .dial(at: time, waitsForNews: waitsForNews)
    }

    /// Asks for no dial until something happens.
    mutating func rest() { wish = .nothing }

    /// Both have all of a finished session: asks for a dial once something is written here, and
    /// rarely besides, because who writes there may be unable to dial.
    mutating func agree(at now: Moment, jitter: Double, wait: UInt64 = 0) {
        let pause = Timing.spread(max(poll, Timing.poll.lowerBound), jitter)
        wish = .dial(at: now.uptime + pause + wait, waitsForNews: true)
    }

    /// Something was written: looks as often as in an open session, and now where it is waited for.
    mutating func rouse(at now: Moment) {
        pause = min(pause, Timing.redial.upperBound)
        poll = 0
        if waitsForNews || isRare(at: now) { hurry(at: now) }
    }

    /// Whether nobody is looked for there before a time when an open session would have tried.
    private func isRare(at now: Moment) -> Bool {
        dueAt.map { $0 > now.uptime + Timing.redial.upperBound * 2 } ?? false
    }

    // MARK: What happens there

    /// Somebody announces a run there: asks for a dial now, or some time after the last answer
    /// where such runs were not there before, for anybody can announce in another's name.
    mutating func claim(_ device: DeviceID, _ instance: InstanceID, at now: Moment) {
        self.device = device
        self.instance = instance
        guard falseClaims > 0, isProven else { return hurry(at: now) }
        let disbelief = min(Timing.dialSpacing << falseClaims, Timing.longestDisbelief)
        guard now.uptime < reachedAt + disbelief else { return hurry(at: now) }
        putOff(until: min(dueAt ?? .max, reachedAt + disbelief))
    }

    /// Notes that a dial starts.
    mutating func dial() {
        if waitsForNews {
            poll = min(Timing.poll.upperBound, max(Timing.poll.lowerBound, poll) * 2)
        }
        state = .dialling(then: waitsForNews ? .news : .nothing)
    }

    /// Notes that a member answered; what waited for news goes on waiting beside the link.
    mutating func reach(_ device: DeviceID, _ instance: InstanceID, at now: Moment) {
        if let claimed = self.instance, claimed != instance {
            falseClaims = min(falseClaims + 1, 16)
        }
        self.device = device
        self.instance = instance
        member = device
        metInstance = instance
        reachedAt = now.uptime
        failures = 0
        state = .idle(waitsForNews ? .news : .nothing)
    }

    /// Notes that the dial is over, one way or the other.
    mutating func dialEnded() { state = .idle(wish) }

    /// Notes that a member is linked with somebody there, who may be anybody: of two copies of a
    /// home one may be linked elsewhere.
    mutating func vouch(besides linked: [InstanceID]) {
        guard !(instance.map { linked.contains($0) } ?? false) else { return }
        device = nil
        instance = nil
    }

    /// Notes that nobody answered: whatever was announced or told of it, another run of a device
    /// that is linked elsewhere is no reason to go on.
    mutating func doubt() {
        instance = nil
        device = device ?? member
    }

    /// Notes that who was there is no member any more: it announces itself when it comes back.
    mutating func leave() {
        member = nil
        rest()
    }

    /// Notes that the link is gone or never came, and asks for a dial after a pause that doubles
    /// with every failure, up to the `longest`; `jitter` is between 0 and 1.
    ///
    /// A link that `hasLived` was of use for a while, so that its end is no failure of the address.
    mutating func fail(
        at now: Moment,
        jitter: Double,
        hasLived: Bool = false,
        longest: UInt64 = Timing.redial.upperBound
    ) {
        failures = hasLived ? 1 : min(failures + 1, 64)
        falseClaims = 0
        pause = Timing.pause(
            after: hasLived ? 0 : pause,
            in: Timing.redial.lowerBound...longest
        )
        let time = now.uptime + Timing.spread(pause, jitter)
        state = .idle(.dial(at: time, waitsForNews: waitsForNews))
    }
}
