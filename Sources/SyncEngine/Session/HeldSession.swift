import SessionCRDT
import SyncProtocol

/// All that one session is here: its data, the addresses of its members, and the links with them.
///
/// One step of it costs what this session holds; it knows of no other. Its extensions are its
/// writes and its disk, its links, and what linked peers exchange.
struct HeldSession: Sendable {
    let id: SessionID
    /// The data.
    var replica: Replica
    /// Where the members are, were or may be.
    var contacts = Contacts()
    /// The connections with members.
    var links = LinkTable()
    /// What was sent to several peers who do not know of each other yet that they have it.
    var deliveries = Deliveries()
    /// The links by which deltas came that the disk did not take.
    var refused = RefusedDeltas()
    /// When a peer was last lost without saying goodbye.
    var lostAt: UInt64?
    /// Whether somebody can join here with a code.
    var isInviting = false

    /// The session as a store held it.
    init(_ id: SessionID, _ opened: OpenedSession) throws(CausalMapError) {
        self.id = id
        replica = try Replica(id, opened)
    }

    /// Takes a step, and says what the session asks of the engine as a whole from then on.
    mutating func demand(
        after step: (inout HeldSession, inout Commons) -> Void,
        _ commons: inout Commons
    ) -> Demand {
        step(&self, &commons)
        return Demand(
            dialAt: replica.isReadable ? contacts.nextDue : nil,
            checkAt: [
                links.nextDeadline, replica.reloadAt, deliveries.reportAt,
                replica.isReadable ? refused.askAt : nil,
            ].compactMap(\.self).min(),
            isReadable: replica.isReadable,
            isInviting: isInviting,
            isMissingSomebody: isMissingSomebody
        )
    }

    /// What an announcement says of the session.
    func announced(at now: Moment) -> AnnouncedSession {
        AnnouncedSession(
            id: id,
            isInviting: isInviting,
            isSearching: lostAt.map { now.uptime < $0 + Timing.searching } ?? false,
            finishedDigest: replica.isFinished ? shortDigest : nil
        )
    }

    /// Whether announcements have it only where something has happened, and now and then.
    var isAnnouncedRarely: Bool { replica.isFinished && !isInviting }

    private var shortDigest: UInt32 {
        UInt32(truncatingIfNeeded: replica.committed.tally.digest.sum >> 96)
    }

    /// Whether a device that was a member's of an unfinished session is not linked.
    private var isMissingSomebody: Bool {
        let linked = links.all.compactMap(\.peer)
        return contacts.all.contains { $0.isMissed(among: linked) } && !replica.isFinished
    }

    // MARK: Coming and going

    /// Tries the addresses that the disk remembers, and says that the session is here.
    mutating func begin(
        _ addresses: [KnownAddress],
        at now: Moment,
        _ commons: inout Commons
    ) {
        commons.emit(.loaded(id))
        for known in addresses {
            let (member, isTyped) = (known.device, known.isTyped)
            contacts.add(Contact(known.endpoint, member: member, isTyped: isTyped, isTold: true))
        }
        contacts.searchAgain(at: now)
        commons.search.announcer.burst(at: now)
    }

    /// The session is no longer on disk: says goodbye to everybody.
    mutating func leave(_ commons: inout Commons) {
        for link in links.all { part(from: link.id, .left, &commons) }
        for request in replica.unanswered {
            commons.emit(.reply(request, .failed(reason: "the session was left")))
        }
    }

    // MARK: Hearing of others

    /// A daemon announced that it holds the session.
    mutating func hear(
        _ announced: AnnouncedSession,
        of announcement: Announcement,
        from source: Endpoint,
        at now: Moment,
        _ commons: inout Commons
    ) {
        guard isWorthDialling(announced, of: announcement, from: source, at: now, &commons)
        else { return }
        contacts.add(Contact(source))
        contacts.update(source) { $0.claim(announcement.device, announcement.instance, at: now) }
        contacts.doubt(announcement.device)
    }

    private mutating func isWorthDialling(
        _ announced: AnnouncedSession,
        of announcement: Announcement,
        from source: Endpoint,
        at now: Moment,
        _ commons: inout Commons
    ) -> Bool {
        let existing = links.all.filter {
            $0.peer?.device == announcement.device && $0.instance == announcement.instance
        }
        for link in existing {
            guard announced.isSearching else {
                links.update(link.id) { $0.note(announcementFrom: source.address, at: now) }
                continue
            }
            // Who is linked and yet looks for others may have lost the link; if it does not answer
            // on it within a second, it is dialled.
            guard let heard = link.lastHeard, now.uptime > heard + Timing.suspiciousSilence
            else { continue }
            ping(link.id, at: now, &commons)
        }
        guard existing.isEmpty else { return existing.allSatisfy { links[$0.id]?.pingedAt != nil } }
        guard replica.isFinished, let digest = announced.finishedDigest, digest == shortDigest
        else { return true }
        // Both are finished and hold the same: once per run is enough.
        guard contacts.hasMet(announcement.instance) else { return true }
        contacts.agree(announcement.device, at: now, jitter: commons.jitter())
        return false
    }

    /// A peer told where it knows others.
    mutating func hearOf(_ endpoints: [Endpoint], at now: Moment, _ commons: Commons) {
        let linked = links.greeted.compactMap(\.instance)
        for endpoint in endpoints.prefix(Limits.addresses)
        where Ports.mayDial(named: endpoint.port)
            && !commons.search.ownEndpoints.contains(endpoint)
        {
            contacts.add(Contact(endpoint, isTold: true, dueAt: now.uptime))
            contacts.update(endpoint) { contact in
                contact.isTold = true
                contact.vouch(besides: linked)
                // Who had not taken up the session when it was told first may have by now.
                contact.hurryIfIdle(at: now)
            }
        }
    }

    /// The user typed an address.
    mutating func add(_ endpoint: Endpoint, at now: Moment) {
        contacts.add(Contact(endpoint, isTyped: true))
        contacts.update(endpoint) { contact in
            contact.isTyped = true
            contact.hurry(at: now)
        }
    }

    /// A dial did not become a link.
    mutating func failToDial(
        _ endpoint: Endpoint,
        _ failure: DialFailure,
        at now: Moment,
        _ commons: inout Commons
    ) {
        let jitter = commons.jitter()
        var longest = replica.isFinished ? Timing.rarestRedial : Timing.redial.upperBound
        // Something waits for the peer, whose link answers nothing: it must not wait longer.
        if let member = contacts[endpoint]?.member, links.isDoubted(member) {
            longest = Timing.redial.lowerBound
        }
        let agreed = contacts.agreed
        contacts.update(endpoint) { contact in
            if let member = contact.member, agreed.contains(member) {
                contact.dialEnded()
                contact.agree(at: now, jitter: jitter)
            } else {
                contact.fail(at: now, jitter: jitter, longest: longest)
            }
            contact.doubt()
            // A member may be about to take up a next game, and have no way to say that it has.
            if failure == .unknownSession, !contact.isTyped,
                !contact.isProven || contact.isDeserted
            {
                contact.leave()
            }
        }
    }

    /// Dials everybody whose time has come and who is not linked.
    mutating func dialWhoIsDue(at now: Moment, _ commons: inout Commons) {
        let circumstances = Contacts.Circumstances(
            session: id,
            isFinished: replica.isFinished,
            greeted: links.greeted
        )
        contacts.dialWhoIsDue(in: circumstances, at: now, &commons)
    }
}
