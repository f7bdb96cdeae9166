import SessionCRDT
import SyncProtocol

/// What linked peers send each other once they have greeted.
extension HeldSession {
    mutating func exchange(
        _ message: PeerMessage,
        on link: Link,
        at now: Moment,
        _ commons: inout Commons
    ) {
        switch message {
        case .delta(let delta): take(delta, from: link, at: now, &commons)
        case .ack(let acknowledgement):
            links.exchange(link.id) { $0.acknowledge(acknowledgement) }
            acknowledgedByPeer(link.id, &commons)
            compare(link.id, &commons)
            push(to: link.id, &commons)
            commons.emit(.peersChanged(id))
            closeFinished(&commons)
        case .need(let vector):
            guard links.exchange(link.id, { $0.need(vector) }) == true else {
                return breach("deltas never fit", on: link.id, at: now, &commons)
            }
            push(to: link.id, &commons)
        case .addresses(let endpoints): hearOf(endpoints, at: now, commons)
        case .welcome: breach("a welcome on a member's link", on: link.id, at: now, &commons)
        case .hello, .ping, .pong, .bye, .error: break
        }
    }

    private mutating func take(
        _ delta: Delta,
        from link: Link,
        at now: Moment,
        _ commons: inout Commons
    ) {
        guard replica.isReadable else { return }
        guard link.exchange?.isRefused != true else { return }
        let news = replica.news(in: delta)
        if let excess = replica.excess(of: delta, adding: news) {
            return refuse(excess, of: link, &commons)
        }
        switch replica.merge(delta, adding: news, from: link.id) {
        case .gap:
            commons.emit(.send(link.id, .need(replica.committed.vector)))
        case .taken:
            links.exchange(link.id) { $0.learn(delta.upto) }
            acknowledgedByPeer(link.id, &commons)
            if replica.isSettled {
                acknowledge(to: link.id, &commons)
            } else {
                persist(&commons)
            }
            if delta.isUnion { answerUnion(on: link.id, &commons) }
        }
    }

    /// What the peer sends is too much for one session: it is told so once, and nothing of it is
    /// taken any more by this link, which stays for what this device has to say.
    private mutating func refuse(
        _ excess: SessionRoom.Excess,
        of link: Link,
        _ commons: inout Commons
    ) {
        links.exchange(link.id) { $0.refuse() }
        commons.emit(.send(link.id, .error(PeerError(code: PeerError.tooMuch, text: excess.text))))
        guard let peer = link.peer else { return }
        commons.emit(.alarm(.excess(id, peer.device, name: peer.name, of: excess.text)))
    }

    /// The peer told that something was not understood, or was too much.
    func hear(of error: PeerError, from link: Link, _ commons: inout Commons) {
        commons.emit(.log(.warning, "link \(link.id.number): \(error.text)"))
        guard error.code == PeerError.tooMuch, let peer = link.peer else { return }
        commons.emit(.alarm(.refused(id, peer.device, name: peer.name)))
    }

    /// Tells the peer what is on disk here.
    func acknowledge(to link: LinkID, _ commons: inout Commons) {
        guard links[link] != nil else { return }
        let committed = replica.committed
        let acknowledgement = Acknowledgement(
            vector: committed.vector,
            digest: committed.tally.digest
        )
        commons.emit(.send(link, .ack(acknowledgement)))
    }

    /// Sends the peer what it lacks, unless it has yet to answer for what it was sent.
    mutating func push(to link: LinkID, _ commons: inout Commons) {
        guard let exchange = links[link]?.exchange, !exchange.awaitsAnswer else { return }
        let committed = replica.committed
        // A union fits only who lacks nothing else.
        let union = exchange.owesUnion ? committed.union : nil
        guard let delta = committed.delta(since: exchange.stated) ?? union else { return }
        links.exchange(link) { $0.send(delta) }
        commons.emit(.send(link, .delta(delta)))
    }

    /// Notes what another device has on disk: what must never be forgotten here before.
    mutating func acknowledgedByPeer(_ id: LinkID, _ commons: inout Commons) {
        guard let link = links[id], let stated = link.exchange?.stated,
            link.peer?.device != commons.device.id, !replica.acknowledged.covers(stated)
        else { return }
        replica.acknowledged.join(stated)
        commons.emit(.acknowledged(self.id, replica.acknowledged))
    }

    // MARK: Repair

    /// Sees whether the peer, which has seen the same, also holds the same, and if not plans to
    /// send everything.
    ///
    /// After a repair that is done also where the peer has not told what it holds: it may be what
    /// this device held before, and then the peer believes that both are equal.
    mutating func compare(
        _ id: LinkID,
        afterRepair: Bool = false,
        _ commons: inout Commons
    ) {
        let committed = replica.committed
        guard let link = links[id], let peer = link.peer, let exchange = link.exchange,
            exchange.stated == committed.vector, exchange.statedDigest != nil || afterRepair
        else { return }
        let ours = committed.tally.digest
        guard exchange.statedDigest != ours else {
            links.exchange(id) { $0.agree() }
            return
        }
        let theirs = exchange.statedDigest
        let isOwed = links.exchange(id) { $0.oweUnion(ours: ours, theirs: theirs) }
        guard isOwed == true, theirs != nil else { return }
        commons.emit(.alarm(.digestMismatch(self.id, peer.device, name: peer.name)))
    }

    /// A peer sent everything; it gets everything in return, unless that is what it answers.
    private mutating func answerUnion(on link: LinkID, _ commons: inout Commons) {
        links.exchange(link) { $0.returnUnion() }
        push(to: link, &commons)
    }

    // MARK: Finished sessions

    /// Closes the links of a finished session whose peers hold the same.
    mutating func closeFinished(_ commons: inout Commons) {
        guard replica.isFinished, replica.isSettled else { return }
        let committed = replica.committed
        for link in links.greeted {
            guard let exchange = link.exchange, exchange.isLevel(with: committed.vector),
                exchange.statedDigest == committed.tally.digest
            else { continue }
            part(from: link.id, .finished, &commons)
            rest(link)
        }
    }
}
