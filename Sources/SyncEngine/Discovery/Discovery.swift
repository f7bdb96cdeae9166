package import SessionCRDT
package import SyncProtocol

/// The search for peers, shared by all sessions: the schedule of announcements, the instances that
/// were heard, and the addresses that were dialled recently.
struct Discovery: Sendable {
    /// The port on which the daemon listens; nil if it does not.
    var port: UInt16?
    var isOffline = false
    var isStopping = false
    var announcer = Announcer()
    /// Addresses that turned out to be this daemon's own.
    var ownEndpoints: Set<Endpoint> = []
    var dials = DialLimiter()

    /// The last time at which a peer was lost without a goodbye.
    private var lostAt: UInt64?
    /// The instances of other daemons that have announced themselves or were linked.
    private var heardInstances: Set<InstanceID> = []

    private static let maxInstances = 256

    /// Whether dialling and linking are suspended.
    var isPaused: Bool { isOffline || isStopping }

    /// Records the instance of a daemon; returns whether it is new.
    mutating func recordInstance(_ instance: InstanceID) -> Bool {
        // Clears a full set, because anyone can announce invented instances.
        if heardInstances.count >= Discovery.maxInstances { heardInstances = [] }
        return heardInstances.insert(instance).inserted
    }

    /// Records that a peer was lost without a goodbye.
    mutating func recordLoss(at now: Moment) {
        lostAt = now.uptime
        announcer.startBurst(at: now, causedByPeer: true)
    }

    func hasRecentLoss(at now: Moment) -> Bool {
        lostAt.map { now.uptime < $0 + Timing.searchDuration } ?? false
    }
}

/// The schedule of announcements: in bursts after an event, often while a peer is missing, rarely
/// while all known peers are linked.
struct Announcer: Sendable {
    enum Urgency: Hashable, Sendable {
        /// A peer was just lost, or a device may want to join.
        case searching
        /// A known peer is missing.
        case missing
        /// Every known peer is linked.
        case complete
    }

    private var pending: [UInt64] = []
    private var lastBurst: UInt64?
    private var lastSent: UInt64?
    /// The time of the last announcement that included finished sessions.
    private var lastWithFinished: UInt64?
    private var interval: UInt64 = Timing.completeInterval
    private(set) var urgency = Urgency.complete

    /// Starts a burst; peers can cause at most one per `Timing.burstSpacing`.
    mutating func startBurst(at now: Moment, causedByPeer: Bool = false) {
        if causedByPeer, let lastBurst, now.uptime < lastBurst + Timing.burstSpacing { return }
        lastBurst = now.uptime
        pending = Timing.burst.map { now.uptime + $0 }
    }

    /// Changes the urgency and thereby the interval; `jitter` is between 0 and 1.
    mutating func setUrgency(_ urgency: Urgency, jitter: Double) {
        guard urgency != self.urgency else { return }
        self.urgency = urgency
        chooseInterval(jitter: jitter)
    }

    var dueAt: UInt64? {
        let regular = lastSent.map { $0 + interval }
        return [pending.first, regular].compactMap(\.self).min()
    }

    /// Records that an announcement is sent; returns whether it must include finished sessions,
    /// which only bursts and occasional announcements do.
    mutating func recordAnnouncement(at now: Moment, jitter: Double) -> Bool {
        let isBurst = pending.contains { $0 <= now.uptime }
        pending.removeAll { $0 <= now.uptime }
        lastSent = now.uptime
        chooseInterval(jitter: jitter)
        let isDue = lastWithFinished.map { now.uptime >= $0 + Timing.finishedInterval } ?? true
        guard isBurst || isDue else { return false }
        lastWithFinished = now.uptime
        return true
    }

    private mutating func chooseInterval(jitter: Double) {
        let mean =
            switch urgency {
            case .searching: Timing.searchingInterval
            case .missing: Timing.missingInterval
            case .complete: Timing.completeInterval
            }
        interval = Timing.jittered(mean, jitter)
    }
}

/// An address that is dialled for a session.
package struct DialTarget: Hashable, Sendable {
    package let session: SessionID
    package let endpoint: Endpoint

    package init(_ session: SessionID, _ endpoint: Endpoint) {
        (self.session, self.endpoint) = (session, endpoint)
    }
}

/// Limits the concurrent dials to each address, and queues the sessions that must wait.
///
/// A peer that shares many sessions would reject as many dials at once; and if no peer answers, one
/// failed dial counts for all waiting sessions. A session dials an address again only after
/// `Timing.dialSpacing`, even if the address was forgotten and added again in between.
struct DialLimiter: Sendable {
    /// The maximum number of concurrent dials to one address: half of the connections that a
    /// listener allows from one address.
    static let maxPerEndpoint = 4

    private struct Queue {
        var started: [UInt64] = []
        /// The waiting sessions, in order of arrival.
        var waiting: [SessionID] = []

        var hasRoom: Bool { started.count < DialLimiter.maxPerEndpoint }
    }

    private var queues: [Endpoint: Queue] = [:]
    private var recent: [DialTarget: UInt64] = [:]
    /// The number of recent dials above which expired ones are removed.
    private var recentLimit = DialLimiter.minRecent

    private static let minRecent = 64

    /// Starts a dial, unless it is too early or the session must wait.
    ///
    /// - Returns: nil if the dial may be made now, otherwise the time at which to try again.
    mutating func start(_ session: SessionID, _ endpoint: Endpoint, at now: Moment) -> UInt64? {
        let dial = DialTarget(session, endpoint)
        if let next = recent[dial].map({ $0 + Timing.dialSpacing }), now.uptime < next {
            return next
        }
        guard enter(dial, at: now) else { return now.uptime + Timing.maxDial }
        if recent.count >= recentLimit {
            recent = recent.filter { now.uptime < $0.value + Timing.dialSpacing }
            recentLimit = max(DialLimiter.minRecent, 2 * recent.count)
        }
        recent[dial] = now.uptime
        return nil
    }

    /// Counts a dial if there is room, otherwise queues the session; returns whether there is room.
    private mutating func enter(_ dial: DialTarget, at now: Moment) -> Bool {
        let (session, endpoint) = (dial.session, dial.endpoint)
        var queue = queues[endpoint] ?? Queue()
        defer { queues[endpoint] = queue }
        // Every dial ends within that time; a dial whose end was missed must not count forever.
        queue.started.removeAll { $0 + Timing.maxDial < now.uptime }
        if queue.hasRoom {
            queue.started.append(now.uptime)
            queue.waiting.removeAll { $0 == session }
            return true
        }
        if !queue.waiting.contains(session) { queue.waiting.append(session) }
        return false
    }

    mutating func succeeded(at endpoint: Endpoint) {
        guard var queue = queues[endpoint] else { return }
        if !queue.started.isEmpty { queue.started.removeFirst() }
        store(queue, for: endpoint)
    }

    /// Records that a dial ended without an answer; returns the waiting sessions, for which the
    /// failure counts as well.
    mutating func failed(at endpoint: Endpoint) -> [SessionID] {
        let waiting = queues[endpoint]?.waiting ?? []
        queues[endpoint]?.waiting = []
        succeeded(at: endpoint)
        return waiting
    }

    /// Removes and returns the session that has waited longest for an address that has room again.
    mutating func nextWaiting() -> DialTarget? {
        let free = queues.lazy.filter { _, queue in !queue.waiting.isEmpty && queue.hasRoom }
        guard let endpoint = free.map(\.key).min(), var queue = queues[endpoint] else { return nil }
        let session = queue.waiting.removeFirst()
        store(queue, for: endpoint)
        return DialTarget(session, endpoint)
    }

    mutating func remove(_ session: SessionID) {
        for endpoint in queues.keys { queues[endpoint]?.waiting.removeAll { $0 == session } }
    }

    private mutating func store(_ queue: Queue, for endpoint: Endpoint) {
        queues[endpoint] = queue.started.isEmpty && queue.waiting.isEmpty ? nil : queue
    }
}
