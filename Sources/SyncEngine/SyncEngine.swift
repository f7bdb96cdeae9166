import SessionCRDT
import SyncProtocol

/// All decisions about synchronizing, as a value: inputs in, effects out, no clock, no randomness
/// and no I/O of its own.
///
/// The daemon and the simulator run the same engine. `handle` is the only way in; the rest of the
/// `package` members only read. It owns the sessions and the agenda, and decides which session
/// takes a step; what the step is, the session decides (`HeldSession`).
package struct SyncEngine: Sendable {
    /// How many steps of sessions were taken, which is what an input costs: one for each session
    /// that it concerns.
    package private(set) var steps = 0

    var sessions: [SessionID: HeldSession] = [:]
    /// The sessions that are stored here and could not be read yet, and why.
    var unreadable: [SessionID: String] = [:]
    var commons: Commons
    var agenda = Agenda()
    /// How far the wall clock was ahead of the uptime when the peers were told what it shows.
    var clockOffset: Int64?
    private var wakeAt: UInt64?

    /// An engine that holds nothing yet; `generator` is all the chance that it has.
    package init(device: Device, generator: any RandomNumberGenerator & Sendable) {
        commons = Commons(device: device, generator: generator)
    }

    /// This device and this run.
    package var device: Device { commons.device }

    /// Whether the user took the device offline.
    package var isOffline: Bool { commons.search.isOffline }

    /// The data of the sessions held here.
    package var replicas: HeldReplicas { HeldReplicas(sessions) }

    /// Takes in what happened and says what is to be done about it, in order.
    package mutating func handle(_ input: Input, at now: Moment) -> [Effect] {
        noticeClock(at: now)
        dispatch(input, at: now)
        announceIfDue(at: now)
        dialWhoIsDue(at: now)
        askToBeCalled(at: now)
        return commons.takeEffects()
    }

    private mutating func dispatch(_ input: Input, at now: Moment) {
        switch input {
        case .opened(let session, let opened): open(session, opened, at: now)
        case .unloadable(let session, let reason): failToLoad(session, reason, at: now)
        case .left(let session): leave(session)
        case .write(let request, let session, let mutations):
            write(mutations, for: request, to: session, at: now)
        case .imported(let request, let session, let delta, let lines):
            take(delta, lines, for: request, into: session, at: now)
        case .persisted(let batch):
            step(commons.takeSession(of: batch)) { $0.settle(batch, at: now, &$1) }
        case .persistFailed(let batch, let reason):
            step(commons.takeSession(of: batch)) { $0.discard(batch, reason, at: now, &$1) }
        case .inviteChanged(let session, let isOpen): invite(session, isOpen, at: now)
        case .addressTyped(let session, let endpoint):
            step(session) { held, _ in held.add(endpoint, at: now) }
        case .addressRemoved(let session, let endpoint):
            step(session) { held, _ in held.contacts.remove(endpoint) }
        case .dialFailed(let session, let endpoint, let failure):
            failToDial(session, endpoint, failure, at: now)

        case .linked(let link, let session, let remote, let side):
            open(Link(link, remote, side, at: now), of: session, at: now)
            if side == .dialled { commons.search.dials.answered(at: remote) }
        case .received(let link, let message):
            step(commons.sessionOfLink[link]) { $0.receive(message, from: link, at: now, &$1) }
        case .heard(let link):
            step(commons.sessionOfLink[link]) { $0.takeBytes(from: link, at: now, &$1) }
        case .partReceived(let link):
            step(commons.sessionOfLink[link]) {
                $0.takeBytes(from: link, arePart: true, at: now, &$1)
            }
        case .unreadable(let link, let error, let isFatal):
            step(commons.sessionOfLink[link]) {
                $0.refuse(error, from: link, isFatal: isFatal, at: now, &$1)
            }
        case .unlinked(let link):
            step(commons.sessionOfLink[link]) { $0.lose(link, at: now, &$1) }

        case .asked(let session): step(session) { $0.ask(at: now, &$1) }
        case .listening(let port): listen(on: port, at: now)
        case .announced(let announcement, let source): hear(announcement, from: source, at: now)
        case .networkChanged, .woke: searchAgain(at: now)
        case .renamed(let name): rename(name, at: now)
        case .offline(let offline): setOffline(offline, at: now)
        case .stopping: sayGoodbye()
        case .timePassed:
            wakeAt = nil
            checkWhatIsDue(at: now)
        }
    }

    /// Lets one session take a step and notes what it asks for from now on; whether it is held.
    @discardableResult
    mutating func step(
        _ session: SessionID?,
        _ take: (inout HeldSession, inout Commons) -> Void
    ) -> Bool {
        guard let session, let place = sessions.index(forKey: session) else { return false }
        steps += 1
        // In its place, so that nothing is copied.
        let demand = sessions.values[place].demand(after: take, &commons)
        agenda.note(demand, of: session)
        return true
    }

    // MARK: What follows every input

    private mutating func dialWhoIsDue(at now: Moment) {
        guard !commons.search.isPaused else { return }
        for session in agenda.dials.due(by: now.uptime) {
            step(session) { $0.dialWhoIsDue(at: now, &$1) }
        }
        while let turn = commons.search.dials.takeTurn() {
            step(turn.session) {
                $0.contacts.update(turn.endpoint) { $0.hurry(at: now) }
                $0.dialWhoIsDue(at: now, &$1)
            }
        }
    }

    private mutating func askToBeCalled(at now: Moment) {
        // The time asked for has passed without a call: the machine was asleep.
        if let asked = wakeAt, asked <= now.uptime { wakeAt = nil }
        var deadlines = [agenda.checks.earliest]
        if !commons.search.isPaused {
            deadlines += [agenda.dials.earliest, announcementDueAt]
        }
        // A call that comes too early does no harm, so only an earlier one is worth asking for.
        guard let deadline = deadlines.compactMap(\.self).min(), deadline < wakeAt ?? .max
        else { return }
        commons.emit(.wake(at: deadline))
        wakeAt = deadline
    }
}

/// Sessions that come and go, and what is said where one is not held.
extension SyncEngine {
    mutating func open(_ session: SessionID, _ opened: OpenedSession, at now: Moment) {
        guard !step(session, { $0.reopen(opened, at: now, &$1) }) else { return }
        do throws(CausalMapError) {
            sessions[session] = try HeldSession(session, opened)
        } catch {
            return failToLoad(session, "\(error)", at: now)
        }
        unreadable[session] = nil
        step(session) { $0.begin(opened.addresses, at: now, &$1) }
    }

    mutating func failToLoad(_ session: SessionID, _ reason: String, at now: Moment) {
        guard !step(session, { $0.failToLoad(reason, at: now, &$1) }) else { return }
        // It is tried again and again: only news is told.
        guard unreadable.updateValue(reason, forKey: session) != reason else { return }
        commons.reportUnreadable(session, reason)
    }

    mutating func leave(_ session: SessionID) {
        step(session) { $0.leave(&$1) }
        sessions[session] = nil
        unreadable[session] = nil
        agenda.note(nil, of: session)
        commons.search.dials.forget(session)
    }

    mutating func write(
        _ mutations: [Mutation],
        for request: RequestID,
        to session: SessionID,
        at now: Moment
    ) {
        let isHeld = step(session) { $0.write(mutations, for: request, at: now, &$1) }
        if !isHeld {
            commons.emit(.reply(request, .failed(reason: "the session is not held here")))
        }
    }

    mutating func take(
        _ delta: Delta,
        _ lines: [JournalLine],
        for request: RequestID,
        into session: SessionID,
        at now: Moment
    ) {
        let isHeld = step(session) { held, commons in
            held.take(delta, lines, for: request, at: now, &commons)
        }
        if !isHeld {
            commons.emit(.reply(request, .failed(reason: "the session is not held here")))
        }
    }

    mutating func invite(_ session: SessionID, _ isOpen: Bool, at now: Moment) {
        step(session) { held, _ in held.isInviting = isOpen }
        if isOpen { commons.search.announcer.burst(at: now) }
    }

    mutating func failToDial(
        _ session: SessionID,
        _ endpoint: Endpoint,
        _ failure: DialFailure,
        at now: Moment
    ) {
        if failure == .wrongKey { commons.emit(.alarm(.wrongKey(session, endpoint))) }
        commons.emit(.log(.debug, "dialling \(endpoint) failed: \(failure)"))
        step(session) { $0.failToDial(endpoint, failure, at: now, &$1) }
        guard failure == .unreachable else { return commons.search.dials.answered(at: endpoint) }
        for waiting in commons.search.dials.unanswered(at: endpoint) {
            step(waiting) { $0.failToDial(endpoint, failure, at: now, &$1) }
        }
    }

    mutating func open(_ link: Link, of session: SessionID, at now: Moment) {
        let isHeld = step(session) { $0.open(link, at: now, &$1) }
        guard !isHeld else { return }
        commons.emit(.send(link.id, .bye(unreadable[session] == nil ? .left : .storage)))
        commons.emit(.close(link.id))
    }
}

/// What concerns this device as a whole: announcements, the network, time, and the end.
extension SyncEngine {
    // MARK: Announcing

    mutating func listen(on port: UInt16, at now: Moment) {
        commons.search.port = port
        commons.search.announcer.burst(at: now)
    }

    /// When to announce next; nil while there is nothing to announce.
    var announcementDueAt: UInt64? {
        commons.search.port == nil || agenda.readable == 0 ? nil : commons.search.announcer.dueAt
    }

    mutating func announceIfDue(at now: Moment) {
        guard !commons.search.isPaused, let port = commons.search.port else { return }
        let mood = mood(at: now)
        if mood != commons.search.announcer.mood {
            let jitter = commons.jitter()
            commons.search.announcer.set(mood, jitter: jitter)
        }
        guard let due = announcementDueAt, due <= now.uptime else { return }
        let jitter = commons.jitter()
        let isComplete = commons.search.announcer.send(at: now, jitter: jitter)
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
        commons.emit(.announce(announcement))
    }

    private func mood(at now: Moment) -> Announcer.Mood {
        if agenda.inviting > 0 { return .searching }
        guard agenda.missing > 0 else { return .content }
        return commons.search.hasJustLost(at: now) ? .searching : .missing
    }

    mutating func hear(_ announcement: Announcement, from source: Endpoint, at now: Moment) {
        guard announcement.instance != device.instance, !commons.search.isPaused,
            Ports.mayDial(named: source.port)
        else { return }
        let shared = announcement.sessions.filter { sessions[$0.id] != nil }
        guard !shared.isEmpty else { return }
        let isNew = commons.search.noteInstance(announcement.instance)
        if Versions.common(Versions.peer, announcement.versions) == nil {
            let theirs = announcement.versions
            // Anybody can announce that; a hello on a link, which only a member can say, raises the
            // alarm. One link for each of their runs is enough.
            guard isNew else { return }
            commons.emit(.log(.warning, "\(source) speaks only protocol \(theirs)"))
        } else if isNew {
            commons.search.announcer.burst(at: now, causedByPeer: true)
        }
        for announced in shared {
            step(announced.id) {
                $0.hear(announced, of: announcement, from: source, at: now, &$1)
            }
        }
    }

    // MARK: The network

    mutating func searchAgain(at now: Moment) {
        commons.search.ownEndpoints = []
        commons.search.announcer.burst(at: now)
        // Links that look alive may have died of what happened.
        stepEachLink { held, link, commons in
            held.ping(link, at: now, patience: Timing.changedAnswer, &commons)
        }
        for session in sessions.keys.sorted() {
            step(session) { held, _ in held.contacts.searchAgain(at: now) }
        }
    }

    /// Takes another name, and writes it where this device has written the one before.
    ///
    /// By that the others call it. A finished session keeps the name that it was played by.
    mutating func rename(_ name: String, at now: Moment) {
        guard name != device.name else { return }
        commons.device.name = name
        for session in sessions.keys.sorted() {
            step(session) { $0.writeName(at: now, &$1) }
        }
    }

    mutating func setOffline(_ offline: Bool, at now: Moment) {
        guard offline != isOffline else { return }
        commons.search.isOffline = offline
        if offline {
            stepEachLink { $0.part(from: $1, .offline, &$2) }
        } else {
            searchAgain(at: now)
        }
        for session in sessions.keys.sorted() { commons.emit(.peersChanged(session)) }
    }

    mutating func sayGoodbye() {
        commons.search.isStopping = true
        stepEachLink { $0.part(from: $1, .stopping, &$2) }
    }

    /// Lets the sessions take a step for each of their links, in the order of the links' numbers.
    private mutating func stepEachLink(
        _ take: (inout HeldSession, LinkID, inout Commons) -> Void
    ) {
        for link in commons.sessionOfLink.keys.sorted() {
            step(commons.sessionOfLink[link]) { take(&$0, link, &$1) }
        }
    }

    // MARK: Time

    /// Tells the peers when this device's clock was set.
    mutating func noticeClock(at now: Moment) {
        let offset = Int64(clamping: now.wall) - Int64(clamping: now.uptime)
        guard let before = clockOffset else {
            clockOffset = offset
            return
        }
        let ahead = offset - before
        guard ahead.magnitude > Timing.tellSkew.magnitude else { return }
        clockOffset = offset
        stepEachLink { $0.setClock(ahead: ahead, for: $1, at: now, &$2) }
    }

    /// Looks after silent links and unread disks whose time has come.
    mutating func checkWhatIsDue(at now: Moment) {
        let due = agenda.checks.due(by: now.uptime)
        let silent = due.flatMap { sessions[$0]?.links.all ?? [] }
            .filter { $0.nextDeadline <= now.uptime }
        for link in silent.sorted(by: { $0.id < $1.id }) {
            step(commons.sessionOfLink[link.id]) { $0.check(link, at: now, &$1) }
        }
        for session in due {
            step(session) {
                $0.reloadIfDue(at: now, &$1)
                $0.askAgainIfDue(at: now, &$1)
                $0.report(at: now, &$1)
            }
        }
    }
}
