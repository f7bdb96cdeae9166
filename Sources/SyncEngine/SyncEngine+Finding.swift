import SessionCRDT
import SyncProtocol

/// Announcements, addresses and dials.
extension SyncEngine {
    // MARK: Announcing

    var announcementDueAt: UInt64? {
        port == nil || replicas.isEmpty ? nil : announcer.dueAt
    }

    mutating func announceIfDue(at now: Moment) {
        guard !isOffline, let port else { return }
        announcer.set(mood(at: now), jitter: jitter())
        guard let due = announcementDueAt, due <= now.uptime else { return }
        announcer.send(at: now, jitter: jitter())
        let held = sessions.compactMap { replicas[$0] }.map { replica in
            AnnouncedSession(
                id: replica.session,
                isInviting: replica.isInviting,
                finishedDigest: replica.isFinished ? shortDigest(of: replica) : nil
            )
        }
        emit(
            .announce(
                Announcement(
                    versions: Versions.peer,
                    device: device.id,
                    instance: device.instance,
                    port: port,
                    sessions: held
                )
            )
        )
    }

    private func shortDigest(of replica: Replica) -> UInt32 {
        UInt32(truncatingIfNeeded: replica.committed.tally.digest.sum >> 96)
    }

    private func mood(at now: Moment) -> Announcer.Mood {
        if replicas.values.contains(where: \.isInviting) { return .searching }
        guard isSomebodyMissing else { return .content }
        let isFresh = lostAt.map { now.uptime < $0 + Timing.searching } ?? false
        return isFresh ? .searching : .missing
    }

    /// Whether a device that was a member's of an unfinished session is not linked.
    private var isSomebodyMissing: Bool {
        replicas.values.contains { replica in
            guard !replica.isFinished, let book = books[replica.session] else { return false }
            let linked = linkedDevices(replica.session)
            return book.contacts.values.contains { contact in
                contact.device.map { !linked.contains($0) } ?? contact.isTyped
            }
        }
    }

    private func linkedDevices(_ session: SessionID) -> Set<DeviceID> {
        Set(links.values.filter { $0.session == session }.compactMap(\.peer?.device))
    }

    // MARK: Hearing of others

    mutating func hear(_ announcement: Announcement, from source: Endpoint, at now: Moment) {
        guard announcement.instance != device.instance, !isOffline,
            Versions.common(Versions.peer, announcement.versions) != nil,
            PeerPorts.isDialable(source.port)
        else { return }
        let shared = announcement.sessions.filter { replicas[$0.id] != nil }
        guard !shared.isEmpty else { return }
        if heardInstances[announcement.device] != announcement.instance {
            heardInstances[announcement.device] = announcement.instance
            announcer.burst(at: now, causedByPeer: true)
        }
        for announced in shared where isWorthDialling(announced, announcement, at: now) {
            var contact = Contact(source, device: announcement.device)
            contact.instance = announcement.instance
            books[announced.id, default: AddressBook()].add(contact)
            books[announced.id]?.update(source) { contact in
                contact.device = announcement.device
                contact.instance = announcement.instance
                contact.hurry(at: now)
            }
        }
    }

    private func isWorthDialling(
        _ announced: AnnouncedSession,
        _ announcement: Announcement,
        at now: Moment
    ) -> Bool {
        let existing = liveLinks(announced.id).filter {
            $0.peer?.device == announcement.device && $0.peer?.instance == announcement.instance
        }
        guard existing.isEmpty else {
            return existing.allSatisfy { now.uptime > $0.lastHeard + Timing.suspiciousSilence }
        }
        guard let replica = replicas[announced.id], replica.isFinished,
            let digest = announced.finishedDigest, digest == shortDigest(of: replica)
        else { return true }
        // Both are finished and hold the same: once per run is enough.
        return !metInstances(announced.id).contains(announcement.instance)
    }

    private func metInstances(_ session: SessionID) -> Set<InstanceID> {
        Set(books[session]?.contacts.values.filter(\.isProven).compactMap(\.instance) ?? [])
    }

    mutating func hearOf(_ endpoints: [Endpoint], for session: SessionID, at now: Moment) {
        for endpoint in endpoints.prefix(Limits.addresses)
        where PeerPorts.isDialable(endpoint.port) && !ownEndpoints.contains(endpoint) {
            books[session, default: AddressBook()].add(Contact(endpoint, dueAt: now.uptime))
        }
    }

    mutating func add(_ endpoint: Endpoint, to session: SessionID, at now: Moment) {
        guard replicas[session] != nil else { return }
        books[session, default: AddressBook()].add(Contact(endpoint))
        books[session]?.update(endpoint) { contact in
            contact.isTyped = true
            contact.hurry(at: now)
        }
    }

    // MARK: Dialling

    mutating func dialWhoIsDue(at now: Moment) {
        guard !isOffline else { return }
        for session in sessions where (books[session]?.nextDue ?? .max) <= now.uptime {
            for contact in books[session]?.sorted ?? [] {
                guard let due = contact.dueAt, due <= now.uptime, !contact.isDialling else {
                    continue
                }
                if ownEndpoints.contains(contact.endpoint) || isLinked(contact, session, at: now) {
                    books[session]?.update(contact.endpoint) { $0.rest(untilNews: false) }
                } else {
                    books[session]?.update(contact.endpoint) { $0.dial(at: now) }
                    emit(.dial(session, contact.endpoint))
                }
            }
        }
    }

    /// Whether the contact's device is linked and was heard of lately.
    private func isLinked(_ contact: Contact, _ session: SessionID, at now: Moment) -> Bool {
        links.values.contains { link in
            guard link.session == session, let peer = link.peer else { return false }
            let isSame = contact.device == peer.device || link.listening == contact.endpoint
            let isOtherRun = contact.instance.map { $0 != peer.instance } ?? false
            return isSame && !isOtherRun
                && now.uptime <= link.lastHeard + Timing.pingAfter + Timing.suspiciousSilence
        }
    }

    mutating func failToDial(
        _ session: SessionID,
        _ endpoint: Endpoint,
        _ failure: DialFailure,
        at now: Moment
    ) {
        if failure == .wrongKey { emit(.alarm(.wrongKey(session, endpoint))) }
        emit(.log(.debug, "dialling \(endpoint) failed: \(failure)"))
        let jitter = jitter()
        books[session]?.update(endpoint) { contact in
            contact.fail(at: now, jitter: jitter)
            // Who left the session announces itself when it comes back.
            if failure == .unknownSession, !contact.isTyped { contact.rest(untilNews: false) }
        }
    }

    /// The link is gone and is wanted back.
    mutating func retry(_ link: Link, at now: Moment) {
        guard let endpoint = contactEndpoint(of: link) else { return }
        let jitter = jitter()
        books[link.session]?.update(endpoint) { $0.fail(at: now, jitter: jitter) }
    }

    /// The link is gone and is not wanted back before something happens.
    mutating func rest(_ link: Link, untilNews: Bool) {
        guard let endpoint = contactEndpoint(of: link) else { return }
        books[link.session]?.update(endpoint) { $0.rest(untilNews: untilNews) }
    }

    private func contactEndpoint(of link: Link) -> Endpoint? {
        link.origin == .dialled ? link.remote : link.listening
    }

    /// Something new is there for peers that have been resting.
    mutating func rouse(_ session: SessionID, at now: Moment) {
        books[session]?.updateAll { contact in
            if contact.waitsForNews { contact.hurry(at: now) }
        }
    }

    // MARK: Who is where

    mutating func noteAddress(of peer: Link.Peer, on link: Link) {
        guard let endpoint = contactEndpoint(of: link) else { return }
        guard link.origin == .dialled || PeerPorts.isDialable(endpoint.port) else { return }
        books[link.session, default: AddressBook()].add(Contact(endpoint))
        books[link.session]?.update(endpoint) { $0.reach(peer.device, peer.instance) }
        emit(.remember(link.session, endpoint, peer.device))
    }

    /// Tells the new peer of the others and the others of the new peer.
    mutating func introduce(_ id: LinkID) {
        guard let link = links[id] else { return }
        let others = liveLinks(link.session).filter { $0.id != id }
        let known = others.compactMap(\.listening).filter { PeerPorts.isDialable($0.port) }
        if !known.isEmpty {
            emit(.send(id, .addresses(Array(Set(known).sorted().prefix(Limits.addresses)))))
        }
        guard let endpoint = link.listening, PeerPorts.isDialable(endpoint.port) else { return }
        for other in others where other.peer?.device != link.peer?.device {
            emit(.send(other.id, .addresses([endpoint])))
        }
    }

    // MARK: The machine

    mutating func searchAgain(at now: Moment) {
        ownEndpoints = []
        announcer.burst(at: now)
        for session in sessions { books[session]?.updateAll { $0.hurry(at: now) } }
    }

    mutating func wake(at now: Moment) {
        for link in liveLinks {
            links[link.id]?.ping()
            emit(.send(link.id, .ping(now.uptime & 0xFFFF_FFFF)))
        }
        searchAgain(at: now)
    }

    private var liveLinks: [Link] {
        links.values.filter { $0.peer != nil }.sorted { $0.id < $1.id }
    }

    mutating func setOffline(_ offline: Bool, at now: Moment) {
        guard offline != isOffline else { return }
        isOffline = offline
        if offline {
            for id in links.keys.sorted() { part(from: id, .offline) }
        } else {
            searchAgain(at: now)
        }
        for session in sessions { emit(.peersChanged(session)) }
    }
}
