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
            repairIfDifferent(link.id)
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
        guard delta.isSound else { return breach("an unsound delta", on: link.id, at: now) }
        guard let replica = replicas[link.session], replica.isReadable else { return }
        let outcome = changeReplica(link.session) { replica, _ in
            replica.merge(delta, from: link.id)
        }
        switch outcome {
        case .gap:
            emit(.send(link.id, .need(replica.committed.vector)))
        case .taken:
            links[link.id]?.learn(delta.upto)
            if replicas[link.session]?.isSettled == true {
                acknowledge(to: link.id)
            } else {
                persist(link.session)
            }
            if delta.isUnion { answerUnion(to: link.id) }
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
            let delta = replicas[link.session]?.committed.delta(since: link.stated)
        else { return }
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

    /// Sends everything, once per link, to a peer that has seen the same and holds something else.
    mutating func repairIfDifferent(_ id: LinkID) {
        guard let link = links[id], let peer = link.peer, !link.sentUnion,
            let committed = replicas[link.session]?.committed,
            let theirs = link.statedDigest, link.stated == committed.vector,
            theirs != committed.tally.digest
        else { return }
        emit(.alarm(.digestMismatch(link.session, peer.device, name: peer.name)))
        sendUnion(committed.union, to: id)
    }

    /// A peer sent everything; it gets everything in return, once per link.
    private mutating func answerUnion(to id: LinkID) {
        guard let link = links[id], !link.sentUnion,
            let committed = replicas[link.session]?.committed
        else { return }
        sendUnion(committed.union, to: id)
    }

    private mutating func sendUnion(_ union: Delta, to id: LinkID) {
        links[id]?.send(union)
        emit(.send(id, .delta(union)))
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
            rest(link, untilNews: true)
        }
    }
}
