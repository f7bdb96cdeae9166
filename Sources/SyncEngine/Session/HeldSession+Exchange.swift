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
        case .delta(let delta):
            links.update(link.id) { $0.takeDelta() }
            take(delta, from: link, at: now, &commons)
        case .ack(let acknowledgement):
            links.exchange(link.id) { $0.acknowledge(acknowledgement) }
            acknowledgedByPeer(link.id, &commons)
            compare(link.id, at: now, &commons)
            push(to: link.id, at: now, &commons)
            report(at: now, &commons)
            commons.emit(.peersChanged(id))
            closeFinished(at: now, &commons)
        case .need(let vector):
            guard links.exchange(link.id, { $0.need(vector, at: now) }) == true else {
                return breach("deltas never fit", on: link.id, at: now, &commons)
            }
            push(to: link.id, at: now, &commons)
            // What its disk had refused may be there after all, so that nothing is left to send.
            closeFinished(at: now, &commons)
        case .addresses(let endpoints): hearOf(endpoints, at: now, commons)
        case .links(let instances): links.update(link.id) { $0.note(peersLinks: instances) }
        case .reached(let reach): note(reach, at: now, &commons)
        case .welcome: breach("a welcome on a member's link", on: link.id, at: now, &commons)
        case .hello, .ping, .pong, .clock, .bye, .error: break
        }
    }

    private mutating func take(
        _ delta: Delta,
        from link: Link,
        at now: Moment,
        _ commons: inout Commons
    ) {
        guard replica.isReadable else {
            // It is on the peer's disk; whether it is on this one is seen once that can be read.
            links.exchange(link.id) { $0.take(delta) }
            return refused.add(link.id)
        }
        guard link.exchange?.isRefused != true else { return }
        let news = replica.news(in: delta)
        if let excess = replica.excess(of: delta, adding: news) {
            return refuse(PeerError(code: PeerError.tooMuch, text: excess.text), of: link, &commons)
        }
        switch replica.merge(delta, adding: news) {
        case .gap:
            commons.emit(.send(link.id, .need(replica.committed.vector)))
        case .taken(let displaced):
            links.exchange(link.id) { $0.take(delta) }
            rewrite(displaced, at: now, &commons)
            leaveToSender(delta, link, at: now)
            acknowledgedByPeer(link.id, &commons)
            if replica.isSettled {
                acknowledge(to: link.id, &commons)
            } else {
                replica.wait(link.id)
                persist(&commons)
            }
            if delta.isUnion { answerUnion(on: link.id, at: now, &commons) }
        }
    }

    /// What the peer sends is too much for one session: it is told so once, and nothing of it is
    /// taken any more by this link, which stays for what this device has to say.
    mutating func refuse(_ error: PeerError, of link: Link, _ commons: inout Commons) {
        guard link.exchange?.isRefused != true else { return }
        links.exchange(link.id) { $0.refuse() }
        commons.emit(.send(link.id, .error(error)))
        guard let peer = link.peer else { return }
        commons.emit(.alarm(.excess(id, peer.device, name: peer.name, of: error.text)))
    }

    /// The peer told that something was not understood, or was too much.
    func hear(of error: PeerError, from link: Link, _ commons: inout Commons) {
        commons.emit(.log(.warning, "link \(link.id.number): \(error.text)"))
        guard let peer = link.peer else { return }
        switch error.code {
        case PeerError.tooMuch: commons.emit(.alarm(.refused(id, peer.device, name: peer.name)))
        case PeerError.badDelta:
            commons.emit(
                .alarm(.deltaRefused(id, peer.device, name: peer.name, reason: error.text))
            )
        default: break
        }
    }

    /// Tells the peer what is on disk here.
    mutating func acknowledge(to link: LinkID, _ commons: inout Commons) {
        guard links[link] != nil else { return }
        links.exchange(link) { $0.answer() }
        let committed = replica.committed
        let acknowledgement = Acknowledgement(
            vector: committed.vector,
            digest: committed.tally.digest
        )
        commons.emit(.send(link, .ack(acknowledgement)))
    }

    /// Sends the peer what it lacks, unless it has yet to answer for what it was sent, or others
    /// are sending it just that.
    ///
    /// Who pushes to several peers at once says whom this device serves, worked out once.
    mutating func push(
        to id: LinkID,
        serving served: Set<InstanceID>? = nil,
        at now: Moment,
        _ commons: inout Commons
    ) {
        guard let link = links[id], let exchange = link.exchange, !exchange.awaitsAnswer
        else { return }
        let committed = replica.committed
        let news = committed.vector.beyond(exchange.stated)
        guard news.isEmpty || !link.isLeft(news, at: now) else { return }
        // A union fits only who lacks nothing else.
        let union = exchange.owesUnion ? committed.union : nil
        guard let delta = committed.delta(since: exchange.stated) ?? union else { return }
        tellLinks(served ?? self.served(at: now), to: link, &commons)
        links.exchange(id) { $0.send(delta, of: committed.tally.digest, at: now) }
        commons.emit(.send(id, .delta(delta)))
        deliveries.note(news, at: now)
    }

    // MARK: Passing on

    /// Those that answer, so that this device sends them what it has; a delta that goes out now
    /// changes nothing about that.
    func served(at now: Moment) -> Set<InstanceID> {
        Set(links.greeted.filter { isServed($0, at: now) }.compactMap(\.instance))
    }

    private func isServed(_ link: Link, at now: Moment) -> Bool {
        link.exchange?.sentAt.map { now.uptime < $0 + Timing.passOnAfter } ?? true
    }

    /// Tells a peer to whom else this device sends what it has, unless it knows.
    private mutating func tellLinks(
        _ served: Set<InstanceID>,
        to link: Link,
        _ commons: inout Commons
    ) {
        let others = served.filter { $0 != link.instance }.sorted()
        guard links.update(link.id, { $0.tell(links: others) }) == true else { return }
        commons.emit(.send(link.id, .links(others)))
    }

    /// Leaves to a sender what it sends to others itself.
    private mutating func leaveToSender(_ delta: Delta, _ sender: Link, at now: Moment) {
        let theirs = sender.peersLinks
        guard !theirs.isEmpty else { return }
        for other in links.greeted where other.id != sender.id {
            guard let instance = other.instance, theirs.contains(instance) else { continue }
            let until = now.uptime + Timing.passOnAfter
            links.update(other.id) { $0.leave(delta.upto, until: until) }
        }
    }

    /// Tells all peers what the others have of what they were sent, once they do, or those that do
    /// when it is time.
    mutating func report(at now: Moment, _ commons: inout Commons) {
        guard deliveries.reportAt != nil else { return }
        let instances = served(at: now)
        guard instances.count > 1 else { return deliveries.clear() }
        let stated = links.greeted.filter { isServed($0, at: now) }.compactMap(\.exchange?.stated)
        guard let vector = deliveries.report(reachedBy: stated, at: now), !vector.isEmpty
        else { return }
        for link in links.greeted {
            guard let peer = link.peer, peer.features.contains(Feature.reach) else { continue }
            let others = instances.filter { $0 != peer.instance }.sorted()
            commons.emit(.send(link.id, .reached(Reach(instances: others, vector: vector))))
        }
    }

    /// Notes what others have on disk, by what a peer says: they need not be sent it.
    private mutating func note(_ reach: Reach, at now: Moment, _ commons: inout Commons) {
        let theirs = Set(reach.instances)
        for other in links.greeted {
            guard let instance = other.instance, theirs.contains(instance) else { continue }
            links.exchange(other.id) { $0.learn(reach.vector) }
            links.update(other.id) { $0.pruneLeft(at: now) }
            // Everything waits for nothing else to be lacking, which may be so by what others did.
            if other.exchange?.owesUnion == true { push(to: other.id, at: now, &commons) }
        }
        commons.emit(.peersChanged(id))
        closeFinished(at: now, &commons)
    }

    /// Notes what another device has on disk: what must never be forgotten here before.
    mutating func acknowledgedByPeer(_ id: LinkID, _ commons: inout Commons) {
        guard let link = links[id], let stated = link.exchange?.stated,
            link.peer?.device != commons.device.id, !replica.acknowledged.covers(stated)
        else { return }
        replica.acknowledged.join(stated)
        commons.emit(.acknowledged(self.id, replica.acknowledged))
    }

    /// A member has left and has nothing any more: what others are known to have is what those say
    /// who are linked, and in a finished session what those held who agreed on its end.
    mutating func forgetAcknowledgements(of leaver: Link.Peer, _ commons: inout Commons) {
        var acknowledged = VersionVector()
        for link in links.greeted {
            guard let peer = link.peer, peer.instance != leaver.instance,
                peer.device != commons.device.id, let stated = link.exchange?.stated
            else { continue }
            acknowledged.join(stated)
        }
        // A copy of this home is no other device.
        if !contacts.agreed.subtracting([leaver.device, commons.device.id]).isEmpty {
            acknowledged.join(replica.committed.vector)
        }
        guard acknowledged != replica.acknowledged else { return }
        replica.acknowledged = acknowledged
        commons.emit(.acknowledged(id, acknowledged))
        commons.emit(.peersChanged(id))
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
        at now: Moment,
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
        let isOwed = links.exchange(id) { $0.oweUnion(ours: ours, theirs: theirs, at: now) }
        guard isOwed == true, theirs != nil else { return }
        commons.emit(.alarm(.digestMismatch(self.id, peer.device, name: peer.name)))
    }

    /// Writes anew what was live under a dot that belongs to another key, so that it is not lost.
    private mutating func rewrite(
        _ displaced: [KeyedEntry],
        at now: Moment,
        _ commons: inout Commons
    ) {
        let mutations = displaced.map { Mutation($0.key, $0.entry.value) }
        let device = commons.device
        guard !mutations.isEmpty, replica.hasRoom(for: mutations, by: device) else { return }
        replica.write(mutations, for: nil, by: device, at: now, using: &commons.generator)
        commons.emit(.log(.error, "session \(id): \(mutations.count) writes had another's number"))
    }

    /// A peer sent everything; it gets everything in return, unless it was sent just that, or both
    /// are known to be equal.
    private mutating func answerUnion(
        on link: LinkID,
        at now: Moment,
        _ commons: inout Commons
    ) {
        let committed = replica.committed
        guard let exchange = links[link]?.exchange,
            exchange.stated != committed.vector || exchange.statedDigest != committed.tally.digest
        else { return }
        links.exchange(link) { $0.returnUnion(of: committed.tally.digest, at: now) }
        push(to: link, at: now, &commons)
    }

    // MARK: Finished sessions

    /// Closes the links of a finished session whose peers hold the same.
    mutating func closeFinished(at now: Moment, _ commons: inout Commons) {
        guard replica.isFinished, replica.isSettled else { return }
        let committed = replica.committed
        for link in links.greeted {
            guard let exchange = link.exchange, exchange.isLevel(with: committed.vector) else {
                continue
            }
            guard exchange.statedDigest == committed.tally.digest else {
                // Others said what the peer has: now both say it to each other.
                if links.exchange(link.id, { $0.sayDigest(of: committed.vector) }) == true {
                    acknowledge(to: link.id, &commons)
                }
                continue
            }
            part(from: link.id, .finished, &commons)
            rest(link, at: now, &commons)
        }
    }
}
