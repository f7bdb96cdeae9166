import SessionCRDT
import SyncProtocol

/// Sessions that come and go, local writes, and the disk.
extension SyncEngine {
    mutating func open(_ session: SessionID, _ opened: OpenedSession, at now: Moment) {
        let before = replicas[session]?.committed.vector
        if replicas[session]?.isReadable != true {
            guard read(session, opened, at: now) else { return }
            emit(.loaded(session))
        }
        // After a failed commit the pauses go on: a full disk must not make everybody busy.
        guard let before else { return meetMembers(opened.addresses, of: session, at: now) }
        // What was reported as failed may be there after all, and resting peers lack it.
        if replicas[session]?.committed.vector != before { rouse(session, at: now) }
    }

    /// Tries the addresses that the disk remembers, and says that the session is here.
    private mutating func meetMembers(
        _ addresses: [KnownAddress],
        of session: SessionID,
        at now: Moment
    ) {
        var book = books[session] ?? AddressBook()
        for known in addresses {
            let (member, isTyped) = (known.device, known.isTyped)
            book.add(Contact(known.endpoint, member: member, isTyped: isTyped, isTold: true))
        }
        book.updateAll { $0.hurry(at: now) }
        books[session] = book
        announcer.burst(at: now)
    }

    /// Takes over what the disk holds; whether it makes sense.
    private mutating func read(
        _ session: SessionID,
        _ opened: OpenedSession,
        at now: Moment
    ) -> Bool {
        let before = replicas[session]
        do throws(CausalMapError) {
            var replica = try Replica(session, opened)
            replica.isInviting = before?.isInviting ?? false
            if let before { replica.acknowledged.join(before.acknowledged) }
            replicas[session] = replica
            return true
        } catch {
            failToLoad(session, "\(error)", at: now)
            return false
        }
    }

    mutating func failToLoad(_ session: SessionID, _ reason: String, at now: Moment) {
        emit(.alarm(.storage(session, reason: reason)))
        emit(.log(.error, "session \(session) cannot be read: \(reason)"))
        if replicas[session] != nil { replicas[session]?.reloadAt = now.uptime + Timing.reload }
    }

    mutating func leave(_ session: SessionID, at now: Moment) {
        for link in links.values.filter({ $0.session == session }).sorted(by: { $0.id < $1.id }) {
            part(from: link.id, .left)
        }
        for request in replicas[session]?.unanswered ?? [] {
            emit(.reply(request, .failed(reason: "the session was left")))
        }
        replicas[session] = nil
        books[session] = nil
    }

    mutating func invite(_ session: SessionID, _ isOpen: Bool, at now: Moment) {
        replicas[session]?.isInviting = isOpen
        if isOpen { announcer.burst(at: now) }
    }

    mutating func write(
        _ request: RequestID,
        _ session: SessionID,
        _ mutations: [Mutation],
        at now: Moment
    ) {
        guard let replica = replicas[session] else {
            return emit(.reply(request, .failed(reason: "the session is not held here")))
        }
        guard replica.isReadable else {
            let reason = "the disk refused an earlier write and is being read again"
            return emit(.reply(request, .failed(reason: reason)))
        }
        guard !replica.isFull else { return emit(.reply(request, .full)) }
        let device = device
        _ = changeReplica(session) { replica, generator in
            replica.write(mutations, for: request, by: device, at: now, using: &generator)
        }
        persist(session)
    }

    /// Sends what is new on its way to disk, unless something is on its way already.
    mutating func persist(_ session: SessionID) {
        guard let replica = replicas[session], replica.batch == nil, replica.map.hasOpenChanges
        else { return }
        let id = nextBatch()
        guard let batch = changeReplica(session, { replica, _ in replica.seal(as: id) }) ?? nil
        else { return }
        emit(.persist(id, session, batch))
    }

    mutating func settle(_ batch: BatchID, at now: Moment) {
        guard let session = session(of: batch), let before = replicas[session]?.committed.vector,
            let (waiting, changes) = changeReplica(session, { replica, _ in replica.settle() })
        else { return }
        // Nothing but a repair changes what is held and not what has been seen.
        let isRepair = replicas[session]?.committed.vector == before
        // Peers first: they wait for the network, everybody else only for this device.
        for link in waiting.links { acknowledge(to: link) }
        for link in liveLinks(session) {
            compare(link.id, afterRepair: isRepair)
            push(to: link.id)
        }
        // Taken in before the answer, which tells how everybody stands now.
        if !changes.isEmpty { emit(.changed(session, changes)) }
        for request in waiting.requests { emit(.reply(request, .saved)) }
        rouse(session, at: now)
        persist(session)
        closeFinished(session)
    }

    mutating func discard(_ batch: BatchID, _ reason: String, at now: Moment) {
        guard let session = session(of: batch),
            let requests = changeReplica(session, { replica, _ in replica.discard() })
        else { return }
        emit(.alarm(.storage(session, reason: reason)))
        emit(.log(.error, "session \(session) cannot be written: \(reason)"))
        for request in requests { emit(.reply(request, .failed(reason: reason))) }
        for link in links.values.filter({ $0.session == session }).sorted(by: { $0.id < $1.id }) {
            part(from: link.id, .storage)
            retry(link, at: now)
        }
        emit(.load(session))
    }

    private func session(of batch: BatchID) -> SessionID? {
        replicas.first { $0.value.batch == batch }?.key
    }

    /// Reads again what could not be read.
    mutating func reloadWhatIsDue(at now: Moment) {
        for session in sessions {
            guard let due = replicas[session]?.reloadAt, due <= now.uptime else { continue }
            replicas[session]?.reloadAt = nil
            emit(.load(session))
        }
    }
}
