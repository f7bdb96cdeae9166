import SessionCRDT
import SyncProtocol

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
