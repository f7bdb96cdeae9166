import SessionCRDT
import SyncProtocol

/// An address where a member of a session is, was or may be, and when to try it next.
struct Contact: Hashable, Sendable {
    let endpoint: Endpoint
    /// Who answered or announced itself there last.
    var device: DeviceID?
    /// Which run of that device announced itself there last.
    var instance: InstanceID?
    /// Whether the user typed it.
    var isTyped: Bool
    /// Whether a member has ever answered there.
    var isProven: Bool
    /// Whether a dial is under way.
    private(set) var isDialling = false
    /// When to dial next, unless linked; nil: not before something happens.
    private(set) var dueAt: UInt64?
    /// Whether both had all of a finished session: the contact rests until something is written.
    private(set) var waitsForNews = false
    private(set) var failures = 0
    private var lastDial: UInt64?

    init(
        _ endpoint: Endpoint,
        device: DeviceID? = nil,
        isTyped: Bool = false,
        isProven: Bool = false,
        dueAt: UInt64? = nil
    ) {
        self.endpoint = endpoint
        self.device = device
        self.isTyped = isTyped
        self.isProven = isProven
        self.dueAt = dueAt
    }

    /// Asks for a dial as soon as the spacing allows.
    mutating func hurry(at now: Moment) {
        waitsForNews = false
        let earliest = max(now.uptime, lastDial.map { $0 + Timing.dialSpacing } ?? 0)
        dueAt = min(dueAt ?? earliest, earliest)
    }

    /// Asks for no dial until something happens; `untilNews`: a write here is enough.
    mutating func rest(untilNews: Bool) {
        dueAt = nil
        waitsForNews = untilNews
    }

    /// Notes that a dial starts.
    mutating func dial(at now: Moment) {
        isDialling = true
        dueAt = nil
        lastDial = now.uptime
    }

    /// Notes that a member answered.
    mutating func reach(_ device: DeviceID, _ instance: InstanceID) {
        isDialling = false
        isProven = true
        failures = 0
        dueAt = nil
        self.device = device
        self.instance = instance
    }

    /// Notes that the dial is over, one way or the other.
    mutating func dialEnded() { isDialling = false }

    /// Notes that the link is gone or never came, and asks for a dial after a pause that doubles
    /// with every failure; `jitter` is between 0 and 1.
    mutating func fail(at now: Moment, jitter: Double) {
        isDialling = false
        failures = min(failures + 1, 64)
        let pause = min(
            Timing.redial.upperBound,
            Timing.redial.lowerBound << UInt64(min(failures - 1, 10))
        )
        dueAt = now.uptime + UInt64(Double(pause) * (0.8 + 0.4 * jitter))
    }

    /// Whether nobody ever answered there and nobody will: it may be dropped.
    var isHopeless: Bool { !isProven && !isTyped && failures >= Timing.hopelessDials }
}
