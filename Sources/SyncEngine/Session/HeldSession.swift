import SessionCRDT
import SyncProtocol

/// One session on this device: its data, the addresses of its members, and the links with them.
///
/// It has no access to other sessions, so the cost of a step depends on this session alone. This
/// file contains its lifecycle, storage and discovery, the extensions its links and the exchange.
struct HeldSession: Sendable {
    let id: SessionID
    var replica: Replica
    var contacts = Contacts()
    var links = LinkTable()
    var reports = DeliveryReports()
    /// The links whose deltas the disk refused, to be requested again.
    var refused = RefusedDeltas()
    /// The reason why the last write to disk failed; nil if it succeeded.
    private(set) var storageProblem: StorageProblem?
    /// The last time at which a peer was lost without a goodbye.
    var lostAt: UInt64?
    var isInviting = false
    /// The laptops that wait here to be admitted.
    private(set) var knocks: [Knock] = []

    init(_ id: SessionID, _ opened: OpenedSession) throws(CausalMapError) {
        self.id = id
        replica = try Replica(id, opened)
    }

    var schedule: Schedule {
        let linked = links.all.compactMap(\.peer)
        return Schedule(
            dialAt: replica.isReadable ? contacts.nextDue : nil,
            checkAt: [
                links.nextDeadline, replica.reloadAt, reports.dueAt,
                replica.isReadable ? refused.askAt : nil,
            ].compactMap(\.self).min(),
            isReadable: replica.isReadable,
            isInviting: isInviting,
            isMissingPeer: contacts.all.contains { $0.isMissing(from: linked) }
                && !replica.isFinished
        )
    }

    func announced(at now: Moment) -> AnnouncedSession {
        AnnouncedSession(
            id: id,
            isInviting: isInviting,
            isSearching: lostAt.map { now.uptime < $0 + Timing.searchDuration } ?? false,
            finishedDigest: replica.isFinished ? shortDigest : nil
        )
    }

    /// Whether only bursts and occasional announcements include the session.
    var isAnnouncedRarely: Bool { replica.isFinished && !isInviting }

    private var shortDigest: UInt32 {
        UInt32(truncatingIfNeeded: replica.committed.tally.digest.sum >> 96)
    }

    // MARK: Life

    /// Adds the stored addresses, which are then dialled, and announces the session.
    mutating func start(_ opened: OpenedSession, _ context: inout EngineContext) {
        context.emit(.loaded(id))
        for contact in opened.contacts { contacts.add(contact) }
        if let known = opened.upToDate, known.digest == replica.committed.tally.digest {
            contacts.restore(upToDate: known.devices)
        }
        contacts.dialAllNow(at: context.now)
        context.discovery.announcer.startBurst(at: context.now)
    }

    /// Says goodbye on all links, because the user has left the session.
    mutating func leave(_ context: inout EngineContext) {
        for link in links.all { part(from: link.id, .left, &context) }
        let outcome = WriteOutcome.failed(reason: "the session was left")
        for request in replica.unanswered { context.emit(.reply(request, outcome)) }
    }

    // MARK: Discovery

    mutating func receive(
        _ announced: AnnouncedSession,
        of announcement: Announcement,
        from source: Endpoint,
        _ context: inout EngineContext
    ) {
        let (device, instance) = (announcement.device, announcement.instance)
        guard shouldDial(announced, of: announcement, from: source, &context) else { return }
        contacts.add(Contact(source))
        contacts.update(source) { $0.receiveAnnouncement(of: device, instance, at: context.now) }
        contacts.markOutOfDate(device)
    }

    private mutating func shouldDial(
        _ announced: AnnouncedSession,
        of announcement: Announcement,
        from source: Endpoint,
        _ context: inout EngineContext
    ) -> Bool {
        let existing = links.all.filter {
            $0.peer?.device == announcement.device && $0.instance == announcement.instance
        }
        for link in existing {
            guard announced.isSearching else {
                links.update(link.id) { $0.recordAnnouncement(from: source, at: context.now) }
                continue
            }
            // A linked peer that misses other peers may have lost its end of the link. If it does
            // not answer a ping within a second, it is dialled.
            guard let heard = link.lastHeard, context.now.uptime > heard + Timing.suspiciousSilence
            else { continue }
            ping(link.id, &context)
        }
        guard existing.isEmpty else { return existing.allSatisfy { links[$0.id]?.pingedAt != nil } }
        guard replica.isFinished, let digest = announced.finishedDigest, digest == shortDigest
        else { return true }
        // Both have the same finished session: one link with each instance has been enough.
        guard contacts.hasLinked(with: announcement.instance) else { return true }
        if !contacts.upToDate.contains(announcement.device) { context.emit(.peersChanged(id)) }
        contacts.markUpToDate(announcement.device, at: context.now, jitter: context.jitter())
        return false
    }

    mutating func receiveAddresses(
        _ endpoints: [Endpoint],
        from remote: IPAddress,
        _ context: EngineContext
    ) {
        let (now, linked) = (context.now, links.greeted.compactMap(\.instance))
        for sent in endpoints.prefix(Limits.addresses) where Ports.mayDial(named: sent.port) {
            guard let address = sent.address.received(from: remote) else { continue }
            let endpoint = Endpoint(address: address, port: sent.port)
            guard !context.discovery.ownEndpoints.contains(endpoint) else { continue }
            contacts.add(Contact(endpoint, isReferred: true, dueAt: now.uptime))
            contacts.update(endpoint) { contact in
                contact.receiveReferral(linked: linked)
                // The daemon may have joined the session since an earlier referral.
                contact.dialNowIfIdle(at: now)
            }
        }
    }

    mutating func addTyped(_ endpoint: Endpoint, at now: Moment) {
        contacts.add(Contact(endpoint, isTyped: true))
        contacts.update(endpoint) { contact in
            contact.isTyped = true
            contact.dialNow(at: now)
        }
    }

    mutating func dialFailed(
        _ endpoint: Endpoint,
        _ failure: DialFailure,
        _ context: inout EngineContext
    ) {
        let jitter = context.jitter()
        let backoff = Timing.redialBackoff
        var maxPause = replica.isFinished ? Timing.maxFinishedRedial : backoff.upperBound
        // Writes wait for a peer whose link does not answer, so the pause must stay short.
        if let member = contacts[endpoint]?.member, links.isRedialling(member) {
            maxPause = backoff.lowerBound
        }
        contacts.update(endpoint) { contact in
            if contact.waitsForChange {
                contact.endDial()
                contact.pauseUntilChange(at: context.now, jitter: jitter)
            } else {
                contact.recordFailure(at: context.now, jitter: jitter, maxPause: maxPause)
            }
            contact.forgetInstance()
            // One such answer is not enough: a member that has yet to join this next game sends it,
            // too.
            let isUnknown = failure == .unknownSession && !contact.isTyped
            // A copy of this laptop's home has its addresses, too, and looks for it.
            let isCopy = contact.member == context.device.id
            if isUnknown || isCopy, !contact.isConfirmed || contact.isUnresponsive {
                contact.memberLeft()
            }
        }
    }

    mutating func dialDue(_ context: inout EngineContext) {
        contacts.dialDue(for: id, linked: links.greeted, &context)
    }

    // MARK: Writes

    mutating func write(
        _ mutations: [Mutation],
        for request: RequestID,
        _ context: inout EngineContext
    ) {
        guard replica.isReadable else { return context.emit(.reply(request, .unreadable)) }
        guard replica.hasRoom(for: mutations, by: context.device) else {
            return context.emit(.reply(request, .sessionFull))
        }
        replica.write(mutations, for: request, &context)
        persist(&context)
    }

    mutating func writeName(_ context: inout EngineContext) {
        let key = Key.device(context.device.id)
        guard replica.isReadable, !replica.isFinished, replica.map.head(key) != nil,
            replica.hasRoom(for: [], by: context.device)
        else { return }
        replica.write([], &context)
        persist(&context)
    }

    /// Imports a file of the local user; the delta is applied completely or not at all.
    mutating func importDelta(
        _ delta: Delta,
        _ lines: [JournalLine],
        for request: RequestID,
        _ context: inout EngineContext
    ) {
        guard replica.isReadable else { return context.emit(.reply(request, .unreadable)) }
        let added = replica.addedWeight(of: delta)
        if let excess = replica.excess(of: delta, adding: added) {
            let reason = "the session would hold \(excess)"
            return context.emit(.reply(request, .failed(reason: reason)))
        }
        guard replica.importDelta(delta, lines, for: request, adding: added) else {
            let reason = "the file builds on changes that are missing here"
            return context.emit(.reply(request, .failed(reason: reason)))
        }
        if replica.isSettled { context.emit(.reply(request, .saved)) }
        persist(&context)
    }

    // MARK: The disk

    /// Sends the open changes to disk, unless a batch is already on its way.
    mutating func persist(_ context: inout EngineContext) {
        guard !replica.isCommitting, replica.map.hasOpenChanges else { return }
        let batch = context.nextBatch(of: id)
        guard let changes = replica.seal(as: batch) else { return }
        context.emit(.persist(batch, id, changes))
    }

    /// Completes a batch that is on disk: notifies the peers, then the watchers, then the writer.
    mutating func persisted(_ batch: BatchID, _ context: inout EngineContext) {
        let before = replica.committed.vector
        guard let (waiting, changes) = replica.settle(batch) else { return }
        setStorageProblem(nil, &context)
        // A repair changes the state but not the vector.
        let isRepair = replica.committed.vector == before
        for link in waiting.links { acknowledge(to: link, &context) }
        let served = served(at: context.now)
        for link in links.greeted {
            compareDigests(link.id, afterRepair: isRepair, &context)
            push(to: link.id, serving: served, &context)
        }
        // Watchers come before the answer, because the answer tells whether all peers have the
        // write. Even without changes a new vector can make this device and a peer equal.
        context.emit(changes.isEmpty ? .peersChanged(id) : .changed(id, changes))
        for request in waiting.requests { context.emit(.reply(request, .saved)) }
        contacts.wakeAll(at: context.now)
        // Announces the new digest to peers that this device cannot dial.
        if replica.isFinished {
            context.discovery.announcer.startBurst(at: context.now, causedByPeer: true)
        }
        refused.diskRecovered(at: context.now)
        askForRefusedIfDue(&context)
        persist(&context)
        closeIfFinished(&context)
    }

    /// Reads the session again after the disk refused a batch, because the state on disk is
    /// unknown.
    ///
    /// The links stay open: everything sent to peers is on disk, and their deltas are requested
    /// again.
    mutating func persistFailed(
        _ batch: BatchID,
        _ problem: StorageProblem,
        _ reason: String,
        _ context: inout EngineContext
    ) {
        guard let failed = replica.discard(batch) else { return }
        setStorageProblem(problem, &context)
        context.emit(.alarm(.storage(id, reason: reason)))
        context.emit(.log(.error, "session \(id) cannot be written: \(reason)"))
        for request in failed.requests { context.emit(.reply(request, .failed(reason: reason))) }
        for link in failed.links { refused.add(link) }
        refused.diskFailed(at: context.now, jitter: context.jitter())
        context.emit(.load(id))
    }

    /// Records whether this device can save, and notifies the peers of a change.
    private mutating func setStorageProblem(
        _ problem: StorageProblem?,
        _ context: inout EngineContext
    ) {
        guard problem != storageProblem else { return }
        storageProblem = problem
        for link in links.greeted { sendStorageProblem(to: link, &context) }
    }

    /// Notifies a peer whether this device can save and, if not, why.
    func sendStorageProblem(to link: Link, _ context: inout EngineContext) {
        guard link.peer?.features.contains(Feature.storage) == true else { return }
        context.emit(.send(link.id, .storage(storageProblem)))
    }

    // MARK: Knocks

    /// Records the laptops that wait here to be admitted, and notifies the peers of a change.
    mutating func setKnocks(_ knocks: [Knock], _ context: inout EngineContext) {
        guard knocks != self.knocks else { return }
        self.knocks = knocks
        for link in links.greeted { sendKnocks(to: link, &context) }
    }

    func sendKnocks(to link: Link, _ context: inout EngineContext) {
        guard link.peer?.features.contains(Feature.knocks) == true else { return }
        context.emit(.send(link.id, .knocks(knocks)))
    }

    /// Sends an answer to the peer at which a laptop waits; if it is not linked any more, the
    /// laptop does not wait there any more either.
    func answer(
        _ knock: KnockID,
        _ answer: KnockAnswer,
        at device: DeviceID,
        _ context: inout EngineContext
    ) {
        let link = links.greeted.first { link in
            link.peer?.device == device && link.peer?.knocks.contains { $0.id == knock } == true
        }
        if let link { context.emit(.send(link.id, .admit(knock, answer))) }
    }

    mutating func reopen(_ opened: OpenedSession, _ context: inout EngineContext) {
        guard !replica.isReadable else { return }
        let before = replica.committed.vector
        do throws(CausalMapError) {
            var next = try Replica(id, opened)
            next.inheritState(of: replica)
            replica = next
        } catch { return loadFailed("\(error)", &context) }
        context.emit(.loaded(id))
        // The disk lost writes, and the peers know that it had them: new links bring a new hello.
        if !replica.committed.vector.covers(before) { partFromAll(&context) }
        guard replica.committed.vector != before else { return }
        // Some of the writes that were reported as failed are stored after all, and peers lack
        // them.
        for link in links.greeted { push(to: link.id, &context) }
        refused.diskRecovered(at: context.now)
        askForRefusedIfDue(&context)
        contacts.wakeAll(at: context.now)
    }

    /// Requests the deltas that the disk refused again, once the pause is over.
    ///
    /// A delta that turns out to be stored is acknowledged instead.
    mutating func askForRefusedIfDue(_ context: inout EngineContext) {
        guard replica.isReadable else { return }
        let vector = replica.committed.vector
        for link in refused.linksToAsk(at: context.now) {
            guard let exchange = links[link]?.exchange else { continue }
            if vector.covers(exchange.peerVector), !exchange.owesAckForUnion {
                acknowledge(to: link, &context)
            } else {
                context.emit(.send(link, .need(vector)))
            }
        }
    }

    /// Plans another read and closes all links: nothing is sent to peers until it succeeds.
    mutating func loadFailed(_ reason: String, _ context: inout EngineContext) {
        guard !replica.isReadable else { return }
        if replica.loadFailed(at: context.now) { context.reportUnreadable(id, reason) }
        partFromAll(&context)
    }

    mutating func reloadIfDue(_ context: inout EngineContext) {
        if replica.startReload(at: context.now) { context.emit(.load(id)) }
    }

    private mutating func partFromAll(_ context: inout EngineContext) {
        for link in links.all {
            part(from: link.id, .storage, &context)
            redial(link, &context)
        }
    }
}

extension WriteOutcome {
    fileprivate static let unreadable = failed(
        reason: "an earlier write failed, and the session is being read from disk again"
    )
}
