import SessionCRDT
import SyncProtocol

/// The exchange of state with linked peers; see `Exchange` for the protocol.
extension HeldSession {
    mutating func exchange(_ message: PeerMessage, on link: Link, _ context: inout EngineContext) {
        switch message {
        case .delta(let delta):
            links.updateGreeted(link.id) { $0.isReceivingParts = false }
            receive(delta, from: link, &context)
        case .ack(let acknowledgement):
            links.updateGreeted(link.id) { $0.exchange.apply(acknowledgement) }
            recordAcknowledgement(of: link.id, &context)
            compareDigests(link.id, &context)
            push(to: link.id, &context)
            sendReports(&context)
            context.emit(.peersChanged(id))
            closeIfFinished(&context)
        case .need(let vector):
            guard
                links.updateGreeted(link.id, { $0.exchange.applyNeed(vector, at: context.now) })
                    == true
            else { return breach("deltas never fit", on: link.id, &context) }
            push(to: link.id, &context)
            // The peer may have stored the delta that it reported as refused, so that it lacks
            // nothing.
            closeIfFinished(&context)
        case .addresses(let endpoints):
            receiveAddresses(endpoints, from: link.remote.address, context)
        case .links(let instances): links.updateGreeted(link.id) { $0.peersLinks = Set(instances) }
        case .reached(let reach): receive(reach, &context)
        case .storage(let problem):
            links.updateGreeted(link.id) { $0.peer.storageProblem = problem }
            context.emit(.peersChanged(id))
        case .knocks(let knocks):
            links.updateGreeted(link.id) { $0.peer.knocks = knocks }
            context.emit(.peersChanged(id))
        case .admit(let knock, let answer):
            guard let peer = link.peer else { return }
            context.emit(.answerKnock(id, knock, answer, by: peer.name))
        case .welcome, .guest: breach("a message for guests", on: link.id, &context)
        case .hello, .ping, .pong, .clock, .bye, .error: break
        }
    }

    private mutating func receive(_ delta: Delta, from link: Link, _ context: inout EngineContext) {
        guard replica.isReadable else {
            // Records that the peer has these writes; the next load shows whether they are stored
            // here.
            links.updateGreeted(link.id) { $0.exchange.recordReceived(delta) }
            return refused.add(link.id)
        }
        guard link.exchange?.isRefused != true else { return }
        let added = replica.addedWeight(of: delta)
        if let excess = replica.excess(of: delta, adding: added) {
            return refuse(PeerError(code: PeerError.tooMuch, text: excess), of: link, &context)
        }
        if delta.isUnion { reportMismatch(delta, from: link, &context) }
        guard let displaced = replica.merge(delta, adding: added) else {
            return context.emit(.send(link.id, .need(replica.committed.vector)))
        }
        links.updateGreeted(link.id) { $0.exchange.recordReceived(delta) }
        rewrite(displaced, &context)
        delegateToSender(delta, link, at: context.now)
        recordAcknowledgement(of: link.id, &context)
        if replica.isSettled {
            acknowledge(to: link.id, &context)
        } else {
            replica.acknowledgeWhenSettled(link.id)
            persist(&context)
        }
        if delta.isUnion { answerUnion(on: link.id, &context) }
    }

    /// Rejects all further deltas of a link whose peer sends more than a session may hold.
    ///
    /// The error is sent once; the link stays open for the deltas of this device.
    mutating func refuse(_ error: PeerError, of link: Link, _ context: inout EngineContext) {
        guard link.exchange?.isRefused != true else { return }
        links.updateGreeted(link.id) { $0.exchange.refuse() }
        context.emit(.send(link.id, .error(error)))
        guard let peer = link.peer else { return }
        context.emit(.alarm(.excess(id, peer.device, name: peer.name, of: error.text)))
    }

    /// Handles the peer's report that it could not decode or accept a message.
    func receive(_ error: PeerError, from link: Link, _ context: inout EngineContext) {
        context.emit(.log(.warning, "link \(link.id): \(error.text)"))
        guard let peer = link.peer else { return }
        switch error.code {
        case PeerError.tooMuch: context.emit(.alarm(.refused(id, peer.device, name: peer.name)))
        case PeerError.badDelta:
            let reason = error.text
            context.emit(.alarm(.deltaRefused(id, peer.device, name: peer.name, reason: reason)))
        default: break
        }
    }

    /// Sends the peer the vector and digest of the state on this disk.
    mutating func acknowledge(to link: LinkID, _ context: inout EngineContext) {
        guard links[link] != nil else { return }
        links.updateGreeted(link) { $0.exchange.recordAckSent() }
        let committed = replica.committed
        let (vector, digest) = (committed.vector, committed.tally.digest)
        context.emit(.send(link, .ack(Acknowledgement(vector: vector, digest: digest))))
    }

    /// Sends the peer the writes that it lacks, unless it has not answered the last delta, or other
    /// devices are sending it the same writes.
    ///
    /// A caller that pushes to several peers computes `served` once and passes it.
    mutating func push(
        to id: LinkID,
        serving served: Set<InstanceID>? = nil,
        _ context: inout EngineContext
    ) {
        guard let link = links[id], let exchange = link.exchange, !exchange.awaitsAnswer
        else { return }
        let committed = replica.committed
        let news = committed.vector.heads(aheadOf: exchange.peerVector)
        guard news.isEmpty || !link.isDelegated(news, at: context.now) else { return }
        // A union is only valid for a peer that lacks nothing else.
        let union = exchange.owesUnion ? committed.union : nil
        guard let delta = committed.delta(since: exchange.peerVector) ?? union else { return }
        sendLinks(served ?? self.served(at: context.now), to: link, &context)
        let digest = committed.tally.digest
        links.updateGreeted(id) { $0.exchange.recordSent(delta, of: digest, at: context.now) }
        context.emit(.send(id, .delta(delta)))
        reports.recordSent(news, at: context.now)
    }

    // MARK: Forwarding

    /// Returns the instances that receive this device's writes, because they acknowledge in time;
    /// sending a delta does not change the result.
    func served(at now: Moment) -> Set<InstanceID> {
        Set(links.greeted.filter { isServed($0, at: now) }.compactMap(\.instance))
    }

    private func isServed(_ link: Link, at now: Moment) -> Bool {
        link.exchange?.sentAt.map { now.uptime < $0 + Timing.forwardAfter } ?? true
    }

    /// Reports to a peer the other instances that receive this device's writes, if they have
    /// changed.
    private mutating func sendLinks(
        _ served: Set<InstanceID>,
        to link: Link,
        _ context: inout EngineContext
    ) {
        let others = served.filter { $0 != link.instance }.sorted()
        guard links.updateGreeted(link.id, { $0.recordLinks(others) }) == true else { return }
        context.emit(.send(link.id, .links(others)))
    }

    /// Records that the sender of a delta delivers it to the peers that it is linked with.
    private mutating func delegateToSender(_ delta: Delta, _ sender: Link, at now: Moment) {
        let theirs = sender.peersLinks
        guard !theirs.isEmpty else { return }
        let until = now.uptime + Timing.forwardAfter
        for other in links.greeted where other.id != sender.id {
            guard let instance = other.instance, theirs.contains(instance) else { continue }
            links.updateGreeted(other.id) { $0.delegated.add(delta.upto, until: until) }
        }
    }

    /// Reports to each peer which sent writes the others have, once all have them or after a delay.
    mutating func sendReports(_ context: inout EngineContext) {
        guard reports.dueAt != nil else { return }
        let instances = served(at: context.now)
        guard instances.count > 1 else { return reports.clear() }
        let reached = links.greeted.filter { isServed($0, at: context.now) }
            .compactMap(\.exchange?.peerVector)
        guard let vector = reports.next(reachedBy: reached, at: context.now), !vector.isEmpty
        else { return }
        for link in links.greeted {
            guard let peer = link.peer, peer.features.contains(Feature.reach) else { continue }
            let others = instances.filter { $0 != peer.instance }.sorted()
            context.emit(.send(link.id, .reached(Reach(instances: others, vector: vector))))
        }
    }

    /// Records what other instances have on disk, as a peer reported, so that it is not sent to
    /// them.
    private mutating func receive(_ reach: Reach, _ context: inout EngineContext) {
        let theirs = Set(reach.instances)
        for other in links.greeted {
            guard let instance = other.instance, theirs.contains(instance) else { continue }
            links.updateGreeted(other.id) {
                $0.exchange.learn(reach.vector)
                $0.pruneDelegated(at: context.now)
            }
            // A planned union waits until the peer lacks nothing else, which this report may have
            // shown.
            if other.exchange?.owesUnion == true { push(to: other.id, &context) }
        }
        context.emit(.peersChanged(id))
        closeIfFinished(&context)
    }

    /// Records what another device has on disk; only such writes may be pruned from the journal.
    mutating func recordAcknowledgement(of id: LinkID, _ context: inout EngineContext) {
        guard let link = links[id], let vector = link.exchange?.peerVector,
            link.peer?.device != context.device.id, !replica.acknowledged.covers(vector)
        else { return }
        replica.acknowledged.join(vector)
        context.emit(.acknowledged(self.id, replica.acknowledged))
    }

    /// Recomputes the acknowledged writes after a member has left and deleted its copy: only those
    /// of linked devices count and, in a finished session, everything if another member has the
    /// same state.
    mutating func forgetAcknowledgements(of leaver: Link.Peer, _ context: inout EngineContext) {
        var acknowledged = VersionVector()
        for link in links.greeted {
            guard let peer = link.peer, peer.instance != leaver.instance,
                peer.device != context.device.id, let vector = link.exchange?.peerVector
            else { continue }
            acknowledged.join(vector)
        }
        // Another instance of this device, a copy of its home, does not count as another device.
        if !contacts.upToDate.subtracting([context.device.id]).isEmpty {
            acknowledged.join(replica.committed.vector)
        }
        guard acknowledged != replica.acknowledged else { return }
        replica.acknowledged = acknowledged
        context.emit(.acknowledged(id, acknowledged))
        context.emit(.peersChanged(id))
    }

    // MARK: Repair

    /// Compares the digests if the vectors are equal, and plans a union if they differ.
    ///
    /// After a repair it plans a union even if the peer's digest is unknown: the peer may have the
    /// state from before the repair and consider both states equal.
    mutating func compareDigests(
        _ id: LinkID,
        afterRepair: Bool = false,
        _ context: inout EngineContext
    ) {
        let committed = replica.committed
        guard let exchange = links[id]?.exchange,
            exchange.peerVector == committed.vector, exchange.peerDigest != nil || afterRepair
        else { return }
        let (ours, theirs) = (committed.tally.digest, exchange.peerDigest)
        guard theirs != ours else {
            links.updateGreeted(id) { $0.exchange.markEqual() }
            return
        }
        let isOwed = links.updateGreeted(id) {
            $0.exchange.planUnion(ours: ours, theirs: theirs, at: context.now)
        }
        guard isOwed == true, theirs != nil else { return }
        links.updateGreeted(id) { $0.exchange.hasMismatch = true }
    }

    /// Raises an alarm if a peer's full state differs from this device's although both have the same
    /// writes, not only by the keys of next games, which an export leaves out.
    private mutating func reportMismatch(
        _ union: Delta,
        from link: Link,
        _ context: inout EngineContext
    ) {
        guard link.exchange?.hasMismatch == true, let peer = link.peer else { return }
        let isOther = union.changes.contains { change in
            let own = replica.map.head(change.key)?.withoutKeys(under: change.key)
            return own != change.live.withoutKeys(under: change.key)
        }
        guard isOther else { return }
        links.updateGreeted(link.id) { $0.exchange.hasMismatch = false }
        context.emit(.alarm(.digestMismatch(id, peer.device, name: peer.name)))
    }

    /// Writes displaced entries again, under new dots, because their dots belong to other keys.
    private mutating func rewrite(_ displaced: [KeyedEntry], _ context: inout EngineContext) {
        let mutations = displaced.map { Mutation($0.key, $0.entry.value) }
        guard !mutations.isEmpty, replica.hasRoom(for: mutations, by: context.device)
        else { return }
        replica.write(mutations, &context)
        let count = mutations.count
        context.emit(.log(.error, "session \(id): rewrote \(count) entries with duplicate dots"))
    }

    /// Replies to a peer's union with one, unless it was sent before or both states are equal.
    private mutating func answerUnion(on link: LinkID, _ context: inout EngineContext) {
        let committed = replica.committed
        guard let exchange = links[link]?.exchange,
            exchange.peerVector != committed.vector
                || exchange.peerDigest != committed.tally.digest
        else { return }
        let digest = committed.tally.digest
        links.updateGreeted(link) { $0.exchange.replyWithUnion(of: digest, at: context.now) }
        push(to: link, &context)
    }

    // MARK: Finished sessions

    /// Closes the links of a finished session to peers with the same state.
    mutating func closeIfFinished(_ context: inout EngineContext) {
        guard replica.isFinished, replica.isSettled else { return }
        let committed = replica.committed
        for link in links.greeted {
            guard let exchange = link.exchange, exchange.isLevel(with: committed.vector)
            else { continue }
            guard exchange.peerDigest == committed.tally.digest else {
                // Sends this digest first, because the peer's vector is known only from other
                // peers.
                if links.updateGreeted(link.id, { $0.exchange.needsDigest(of: committed.vector) })
                    == true
                {
                    acknowledge(to: link.id, &context)
                }
                continue
            }
            part(from: link.id, .finished, &context)
            pauseUntilChange(link, &context)
        }
    }
}
