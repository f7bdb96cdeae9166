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
