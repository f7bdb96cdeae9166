import SessionCRDT
import SyncProtocol

/// All decisions about synchronization, as a value: inputs in, effects out; no clock, no randomness
/// and no I/O of its own.
///
/// The daemon and the simulator run the same engine. `handle` is the only function that changes it;
/// the other `package` members only read. The engine owns the sessions and the scheduler and
/// decides which session takes a step; the session decides what the step does (`HeldSession`).
/// Every input ends the same way: announce if it is time, dial what is due, and request the next
/// wake-up.
package struct SyncEngine: Sendable {
    /// The number of steps of sessions so far, as a measure of cost: an input takes one step for
    /// each session that it concerns.
    package private(set) var steps = 0

    var sessions: [SessionID: HeldSession] = [:]
    /// The stored sessions that could not be read yet, each with the reason.
    private var unreadable: [SessionID: String] = [:]
    var context: EngineContext
    private var scheduler = Scheduler()
    /// The wall clock minus the uptime, at the time at which the peers were last notified.
    private var clockOffset: Int64?
    private var wakeAt: UInt64?

    /// Creates an engine without sessions; `generator` is its only source of randomness.
    package init(device: Device, generator: any RandomNumberGenerator & Sendable) {
        context = EngineContext(device: device, generator: generator)
    }

    package var device: Device { context.device }
    package var isOffline: Bool { context.discovery.isOffline }
    package var replicas: HeldReplicas { HeldReplicas(sessions) }

    /// Handles an event and returns the actions to take, in order.
    package mutating func handle(_ input: Input, at now: Moment) -> [Effect] {
        context.now = now
        detectClockChange()
        dispatch(input)
        announceIfDue()
        dialDue()
        requestWake()
        return context.drainEffects()
    }

    private mutating func dispatch(_ input: Input) {
        switch input {
        case .opened(let session, let opened): open(session, opened)
        case .loadFailed(let session, let reason): loadFailed(session, reason)
        case .left(let session): leave(session)
        case .write(let request, let session, let mutations):
            if !step(session, { $0.write(mutations, for: request, &$1) }) { refuse(request) }
        case .imported(let request, let session, let delta, let lines):
            if !step(session, { $0.importDelta(delta, lines, for: request, &$1) }) {
                refuse(request)
            }
        case .persisted(let batch):
            step(context.removeSession(of: batch)) { $0.persisted(batch, &$1) }
        case .persistFailed(let batch, let problem, let reason):
            step(context.removeSession(of: batch)) {
                $0.persistFailed(batch, problem, reason, &$1)
            }
        case .inviteChanged(let session, let isOpen):
            step(session) { held, _ in held.isInviting = isOpen }
            if isOpen { context.discovery.announcer.startBurst(at: context.now) }
        case .knocksChanged(let session, let knocks):
            step(session) { $0.setKnocks(knocks, &$1) }
        case .knockAnswered(let session, let device, let knock, let answer):
            step(session) { $0.answer(knock, answer, at: device, &$1) }
        case .addressTyped(let session, let endpoint):
            step(session) { $0.addTyped(endpoint, at: $1.now) }
        case .addressRemoved(let session, let endpoint):
            step(session) { held, _ in held.contacts.remove(endpoint) }
        case .dialFailed(let session, let endpoint, let failure):
            dialFailed(DialTarget(session, endpoint), failure)

        case .linked(let link, let session, let remote, let side):
            open(Link(link, remote, side, at: context.now), of: session)
            if side == .dialled { context.discovery.dials.succeeded(at: remote) }
        case .received(let link, let message):
            step(of: link) { $0.receive(message, from: link, &$1) }
        case .bytesReceived(let link): step(of: link) { $0.bytesReceived(from: link, &$1) }
        case .partReceived(let link):
            step(of: link) { $0.bytesReceived(from: link, arePart: true, &$1) }
        case .messageRejected(let link, let error, let isFatal):
            step(of: link) { $0.messageRejected(error, from: link, isFatal: isFatal, &$1) }
        case .unlinked(let link): step(of: link) { $0.unlinked(link, &$1) }

        case .peerCheckRequested(let session): step(session) { $0.pingAll(&$1) }
        case .listening(let port):
            context.discovery.port = port
            context.discovery.announcer.startBurst(at: context.now)
        case .announced(let announcement, let source): receive(announcement, from: source)
        case .networkChanged, .resumed: restartDiscovery()
        case .renamed(let name): rename(name)
        case .offline(let offline): setOffline(offline)
        case .stopping:
            context.discovery.isStopping = true
            stepEachLink { $0.part(from: $1, .stopping, &$2) }
        case .timePassed:
            wakeAt = nil
            checkDueSessions()
        }
    }

    /// Runs `step` on one session and updates its schedule; returns whether the session exists.
    @discardableResult
    private mutating func step(
        _ session: SessionID?,
        _ step: (inout HeldSession, inout EngineContext) -> Void
    ) -> Bool {
        guard let session, let index = sessions.index(forKey: session) else { return false }
        steps += 1
        // Changes the session in place, because a copy would be expensive.
        step(&sessions.values[index], &context)
        scheduler.update(sessions.values[index].schedule, for: session)
        return true
    }

    private mutating func step(
        of link: LinkID,
        _ step: (inout HeldSession, inout EngineContext) -> Void
    ) {
        self.step(context.sessionOfLink[link], step)
    }

    /// Runs `step` for each link of each session, sorted by id.
    private mutating func stepEachLink(
        _ step: (inout HeldSession, LinkID, inout EngineContext) -> Void
    ) {
        for link in context.sessionOfLink.keys.sorted() {
            self.step(of: link) { step(&$0, link, &$1) }
        }
    }

    private mutating func refuse(_ request: RequestID) {
        context.emit(.reply(request, .failed(reason: "this laptop does not have the session")))
    }
}

/// Opening and leaving sessions.
extension SyncEngine {
    private mutating func open(_ session: SessionID, _ opened: OpenedSession) {
        guard !step(session, { $0.reopen(opened, &$1) }) else { return }
        do throws(CausalMapError) {
            sessions[session] = try HeldSession(session, opened)
        } catch { return loadFailed(session, "\(error)") }
        unreadable[session] = nil
        step(session) { $0.start(opened, &$1) }
    }

    private mutating func loadFailed(_ session: SessionID, _ reason: String) {
        guard !step(session, { $0.loadFailed(reason, &$1) }) else { return }
        // The daemon tries again repeatedly; only a new reason is reported.
        guard unreadable.updateValue(reason, forKey: session) != reason else { return }
        context.reportUnreadable(session, reason)
    }

    private mutating func leave(_ session: SessionID) {
        step(session) { $0.leave(&$1) }
        sessions[session] = nil
        unreadable[session] = nil
        scheduler.update(nil, for: session)
        context.discovery.dials.remove(session)
    }

    private mutating func open(_ link: Link, of session: SessionID) {
        let isHeld = step(session) { $0.open(link, &$1) }
        guard !isHeld else { return }
        context.emit(.send(link.id, .bye(unreadable[session] == nil ? .left : .storage)))
        context.emit(.close(link.id))
    }

    private mutating func dialFailed(_ dial: DialTarget, _ failure: DialFailure) {
        let (session, endpoint) = (dial.session, dial.endpoint)
        if failure == .wrongKey { context.emit(.alarm(.wrongKey(session, endpoint))) }
        context.emit(.log(.debug, "dialling \(endpoint) failed: \(failure)"))
        step(session) { $0.dialFailed(endpoint, failure, &$1) }
        guard failure == .unreachable
        else { return context.discovery.dials.succeeded(at: endpoint) }
        for waiting in context.discovery.dials.failed(at: endpoint) {
            step(waiting) { $0.dialFailed(endpoint, failure, &$1) }
        }
    }
}

/// Announcements, changes of the network, and time, which concern the whole device.
extension SyncEngine {
    // MARK: Announcements

    /// The time of the next announcement; nil if there is nothing to announce.
    private var announcementDueAt: UInt64? {
        context.discovery.port == nil || scheduler.readableCount == 0
            ? nil : context.discovery.announcer.dueAt
    }

    private mutating func announceIfDue() {
        guard !context.discovery.isPaused, let port = context.discovery.port else { return }
        let urgency = announceUrgency
        if urgency != context.discovery.announcer.urgency {
            let jitter = context.jitter()
            context.discovery.announcer.setUrgency(urgency, jitter: jitter)
        }
        guard let due = announcementDueAt, due <= context.now.uptime else { return }
        let jitter = context.jitter()
        let now = context.now
        let isComplete = context.discovery.announcer.recordAnnouncement(at: now, jitter: jitter)
        let held = sessions.values
            .filter { $0.replica.isReadable && (isComplete || !$0.isAnnouncedRarely) }
            .sorted { $0.id < $1.id }
        guard !held.isEmpty else { return }
        let announcement = Announcement(
            versions: Versions.peer,
            device: device.id,
            instance: device.instance,
            port: port,
            sessions: held.map { $0.announced(at: now) }
        )
        context.emit(.announce(announcement))
    }

    private var announceUrgency: Announcer.Urgency {
        if scheduler.invitingCount > 0 { return .searching }
        guard scheduler.incompleteCount > 0 else { return .complete }
        return context.discovery.hasRecentLoss(at: context.now) ? .searching : .missing
    }

    private mutating func receive(_ announcement: Announcement, from source: Endpoint) {
        guard announcement.instance != device.instance, !context.discovery.isPaused,
            Ports.mayDial(named: source.port)
        else { return }
        let shared = announcement.sessions.filter { sessions[$0.id] != nil }
        guard !shared.isEmpty else { return }
        let isNew = context.discovery.recordInstance(announcement.instance)
        if Versions.common(Versions.peer, announcement.versions) == nil {
            let theirs = announcement.versions
            // The alarm waits for a hello from a member, because anyone can forge an announcement.
            // One log line per instance is enough.
            guard isNew else { return }
            context.emit(.log(.warning, "\(source) speaks only protocol \(theirs)"))
        } else if isNew {
            context.discovery.announcer.startBurst(at: context.now, causedByPeer: true)
        }
        for announced in shared {
            step(announced.id) { $0.receive(announced, of: announcement, from: source, &$1) }
        }
    }

    // MARK: The network

    private mutating func restartDiscovery() {
        context.discovery.ownEndpoints = []
        context.discovery.announcer.startBurst(at: context.now)
        // Pings all links, because the change may have cut some silently.
        stepEachLink { held, link, context in
            held.ping(link, timeout: Timing.networkChangeTimeout, &context)
        }
        for session in sessions.keys.sorted() {
            step(session) { $0.contacts.dialAllNow(at: $1.now) }
        }
    }

    /// Renames the device, and writes the new name into every session that holds the old one.
    ///
    /// A finished session keeps the name that the device had then.
    private mutating func rename(_ name: String) {
        guard name != device.name else { return }
        context.device.name = name
        for session in sessions.keys.sorted() { step(session) { $0.writeName(&$1) } }
    }

    private mutating func setOffline(_ offline: Bool) {
        guard offline != isOffline else { return }
        context.discovery.isOffline = offline
        if offline {
            stepEachLink { $0.part(from: $1, .offline, &$2) }
        } else {
            restartDiscovery()
        }
        for session in sessions.keys.sorted() { context.emit(.peersChanged(session)) }
    }

    private mutating func dialDue() {
        guard !context.discovery.isPaused else { return }
        for session in scheduler.dials.due(by: context.now.uptime) {
            step(session) { $0.dialDue(&$1) }
        }
        while let next = context.discovery.dials.nextWaiting() {
            step(next.session) {
                let now = $1.now
                $0.contacts.update(next.endpoint) { $0.dialNow(at: now) }
                $0.dialDue(&$1)
            }
        }
    }

    // MARK: Time

    /// Notifies the peers if this device's wall clock was set.
    private mutating func detectClockChange() {
        let offset = Int64(clamping: context.now.wall) - Int64(clamping: context.now.uptime)
        guard let before = clockOffset else {
            clockOffset = offset
            return
        }
        let ahead = offset - before
        guard ahead.magnitude > Timing.clockSkewThreshold.magnitude else { return }
        clockOffset = offset
        stepEachLink { $0.clockWasSet(ahead: ahead, for: $1, &$2) }
    }

    private mutating func checkDueSessions() {
        let due = scheduler.checks.due(by: context.now.uptime)
        let silent = due.flatMap { sessions[$0]?.links.all ?? [] }
            .filter { $0.nextDeadline <= context.now.uptime }
        for link in silent.sorted(by: { $0.id < $1.id }) {
            step(of: link.id) { $0.check(link, &$1) }
        }
        for session in due {
            step(session) {
                $0.reloadIfDue(&$1)
                $0.askForRefusedIfDue(&$1)
                $0.sendReports(&$1)
            }
        }
    }

    private mutating func requestWake() {
        // The requested time has passed without a call, because the machine was asleep.
        if let asked = wakeAt, asked <= context.now.uptime { wakeAt = nil }
        var deadlines = [scheduler.checks.earliest]
        if !context.discovery.isPaused {
            deadlines += [scheduler.dials.earliest, announcementDueAt]
        }
        // An early call does no harm, so only a time before the requested one needs a new request.
        guard let deadline = deadlines.compactMap(\.self).min(), deadline < wakeAt ?? .max
        else { return }
        context.emit(.wake(at: deadline))
        wakeAt = deadline
    }
}
