import SessionCRDT
import SyncProtocol

/// How this daemon looks for others, for all its sessions together: when it announces, whom it has
/// heard, and what it dialled a moment ago.
struct Search: Sendable {
    /// The port on which the daemon listens; nil while it does not.
    var port: UInt16?
    /// Whether the user took the device offline.
    var isOffline = false
    /// Whether the daemon has said goodbye.
    var isStopping = false
    /// When to announce.
    var announcer = Announcer()
    /// Addresses that turned out to be this daemon's own.
    var ownEndpoints: Set<Endpoint> = []

    /// When a peer was last lost without saying goodbye.
    private var lostAt: UInt64?
    /// The runs of other daemons that announced themselves or were linked.
    private var heardInstances: Set<InstanceID> = []
    /// What is under way to each address, for all sessions.
    var dials = DialsUnderWay()
    private var recentDials: [RecentDial: UInt64] = [:]
    /// How many recent dials are kept before those that are no longer recent go.
    private var mostDials = Search.fewDials

    /// How many runs of daemons are told apart.
    private static let mostHeard = 256
    private static let fewDials = 64

    /// Whether nobody is to be found or linked now.
    var isPaused: Bool { isOffline || isStopping }

    /// Remembers the run of a daemon; whether it is new.
    mutating func noteInstance(_ instance: InstanceID) -> Bool {
        // Anybody can make up more of them.
        if heardInstances.count >= Search.mostHeard { heardInstances = [] }
        return heardInstances.insert(instance).inserted
    }

    /// Notes that a peer was lost without a goodbye.
    mutating func lose(at now: Moment) {
        lostAt = now.uptime
        announcer.burst(at: now, causedByPeer: true)
    }

    /// Whether a peer was lost in the last minutes.
    func hasJustLost(at now: Moment) -> Bool {
        lostAt.map { now.uptime < $0 + Timing.searching } ?? false
    }

    /// Notes that an address is dialled now, unless it was a moment ago, or enough is under way to
    /// it already.
    ///
    /// - Returns: when the dial may be repeated, or nil where it may be made now.
    mutating func dial(_ session: SessionID, _ endpoint: Endpoint, at now: Moment) -> UInt64? {
        let dial = RecentDial(session: session, endpoint: endpoint)
        if let next = recentDials[dial].map({ $0 + Timing.dialSpacing }), now.uptime < next {
            return next
        }
        guard dials.begin(session, endpoint, at: now) else {
            return now.uptime + Timing.longestDial
        }
        if recentDials.count >= mostDials {
            recentDials = recentDials.filter { now.uptime < $0.value + Timing.dialSpacing }
            mostDials = max(Search.fewDials, 2 * recentDials.count)
        }
        recentDials[dial] = now.uptime
        return nil
    }

    /// A dial of the last moments, which is not repeated too soon even when the address was
    /// forgotten meanwhile.
    private struct RecentDial: Hashable {
        let session: SessionID
        let endpoint: Endpoint
    }
}

/// Decides when to announce: in bursts when something happened, often while somebody is missing,
/// rarely while all is well.
struct Announcer: Sendable {
    /// How urgently others are looked for.
    enum Mood: Hashable, Sendable {
        /// Somebody was just lost, or somebody may want to join.
        case searching
        /// Somebody who was here before is missing.
        case missing
        /// Everybody is here, as far as is known.
        case content
    }

    private var pending: [UInt64] = []
    private var lastBurst: UInt64?
    private var lastSent: UInt64?
    /// When finished sessions were announced last.
    private var lastComplete: UInt64?
    private var pause: UInt64 = Timing.rarely
    /// How urgently others are looked for at present.
    private(set) var mood = Mood.content

    /// Starts a burst; one that a peer caused, at most one in `Timing.burstSpacing`.
    mutating func burst(at now: Moment, causedByPeer: Bool = false) {
        if causedByPeer, let lastBurst, now.uptime < lastBurst + Timing.burstSpacing { return }
        lastBurst = now.uptime
        pending = Timing.burst.map { now.uptime + $0 }
    }

    /// Takes another mood, which counts at once.
    ///
    /// `jitter` is between 0 and 1.
    mutating func set(_ mood: Mood, jitter: Double) {
        guard mood != self.mood else { return }
        self.mood = mood
        choosePause(jitter: jitter)
    }

    /// When the next announcement is due.
    var dueAt: UInt64? {
        let regular = lastSent.map { $0 + pause }
        return [pending.first, regular].compactMap(\.self).min()
    }

    /// Notes that an announcement goes out; whether finished sessions belong into it, which they
    /// do where something has happened, and now and then.
    mutating func send(at now: Moment, jitter: Double) -> Bool {
        let isBurst = pending.contains { $0 <= now.uptime }
        pending.removeAll { $0 <= now.uptime }
        lastSent = now.uptime
        choosePause(jitter: jitter)
        let isComplete =
            isBurst || lastComplete.map { now.uptime >= $0 + Timing.finished } ?? true
        if isComplete { lastComplete = now.uptime }
        return isComplete
    }

    private mutating func choosePause(jitter: Double) {
        let middle =
            switch mood {
            case .searching: Timing.frequently
            case .missing: Timing.sometimes
            case .content: Timing.rarely
            }
        pause = Timing.spread(middle, jitter)
    }
}

/// The dials to each address that have not ended, and the sessions that wait for one of them to.
///
/// A peer that shares many sessions would refuse as many dials at once, and where nobody answers,
/// one session's dial says as much as that of all.
struct DialsUnderWay: Sendable {
    /// The most dials to one address at a time: half of what its listener lets one address have.
    static let most = 4

    private struct Place {
        /// When each began.
        var begun: [UInt64] = []
        /// Who waits, the first come first.
        var waiting: [SessionID] = []
    }

    private var places: [Endpoint: Place] = [:]

    /// Notes that a dial begins, or that the session waits; whether it may begin.
    mutating func begin(_ session: SessionID, _ endpoint: Endpoint, at now: Moment) -> Bool {
        var place = places[endpoint] ?? Place()
        defer { places[endpoint] = place }
        // Every dial ends within that time; what went missing must not keep a place for ever.
        place.begun.removeAll { $0 + Timing.longestDial < now.uptime }
        if place.begun.count < DialsUnderWay.most {
            place.begun.append(now.uptime)
            place.waiting.removeAll { $0 == session }
            return true
        }
        if !place.waiting.contains(session) { place.waiting.append(session) }
        return false
    }

    /// Notes that a dial ended because somebody answered.
    mutating func answered(at endpoint: Endpoint) {
        guard var place = places[endpoint] else { return }
        if !place.begun.isEmpty { place.begun.removeFirst() }
        keep(place, of: endpoint)
    }

    /// Who has waited longest for an address that has room again; it waits no longer, whether it
    /// dials or has been linked meanwhile.
    mutating func takeTurn() -> (session: SessionID, endpoint: Endpoint)? {
        let free = places.lazy.filter { _, place in
            !place.waiting.isEmpty && place.begun.count < DialsUnderWay.most
        }
        guard let endpoint = free.map(\.key).min(), var place = places[endpoint] else { return nil }
        let session = place.waiting.removeFirst()
        keep(place, of: endpoint)
        return (session, endpoint)
    }

    /// The session is held no longer.
    mutating func forget(_ session: SessionID) {
        for endpoint in places.keys { places[endpoint]?.waiting.removeAll { $0 == session } }
    }

    /// Notes that a dial ended because nobody answered; for whom that holds as well.
    mutating func unanswered(at endpoint: Endpoint) -> [SessionID] {
        let waiting = places[endpoint]?.waiting ?? []
        places[endpoint]?.waiting = []
        answered(at: endpoint)
        return waiting
    }

    private mutating func keep(_ place: Place, of endpoint: Endpoint) {
        places[endpoint] = place.begun.isEmpty && place.waiting.isEmpty ? nil : place
    }
}
