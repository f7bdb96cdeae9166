import SessionCRDT
import SyncProtocol

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
