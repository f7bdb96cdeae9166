import SessionCRDT
import SyncProtocol

/// What linked peers send each other once they have greeted.
extension SyncEngine {
    mutating func exchange(_ message: PeerMessage, on link: Link, at now: Moment) {
        switch message {
        case .delta(let delta): take(delta, from: link, at: now)
        case .ack(let acknowledgement):
            links[link.id]?.acknowledge(acknowledgement)
            acknowledgedByPeer(link.id)
            compare(link.id)
            push(to: link.id)
            emit(.peersChanged(link.session))
            closeFinished(link.session)
        case .need(let vector):
            guard links[link.id]?.need(vector) == true else {
                return breach("deltas never fit", on: link.id, at: now)
            }
            push(to: link.id)
        case .addresses(let endpoints): hearOf(endpoints, for: link.session, at: now)
        case .welcome: breach("a welcome on a member's link", on: link.id, at: now)
        case .hello, .ping, .pong, .bye, .error: break
        }
    }

    private mutating func take(_ delta: Delta, from link: Link, at now: Moment) {
        guard let replica = replicas[link.session], replica.isReadable else { return }
        guard replica.map.headVector.joined(with: delta.upto).count <= Limits.actors else {
            return breach("more actors than a session may have", on: link.id, at: now)
        }
        let outcome = changeReplica(link.session) { replica, _ in
            replica.merge(delta, from: link.id)
        }
        switch outcome {
        case .gap:
            emit(.send(link.id, .need(replica.committed.vector)))
        case .taken:
            links[link.id]?.learn(delta.upto)
            acknowledgedByPeer(link.id)
            if replicas[link.session]?.isSettled == true {
                acknowledge(to: link.id)
            } else {
                persist(link.session)
            }
            if delta.isUnion { answerUnion(on: link.id) }
        case nil: break
        }
    }

    /// Tells the peer what is on disk here.
    mutating func acknowledge(to id: LinkID) {
        guard let link = links[id], let committed = replicas[link.session]?.committed else {
            return
        }
        emit(
            .send(
                id,
                .ack(
                    Acknowledgement(
                        vector: committed.vector,
                        digest: committed.tally.digest
                    )
                )
            )
        )
    }

    /// Sends the peer what it lacks, unless it has yet to answer for what it was sent.
    mutating func push(to id: LinkID) {
        guard let link = links[id], link.peer != nil, !link.awaitsAnswer,
            let committed = replicas[link.session]?.committed
        else { return }
        // A union fits only who lacks nothing else.
        let union = link.owesUnion ? committed.union : nil
        guard let delta = committed.delta(since: link.stated) ?? union else { return }
        links[id]?.send(delta)
        emit(.send(id, .delta(delta)))
    }

    /// Notes what another device has on disk: what must never be forgotten here before.
    mutating func acknowledgedByPeer(_ id: LinkID) {
        guard let link = links[id], link.peer?.device != device.id,
            let replica = replicas[link.session], !replica.acknowledged.covers(link.stated)
        else { return }
        let acknowledged = replica.acknowledged.joined(with: link.stated)
        replicas[link.session]?.acknowledged = acknowledged
        emit(.acknowledged(link.session, acknowledged))
    }

    // MARK: Repair

    /// Sees whether the peer, which has seen the same, also holds the same, and if not plans to
    /// send everything.
    ///
    /// After a repair that is done also where the peer has not told what it holds: it may be what
    /// this device held before, and then the peer believes that both are equal.
    mutating func compare(_ id: LinkID, afterRepair: Bool = false) {
        guard let link = links[id], let peer = link.peer,
            let committed = replicas[link.session]?.committed, link.stated == committed.vector,
            link.statedDigest != nil || afterRepair
        else { return }
        let ours = committed.tally.digest
        guard link.statedDigest != ours else {
            links[id]?.agree()
            return
        }
        guard links[id]?.oweUnion(ours: ours, theirs: link.statedDigest) == true,
            link.statedDigest != nil
        else { return }
        emit(.alarm(.digestMismatch(link.session, peer.device, name: peer.name)))
    }

    /// A peer sent everything; it gets everything in return, unless that is what it answers.
    private mutating func answerUnion(on id: LinkID) {
        links[id]?.returnUnion()
        push(to: id)
    }

    // MARK: Finished sessions

    /// Closes the links of a finished session whose peers hold the same.
    mutating func closeFinished(_ session: SessionID) {
        guard let replica = replicas[session], replica.isFinished, replica.isSettled else { return }
        for link in liveLinks(session)
        where link.stated == replica.committed.vector && !link.awaitsAnswer
            && link.statedDigest == replica.committed.tally.digest
        {
            part(from: link.id, .finished)
            rest(link)
        }
    }
}
