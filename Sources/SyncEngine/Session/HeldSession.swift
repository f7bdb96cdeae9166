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

/// Local writes, and what the disk says of them.
extension HeldSession {
    /// The local user writes.
    mutating func write(
        _ mutations: [Mutation],
        for request: RequestID,
        at now: Moment,
        _ commons: inout Commons
    ) {
        guard replica.isReadable else { return commons.emit(.reply(request, .unreadable)) }
        guard replica.hasRoom(for: mutations, by: commons.device) else {
            return commons.emit(.reply(request, .full))
        }
        replica.write(
            mutations,
            for: request,
            by: commons.device,
            at: now,
            using: &commons.generator
        )
        persist(&commons)
    }

    /// Writes this device's name where it has written another one, for no request.
    mutating func writeName(at now: Moment, _ commons: inout Commons) {
        let key = Key.device(commons.device.id)
        guard replica.isReadable, !replica.isFinished, replica.map.head(key) != nil,
            replica.hasRoom(for: [], by: commons.device)
        else { return }
        replica.write([], for: nil, by: commons.device, at: now, using: &commons.generator)
        persist(&commons)
    }

    /// The local user brings what a file has: taken as a peer's, all of it or nothing.
    mutating func take(
        _ delta: Delta,
        _ lines: [JournalLine],
        for request: RequestID,
        at now: Moment,
        _ commons: inout Commons
    ) {
        guard replica.isReadable else { return commons.emit(.reply(request, .unreadable)) }
        let news = replica.news(in: delta)
        if let excess = replica.excess(of: delta, adding: news) {
            return commons.emit(.reply(request, .failed(reason: "it would be \(excess.text)")))
        }
        guard replica.take(delta, lines, for: request, adding: news) else {
            return commons.emit(.reply(request, .failed(reason: "it builds on what is not here")))
        }
        if replica.isSettled { commons.emit(.reply(request, .saved)) }
        persist(&commons)
    }

    /// Sends what is new on its way to disk, unless something is on its way already.
    mutating func persist(_ commons: inout Commons) {
        guard !replica.isCommitting, replica.map.hasOpenChanges else { return }
        let batch = commons.nextBatch(of: id)
        guard let changes = replica.seal(as: batch) else { return }
        commons.emit(.persist(batch, id, changes))
    }

    /// The disk has the batch: peers first, then what follows from it, then who wrote.
    mutating func settle(_ batch: BatchID, at now: Moment, _ commons: inout Commons) {
        let before = replica.committed.vector
        guard let (waiting, changes) = replica.settle(batch) else { return }
        // Nothing but a repair changes what is held and not what has been seen.
        let isRepair = replica.committed.vector == before
        for link in waiting.links { acknowledge(to: link, &commons) }
        let served = served(at: now)
        for link in links.greeted {
            compare(link.id, afterRepair: isRepair, at: now, &commons)
            push(to: link.id, serving: served, at: now, &commons)
        }
        // Taken in before the answer, which tells how everybody stands now.
        // A vector alone may make this device and a peer equal.
        commons.emit(changes.isEmpty ? .peersChanged(id) : .changed(id, changes))
        for request in waiting.requests { commons.emit(.reply(request, .saved)) }
        contacts.rouse(at: now)
        // Who cannot be dialled from here sees by the digest that something has come.
        if replica.isFinished { commons.search.announcer.burst(at: now, causedByPeer: true) }
        refused.succeed(at: now)
        askAgainIfDue(at: now, &commons)
        persist(&commons)
        closeFinished(at: now, &commons)
    }

    /// The disk refused the batch: what it holds is unknown until it has been read again.
    ///
    /// The links stay: what peers were told is on disk still, and what they sent is asked for
    /// again.
    mutating func discard(
        _ batch: BatchID,
        _ reason: String,
        at now: Moment,
        _ commons: inout Commons
    ) {
        guard let failed = replica.discard(batch) else { return }
        commons.emit(.alarm(.storage(id, reason: reason)))
        commons.emit(.log(.error, "session \(id) cannot be written: \(reason)"))
        for request in failed.requests {
            commons.emit(.reply(request, .failed(reason: reason)))
        }
        for link in failed.links { refused.add(link) }
        refused.fail(at: now, jitter: commons.jitter())
        commons.emit(.load(id))
    }

    /// The disk was read again.
    mutating func reopen(_ opened: OpenedSession, at now: Moment, _ commons: inout Commons) {
        guard !replica.isReadable else { return }
        let before = replica.committed.vector
        do throws(CausalMapError) {
            var next = try Replica(id, opened)
            next.follow(replica)
            replica = next
        } catch {
            return failToLoad("\(error)", at: now, &commons)
        }
        commons.emit(.loaded(id))
        // Who was told of what is there no more must hear a new hello.
        if !replica.committed.vector.covers(before) { partFromAll(at: now, &commons) }
        guard replica.committed.vector != before else { return }
        // What was reported as failed is there after all, and peers lack it.
        for link in links.greeted { push(to: link.id, at: now, &commons) }
        refused.succeed(at: now)
        askAgainIfDue(at: now, &commons)
        contacts.rouse(at: now)
    }

    /// Asks again for what the disk did not take, when it is time.
    ///
    /// What is there after all is acknowledged, for only that tells what is held.
    mutating func askAgainIfDue(at now: Moment, _ commons: inout Commons) {
        guard replica.isReadable else { return }
        let vector = replica.committed.vector
        for link in refused.takeDue(at: now) {
            guard let exchange = links[link]?.exchange else { continue }
            if vector.covers(exchange.stated), !exchange.owesAnswerToUnion {
                acknowledge(to: link, &commons)
            } else {
                commons.emit(.send(link, .need(vector)))
            }
        }
    }

    /// The disk could not be read: until it can, nobody is told anything.
    mutating func failToLoad(_ reason: String, at now: Moment, _ commons: inout Commons) {
        guard !replica.isReadable else { return }
        if replica.failToLoad(at: now) { commons.reportUnreadable(id, reason) }
        partFromAll(at: now, &commons)
    }

    /// Reads again what could not be read, when it is time.
    mutating func reloadIfDue(at now: Moment, _ commons: inout Commons) {
        if replica.reload(at: now) { commons.emit(.load(id)) }
    }

    private mutating func partFromAll(at now: Moment, _ commons: inout Commons) {
        for link in links.all {
            part(from: link.id, .storage, &commons)
            retry(link, at: now, &commons)
        }
    }
}

extension Commons {
    /// Says that what the disk holds of a session makes no sense, or cannot be read.
    mutating func reportUnreadable(_ session: SessionID, _ reason: String) {
        emit(.alarm(.storage(session, reason: reason)))
        emit(.log(.error, "session \(session) cannot be read: \(reason)"))
    }
}

extension WriteOutcome {
    /// It was not made, because what the disk holds is unknown.
    fileprivate static let unreadable = failed(
        reason: "the disk refused an earlier write and is being read again"
    )
}
