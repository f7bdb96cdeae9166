package import SessionCRDT
import SyncProtocol

/// All decisions about synchronizing, as a value: inputs in, effects out, no clock, no randomness
/// and no I/O of its own.
///
/// The daemon and the simulator run the same engine. `handle` is the only way in; the rest of the
/// `package` members only read. Each concern has its own extension: sessions and writes, links,
/// deltas, finding.
package struct SyncEngine: Sendable {
    /// This device and this run.
    package let device: Device
    /// The sessions held here.
    package internal(set) var replicas: [SessionID: Replica] = [:]

    var links: [LinkID: Link] = [:]
    var books: [SessionID: AddressBook] = [:]
    /// When the addresses were dialled that were dialled within `Timing.dialSpacing`.
    var recentDials: [RecentDial: UInt64] = [:]
    var announcer = Announcer()
    /// The runs of other daemons that announced themselves or were linked.
    var heardInstances: Set<InstanceID> = []
    /// Addresses that turned out to be this daemon's own.
    var ownEndpoints: Set<Endpoint> = []
    /// When a peer was last lost without saying goodbye.
    var lostAt: UInt64?
    /// The port on which the daemon listens; nil while it does not.
    var port: UInt16?
    /// Whether the user took the device offline.
    package internal(set) var isOffline = false
    /// Whether the daemon has said goodbye.
    var isStopping = false

    private var generator: any RandomNumberGenerator & Sendable
    private var lastBatch: UInt64 = 0
    private var effects: [Effect] = []
    private var wakeAt: UInt64?

    /// An engine that holds nothing yet; `generator` is all the chance that it has.
    package init(device: Device, generator: any RandomNumberGenerator & Sendable) {
        self.device = device
        self.generator = generator
    }

    /// Takes in what happened and says what is to be done about it, in order.
    package mutating func handle(_ input: Input, at now: Moment) -> [Effect] {
        dispatch(input, at: now)
        announceIfDue(at: now)
        dialWhoIsDue(at: now)
        // The time asked for has passed without a call: the machine was asleep.
        if let asked = wakeAt, asked <= now.uptime { wakeAt = nil }
        // A call that comes too early does no harm, so only an earlier one is worth asking for.
        if let deadline = nextDeadline, deadline < wakeAt ?? .max {
            emit(.wake(at: deadline))
            wakeAt = deadline
        }
        defer { effects = [] }
        return effects
    }

    private mutating func dispatch(_ input: Input, at now: Moment) {
        switch input {
        case .opened(let session, let opened): open(session, opened, at: now)
        case .unloadable(let session, let reason): failToLoad(session, reason, at: now)
        case .left(let session): leave(session, at: now)
        case .write(let request, let session, let mutations):
            write(request, session, mutations, at: now)
        case .persisted(let batch): settle(batch, at: now)
        case .persistFailed(let batch, let reason): discard(batch, reason, at: now)
        case .inviteChanged(let session, let isOpen): invite(session, isOpen, at: now)
        case .listening(let port):
            self.port = port
            announcer.burst(at: now)
        case .announced(let announcement, let source): hear(announcement, from: source, at: now)
        case .addressTyped(let session, let endpoint): add(endpoint, to: session, at: now)
        case .addressRemoved(let session, let endpoint): books[session]?.remove(endpoint)
        case .dialFailed(let session, let endpoint, let failure):
            failToDial(session, endpoint, failure, at: now)
        case .linked(let link, let session, let remote, let origin):
            open(link, session, remote, origin, at: now)
        case .received(let link, let message): receive(message, from: link, at: now)
        case .heard(let link): links[link]?.hear(at: now)
        case .unreadable(let link, let error, let isFatal):
            refuse(error, from: link, isFatal: isFatal, at: now)
        case .unlinked(let link): lose(link, at: now)
        case .networkChanged, .woke: searchAgain(at: now)
        case .offline(let offline): setOffline(offline, at: now)
        case .stopping: sayGoodbye()
        case .timePassed:
            wakeAt = nil
            checkLinks(at: now)
            reloadWhatIsDue(at: now)
        }
    }

    // MARK: What the extensions share

    /// Whether nobody is to be found or linked now.
    var isPaused: Bool { isOffline || isStopping }

    mutating func emit(_ effect: Effect) { effects.append(effect) }

    /// A number between 0 and 1, so that devices that were started together drift apart.
    mutating func jitter() -> Double { Double.random(in: 0..<1, using: &generator) }

    mutating func nextBatch() -> BatchID {
        lastBatch += 1
        return BatchID(lastBatch)
    }

    /// Changes a replica with the engine's chance at hand.
    mutating func changeReplica<Result>(
        _ session: SessionID,
        _ change: (inout Replica, inout any RandomNumberGenerator & Sendable) -> Result
    ) -> Result? {
        // Taken out while it changes, so that nothing is copied.
        guard var replica = replicas.removeValue(forKey: session) else { return nil }
        defer { replicas[session] = replica }
        return change(&replica, &generator)
    }

    /// The links of a session whose peer has said hello, in the order of their numbers.
    func liveLinks(_ session: SessionID) -> [Link] {
        links.values.filter { $0.session == session && $0.peer != nil }.sorted { $0.id < $1.id }
    }

    /// The sessions in the order of their ids, as effects need it.
    var sessions: [SessionID] { replicas.keys.sorted() }

    private var nextDeadline: UInt64? {
        var deadlines = links.values.map(\.nextDeadline)
        deadlines += replicas.values.compactMap(\.reloadAt)
        if !isPaused {
            deadlines += replicas.values.filter(\.isReadable).compactMap {
                books[$0.session]?.nextDue
            }
            if let due = announcementDueAt { deadlines.append(due) }
        }
        return deadlines.min()
    }
}
