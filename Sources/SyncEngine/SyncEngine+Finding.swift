import SessionCRDT
import SyncProtocol

/// Announcements, addresses and dials.
extension SyncEngine {
    // MARK: Announcing

    var announcementDueAt: UInt64? {
        port == nil || !replicas.values.contains(where: \.isReadable) ? nil : announcer.dueAt
    }

    mutating func announceIfDue(at now: Moment) {
        guard !isPaused, let port else { return }
        announcer.set(mood(at: now), jitter: jitter())
        guard let due = announcementDueAt, due <= now.uptime else { return }
        announcer.send(at: now, jitter: jitter())
        let held = sessions.compactMap { replicas[$0] }.filter(\.isReadable).map { replica in
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
                contact.member.map { !linked.contains($0) } ?? contact.isTyped
            }
        }
    }

    private func linkedDevices(_ session: SessionID) -> Set<DeviceID> {
        Set(links.values.filter { $0.session == session }.compactMap(\.peer?.device))
    }

    // MARK: Hearing of others

    mutating func hear(_ announcement: Announcement, from source: Endpoint, at now: Moment) {
        guard announcement.instance != device.instance, !isPaused,
            Ports.mayDial(named: source.port)
        else { return }
        let shared = announcement.sessions.filter { replicas[$0.id] != nil }
        guard !shared.isEmpty else { return }
        let isNew = noteInstance(announcement.instance)
        guard Versions.common(Versions.peer, announcement.versions) != nil else {
            let theirs = announcement.versions
            if isNew { emit(.log(.warning, "\(source) speaks only protocol \(theirs)")) }
            return
        }
        if isNew { announcer.burst(at: now, causedByPeer: true) }
        for announced in shared where isWorthDialling(announced, announcement, at: now) {
            books[announced.id, default: AddressBook()].add(Contact(source))
            books[announced.id]?.update(source) { contact in
                contact.claim(announcement.device, announcement.instance)
                contact.hurry(at: now)
            }
            books[announced.id]?.doubt(announcement.device)
        }
    }

    /// Remembers the run of a daemon; whether it is new.
    mutating func noteInstance(_ instance: InstanceID) -> Bool {
        // Anybody can make up more of them.
        if heardInstances.count >= SyncEngine.mostHeard { heardInstances = [] }
        return heardInstances.insert(instance).inserted
    }

    /// How many runs of daemons are told apart.
    private static let mostHeard = 256

    private mutating func isWorthDialling(
        _ announced: AnnouncedSession,
        _ announcement: Announcement,
        at now: Moment
    ) -> Bool {
        let existing = liveLinks(announced.id).filter {
            $0.peer?.device == announcement.device && $0.peer?.instance == announcement.instance
        }
        // Who is linked and yet looks for others may have lost the link; if it does not answer on
        // it within a second, `dialWhoIsDue` dials.
        for link in existing where now.uptime > link.lastHeard + Timing.suspiciousSilence {
            ping(link.id, at: now)
        }
        guard existing.isEmpty else { return existing.allSatisfy { links[$0.id]?.pingedAt != nil } }
        guard let replica = replicas[announced.id], replica.isFinished,
            let digest = announced.finishedDigest, digest == shortDigest(of: replica)
        else { return true }
        // Both are finished and hold the same: once per run is enough.
        guard metInstances(announced.id).contains(announcement.instance) else { return true }
        books[announced.id]?.agree(announcement.device)
        return false
    }

    private func metInstances(_ session: SessionID) -> Set<InstanceID> {
        Set(books[session]?.contacts.values.compactMap(\.metInstance) ?? [])
    }

    mutating func hearOf(_ endpoints: [Endpoint], for session: SessionID, at now: Moment) {
        for endpoint in endpoints.prefix(Limits.addresses)
        where Ports.mayDial(named: endpoint.port) && !ownEndpoints.contains(endpoint) {
            books[session, default: AddressBook()]
                .add(Contact(endpoint, isTold: true, dueAt: now.uptime))
            books[session]?.update(endpoint) { $0.isTold = true }
        }
    }

    mutating func add(_ endpoint: Endpoint, to session: SessionID, at now: Moment) {
        guard replicas[session] != nil else { return }
        books[session, default: AddressBook()].add(Contact(endpoint, isTyped: true))
        books[session]?.update(endpoint) { contact in
            contact.isTyped = true
            contact.hurry(at: now)
        }
    }

    // MARK: Dialling

    mutating func dialWhoIsDue(at now: Moment) {
        guard !isPaused else { return }
        for session in sessions where (books[session]?.nextDue ?? .max) <= now.uptime {
            guard replicas[session]?.isReadable == true else { continue }
            for contact in books[session]?.sorted ?? [] {
                guard let due = contact.dueAt, due <= now.uptime, !contact.isDialling else {
                    continue
                }
                consider(contact, session, at: now)
            }
        }
    }

    /// Dials an address that is due, unless who is there is linked.
    private mutating func consider(_ contact: Contact, _ session: SessionID, at now: Moment) {
        let linked = links.values.filter { isTo(contact, $0, session) }
        let isTrusted = linked.contains { $0.pingedAt == nil }
        let agreed = replicas[session]?.isFinished == true ? books[session]?.agreed : nil
        if let member = contact.member, agreed?.contains(member) == true {
            books[session]?.update(contact.endpoint) { $0.rest(untilNews: true) }
        } else if ownEndpoints.contains(contact.endpoint) || isTrusted {
            books[session]?.update(contact.endpoint) { $0.rest(untilNews: false) }
        } else if let until = linked.compactMap(\.trustedUntil).max(), until >= now.uptime {
            books[session]?.update(contact.endpoint) { $0.putOff(until: until + 1) }
        } else {
            dial(contact, session, at: now)
        }
    }

    private mutating func dial(_ contact: Contact, _ session: SessionID, at now: Moment) {
        recentDials = recentDials.filter { now.uptime < $0.value + Timing.dialSpacing }
        let dial = RecentDial(session: session, endpoint: contact.endpoint)
        if let last = recentDials[dial] {
            let next = last + Timing.dialSpacing
            books[session]?.update(contact.endpoint) { $0.putOff(until: next) }
        } else {
            recentDials[dial] = now.uptime
            books[session]?.update(contact.endpoint) { $0.dial() }
            emit(.dial(session, contact.endpoint))
        }
    }

    /// Whether the link leads to who is at the contact's address.
    private func isTo(_ contact: Contact, _ link: Link, _ session: SessionID) -> Bool {
        guard link.session == session, let peer = link.peer else { return false }
        let isSame = contact.device == peer.device || link.listening == contact.endpoint
        let isOtherRun = contact.instance.map { $0 != peer.instance } ?? false
        return isSame && !isOtherRun
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
            contact.doubt()
            if failure == .unknownSession, !contact.isTyped { contact.leave() }
        }
    }

    /// The link is gone and is wanted back, by whatever address.
    mutating func retry(_ link: Link, at now: Moment) {
        let endpoint = contactEndpoint(of: link)
        let jitter = jitter()
        let hasLived = link.peer != nil && now.uptime >= link.openedAt + Timing.deadAfter
        books[link.session]?.updateAll { contact in
            if contact.endpoint == endpoint {
                contact.fail(at: now, jitter: jitter, hasLived: hasLived)
            } else if let peer = link.peer, contact.member == peer.device, contact.dueAt == nil {
                contact.hurry(at: now)
            }
        }
    }

    /// The peer is no member any more.
    mutating func forget(_ link: Link, at now: Moment) {
        guard let endpoint = contactEndpoint(of: link) else { return }
        let isTyped = books[link.session]?[endpoint]?.isTyped ?? false
        books[link.session]?.updateAll { contact in
            if contact.member == link.peer?.device || contact.endpoint == endpoint {
                contact.leave()
            }
        }
        if isTyped { retry(link, at: now) }
    }

    /// The peer has all of a finished session: it is not wanted back before something is written.
    mutating func rest(_ link: Link) {
        guard let peer = link.peer else { return }
        books[link.session]?.agree(peer.device)
    }

    private func contactEndpoint(of link: Link) -> Endpoint? {
        link.origin == .dialled ? link.remote : link.listening
    }

    /// Something new is there for peers that have been resting.
    mutating func rouse(_ session: SessionID, at now: Moment) {
        books[session]?.doubt()
        books[session]?.updateAll { contact in
            if contact.waitsForNews { contact.hurry(at: now) }
        }
    }

    // MARK: Who is where

    mutating func noteAddress(of peer: Link.Peer, on id: LinkID, at now: Moment) {
        guard let link = links[id], let endpoint = contactEndpoint(of: link) else { return }
        guard link.origin == .dialled || Ports.mayDial(named: endpoint.port) else { return }
        books[link.session, default: AddressBook()]
            .reach(endpoint, peer.device, peer.instance, at: now)
        emit(.remember(link.session, endpoint, peer.device))
    }

    /// Tells the new peer of the others and the others of the new peer.
    mutating func introduce(_ id: LinkID) {
        guard let link = links[id] else { return }
        let others = liveLinks(link.session).filter { $0.id != id }
        let known = others.compactMap(\.listening).filter { Ports.mayDial(named: $0.port) }
        if !known.isEmpty {
            emit(.send(id, .addresses(Array(Set(known).sorted().prefix(Limits.addresses)))))
        }
        guard let endpoint = link.listening, Ports.mayDial(named: endpoint.port) else { return }
        for other in others where other.peer?.device != link.peer?.device {
            emit(.send(other.id, .addresses([endpoint])))
        }
    }

    // MARK: The machine

    mutating func searchAgain(at now: Moment) {
        ownEndpoints = []
        announcer.burst(at: now)
        // Links that look alive may have died of what happened.
        for id in links.keys.sorted() { ping(id, at: now, patience: Timing.doubtfulSilence) }
        for session in sessions { books[session]?.updateAll { $0.hurry(at: now) } }
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
