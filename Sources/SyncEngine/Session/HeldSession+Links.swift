import SessionCRDT
import SyncProtocol

/// Links that open, greet, go silent and close.
extension HeldSession {
    /// A connection proved that it has the session's key.
    mutating func open(_ link: Link, at now: Moment, _ commons: inout Commons) {
        commons.sessionOfLink[link.id] = id
        links.insert(link)
        keepQuota(with: link, &commons)
        guard replica.isReadable else {
            part(from: link.id, .storage, &commons)
            return retry(link, at: now, &commons)
        }
        guard !commons.search.isPaused else {
            let reason: ByeReason = commons.search.isStopping ? .stopping : .offline
            return part(from: link.id, reason, &commons)
        }
        let hello = Hello(
            versions: Versions.peer,
            features: [Feature.clock, Feature.reach],
            session: id,
            device: commons.device.id,
            instance: commons.device.instance,
            name: commons.device.name,
            port: commons.search.port ?? 0,
            wallMilliseconds: now.wall,
            vector: replica.committed.vector,
            digest: replica.committed.tally.digest
        )
        commons.emit(.send(link.id, .hello(hello)))
    }

    /// A peer said something.
    mutating func receive(
        _ message: PeerMessage,
        from id: LinkID,
        at now: Moment,
        _ commons: inout Commons
    ) {
        guard let asked = links[id].map(\.pingedAt) else { return }
        hear(from: id, at: now, &commons)
        guard let link = links[id] else { return }
        switch message {
        case .hello(let hello):
            guard !link.isGreeted else {
                return breach("a second hello", on: id, at: now, &commons)
            }
            greet(hello, on: link, at: now, &commons)
        case .bye(let reason): depart(link, reason, at: now, &commons)
        case .ping(let number): commons.emit(.send(id, .pong(number)))
        case .pong(let number): noticeClone(on: link, askedAt: asked, number, &commons)
        case .clock(let milliseconds):
            note(skew: now.skew(of: milliseconds), on: link, &commons)
        case .error(let error): hear(of: error, from: link, &commons)
        case .delta, .ack, .need, .addresses, .links, .reached, .welcome:
            guard link.isGreeted else {
                return breach("no hello before other messages", on: id, at: now, &commons)
            }
            exchange(message, on: link, at: now, &commons)
        }
    }

    // MARK: Greeting

    private mutating func greet(
        _ hello: Hello,
        on link: Link,
        at now: Moment,
        _ commons: inout Commons
    ) {
        let device = commons.device
        guard hello.session == id else {
            return breach("hello for another session", on: link.id, at: now, &commons)
        }
        guard hello.instance != device.instance else {
            meetOneself(on: link, &commons)
            return part(from: link.id, .itself, &commons)
        }
        if hello.device == device.id {
            commons.emit(.alarm(.clonedDevice(device.id, name: device.name)))
        }
        guard Versions.common(Versions.peer, hello.versions) != nil else {
            commons.emit(
                .alarm(.version(hello.device, name: hello.name, speaks: hello.versions))
            )
            part(from: link.id, .version, &commons)
            return retry(link, at: now, &commons)
        }
        let peer = Link.Peer(
            device: hello.device,
            instance: hello.instance,
            name: hello.name,
            port: hello.port,
            skew: now.skew(of: hello.wallMilliseconds),
            features: Set(hello.features)
        )
        let exchange = Exchange(stated: hello.vector, digest: hello.digest)
        links.update(link.id) { $0.greet(peer, exchange, at: now) }
        if let greeted = links[link.id] { keepQuota(with: greeted, &commons) }
        noteAddress(of: peer, on: link.id, at: now, &commons)
        _ = commons.search.noteInstance(peer.instance)
        guard settleDuplicates(of: link.id, at: now, &commons) else { return }
        welcome(peer, on: link, at: now, &commons)
    }

    /// A peer is linked for good: tells the others, and sends what it lacks.
    private mutating func welcome(
        _ peer: Link.Peer,
        on link: Link,
        at now: Moment,
        _ commons: inout Commons
    ) {
        tellSkew(of: peer, &commons)
        // Another run of the peer's device is asked whether it is there still.
        for other in links.greeted
        where other.peer?.device == peer.device && other.instance != peer.instance {
            ping(other.id, at: now, &commons)
        }
        introduce(link.id, at: now, &commons)
        acknowledgedByPeer(link.id, &commons)
        compare(link.id, at: now, &commons)
        push(to: link.id, at: now, &commons)
        commons.emit(.log(.info, "linked with \(peer.name) at \(link.remote)"))
        commons.emit(.peersChanged(id))
        closeFinished(at: now, &commons)
    }

    // MARK: Addresses

    private mutating func noteAddress(
        of peer: Link.Peer,
        on link: LinkID,
        at now: Moment,
        _ commons: inout Commons
    ) {
        guard let link = links[link], let endpoint = link.contactEndpoint,
            link.side == .dialled || Ports.mayDial(named: endpoint.port)
        else { return }
        contacts.reach(endpoint, peer.device, peer.instance, at: now)
        commons.emit(.remember(id, endpoint, peer.device))
    }

    /// Tells the new peer of the others and the others of the new peer.
    private mutating func introduce(_ id: LinkID, at now: Moment, _ commons: inout Commons) {
        guard let link = links[id] else { return }
        let others = links.greeted.filter { $0.instance != link.instance }
        tell(id, of: others, at: now, &commons)
        for other in others { tell(other.id, of: [link], at: now, &commons) }
    }

    /// Tells a peer where others listen of whom it was not told by this link.
    private mutating func tell(
        _ id: LinkID,
        of others: [Link],
        at now: Moment,
        _ commons: inout Commons
    ) {
        guard let news = links.update(id, { $0.tell(of: others, at: now) }), !news.isEmpty
        else { return }
        commons.emit(.send(id, .addresses(news)))
    }

    /// The link leads back to this daemon.
    private mutating func meetOneself(on link: Link, _ commons: inout Commons) {
        guard link.side == .dialled else { return }
        commons.search.ownEndpoints.insert(link.remote)
        contacts.remove(link.remote)
    }

    // MARK: Duplicates and clones

    /// Closes what are too many links of one peer, or of all.
    private mutating func keepQuota(with link: Link, _ commons: inout Commons) {
        for surplus in LinkQuota.surplus(in: links.all, with: link) {
            part(from: surplus, .duplicate, &commons)
        }
    }

    /// Of several links with one run of a peer keeps one; whether this one stays.
    private mutating func settleDuplicates(
        of id: LinkID,
        at now: Moment,
        _ commons: inout Commons
    ) -> Bool {
        guard let link = links[id] else { return false }
        for other in links.greeted where other.isDuplicate(of: link) {
            let (older, newer) = other.precedes(link) ? (other, link) : (link, other)
            let surplus: LinkID
            switch older.verdict(beside: newer, on: commons.device, at: now) {
            case .surplus(let link): surplus = link
            case .leaveToPeer: continue
            case .askOlder:
                // What was cut without a word looks sound until it is asked.
                ping(older.id, at: now, &commons)
                links.update(older.id) { $0.dispute(true) }
                let text = "link \(older.id.number) to \(older.remote) is disputed"
                commons.emit(.log(.debug, text))
                continue
            }
            part(from: surplus, .duplicate, &commons)
            if surplus == id { return false }
        }
        return true
    }

    /// A link that a newer one disputes has answered, or has not in time: one of both goes.
    mutating func settleDispute(
        about id: LinkID,
        at now: Moment,
        _ commons: inout Commons
    ) {
        guard links[id]?.isDisputed == true else { return }
        links.update(id) { $0.dispute(false) }
        _ = settleDuplicates(of: id, at: now, &commons)
    }

    /// A run of a device answers what it was asked after a later run of the device had linked: its
    /// home was copied.
    ///
    /// Other words may have been under way since before the first run ended.
    private mutating func noticeClone(
        on link: Link,
        askedAt asked: UInt64?,
        _ number: UInt64,
        _ commons: inout Commons
    ) {
        guard let peer = link.peer, let asked, number == Link.pingNumber(asked) else { return }
        let twin = links.greeted.contains {
            $0.peer?.device == peer.device && $0.instance != peer.instance
                && $0.openedAt >= link.openedAt && $0.openedAt <= asked
        }
        guard twin else { return }
        contacts.noteCopies(of: peer.device)
        commons.emit(.alarm(.clonedDevice(peer.device, name: peer.name)))
    }

    // MARK: The end

    /// The connection is gone without a goodbye.
    mutating func lose(_ id: LinkID, at now: Moment, _ commons: inout Commons) {
        guard let link = remove(id, &commons) else { return }
        retry(link, at: now, &commons)
        guard link.isGreeted, !links.all.contains(where: link.isDuplicate) else { return }
        lostAt = now.uptime
        commons.search.lose(at: now)
    }

    /// The peer said goodbye.
    private mutating func depart(
        _ link: Link,
        _ reason: ByeReason,
        at now: Moment,
        _ commons: inout Commons
    ) {
        commons.emit(.close(link.id))
        _ = remove(link.id, &commons)
        switch reason {
        case .duplicate:
            // The link that the peer keeps may be gone already, or never have come here.
            if !links.all.contains(where: link.isDuplicate) { retry(link, at: now, &commons) }
        case .itself: meetOneself(on: link, &commons)
        case .finished:
            // The peer may not have heard of the last writes here.
            let hasAll = replica.committed.vector == link.exchange?.stated ?? VersionVector()
            if hasAll {
                rest(link, at: now, &commons)
            } else {
                retry(link, at: now, &commons)
            }
        case .left: forget(link, at: now, &commons)
        case .storage:
            // It dials itself once it can read its disk again.
            retry(link, at: now, longest: Timing.reload.upperBound, &commons)
        case .stopping, .offline, .version, .protocolError, .other:
            retry(link, at: now, &commons)
        }
    }

    /// Says goodbye and closes.
    mutating func part(from id: LinkID, _ reason: ByeReason, _ commons: inout Commons) {
        guard remove(id, &commons) != nil else { return }
        commons.emit(.send(id, .bye(reason)))
        commons.emit(.close(id))
    }

    private mutating func remove(_ id: LinkID, _ commons: inout Commons) -> Link? {
        guard let link = links.remove(id) else { return nil }
        commons.sessionOfLink[id] = nil
        if link.side == .dialled { contacts.update(link.remote) { $0.dialEnded() } }
        replica.forget(id)
        refused.remove(id)
        if link.isGreeted { commons.emit(.peersChanged(self.id)) }
        return link
    }

    /// What came by the link was not understood.
    mutating func refuse(
        _ error: PeerError,
        from id: LinkID,
        isFatal: Bool,
        at now: Moment,
        _ commons: inout Commons
    ) {
        if !isFatal, error.code == PeerError.tooMuch, let link = links[id], link.isGreeted {
            return refuse(error, of: link, &commons)
        }
        commons.emit(.send(id, .error(error)))
        if error.code == PeerError.badDelta, let peer = links[id]?.peer {
            commons.emit(
                .alarm(.badDelta(self.id, peer.device, name: peer.name, reason: error.text))
            )
        }
        if isFatal { breach(error.text, on: id, at: now, &commons) }
    }

    /// The peer broke the protocol.
    mutating func breach(
        _ what: String,
        on id: LinkID,
        at now: Moment,
        _ commons: inout Commons
    ) {
        guard let link = links[id] else { return }
        commons.emit(.log(.warning, "link \(id.number) to \(link.remote): \(what)"))
        part(from: id, .protocolError, &commons)
        retry(link, at: now, &commons)
    }

    /// The link is gone and is wanted back, by whatever address.
    mutating func retry(
        _ link: Link,
        at now: Moment,
        longest: UInt64 = Timing.redial.upperBound,
        _ commons: inout Commons
    ) {
        contacts.retry(link, at: now, jitter: commons.jitter(), longest: longest)
    }

    /// The peer is no member any more.
    private mutating func forget(_ link: Link, at now: Moment, _ commons: inout Commons) {
        if let peer = link.peer { forgetAcknowledgements(of: peer, &commons) }
        guard let endpoint = link.contactEndpoint else { return }
        for other in links.greeted { links.update(other.id) { $0.forget(endpoint) } }
        let isTyped = contacts[endpoint]?.isTyped ?? false
        contacts.leave(link)
        if isTyped { retry(link, at: now, &commons) }
    }

    /// The peer has all of a finished session: it is not wanted back before something is written.
    mutating func rest(_ link: Link, at now: Moment, _ commons: inout Commons) {
        guard let peer = link.peer else { return }
        contacts.agree(peer.device, at: now, jitter: commons.jitter())
    }
}

/// Whether peers are there, and what their clocks show.
extension HeldSession {
    // MARK: Silence

    /// Sends a peer what others have not, asks a silent one whether it is there, and gives it up
    /// when it does not answer.
    ///
    /// `link` is as it was when all links that are due were looked for.
    mutating func check(_ link: Link, at now: Moment, _ commons: inout Commons) {
        guard links[link.id] != nil else { return }
        links.update(link.id) { $0.pruneLeft(at: now) }
        if links.exchange(link.id, { $0.takeComparison(at: now) }) == true {
            compare(link.id, at: now, &commons)
        }
        push(to: link.id, at: now, &commons)
        if let doubtAt = link.doubtAt, doubtAt <= now.uptime {
            doubt(link, at: now, &commons)
        }
        guard link.silenceDeadline <= now.uptime else { return }
        if link.isDisputed {
            settleDispute(about: link.id, at: now, &commons)
        } else if link.isDead(at: now) {
            let text = "link \(link.id.number) to \(link.remote) went silent"
            commons.emit(.log(.info, text))
            commons.emit(.close(link.id))
            lose(link.id, at: now, &commons)
        } else {
            ping(link.id, at: now, &commons)
        }
    }

    /// A delta is unanswered for long: asks the peer, and then looks for it elsewhere.
    private mutating func doubt(_ link: Link, at now: Moment, _ commons: inout Commons) {
        guard let peer = link.peer else { return }
        if link.pingedAt == nil {
            ping(link.id, at: now, patience: Timing.doubtfulAnswer, &commons)
        } else {
            links.update(link.id) { $0.doubt() }
            commons.emit(.peersChanged(id))
            contacts.look(for: peer.device, at: now)
        }
    }

    /// Bytes came, be it only a part of a message.
    mutating func hear(from id: LinkID, at now: Moment, _ commons: inout Commons) {
        let wasAsked = links.update(id) { $0.hear(at: now) } ?? false
        settleDispute(about: id, at: now, &commons)
        // Who waits until all peers have answered looks again.
        if wasAsked { commons.emit(.peersChanged(self.id)) }
    }

    /// Bytes came that are no whole message, or a part of a delta: its sender, who hears nothing
    /// while the rest is on its way, is told now and then that it arrives.
    mutating func takeBytes(
        from id: LinkID,
        arePart: Bool = false,
        at now: Moment,
        _ commons: inout Commons
    ) {
        hear(from: id, at: now, &commons)
        let isDue = links.update(id) { $0.owesSign(at: now, ofPart: arePart) }
        if isDue == true { ping(id, at: now, &commons) }
    }

    /// Asks all peers whether they are there.
    mutating func ask(at now: Moment, _ commons: inout Commons) {
        for link in links.greeted { ping(link.id, at: now, &commons) }
    }

    /// Asks a peer whether it is there, unless it has not answered the last time.
    ///
    /// A link whose pong is not back after `patience` is doubted.
    mutating func ping(
        _ id: LinkID,
        at now: Moment,
        patience: UInt64 = Timing.suspiciousSilence,
        _ commons: inout Commons
    ) {
        guard links.update(id, { $0.ping(at: now, patience: patience) }) == true else { return }
        commons.emit(.send(id, .ping(Link.pingNumber(now.uptime))))
    }

    // MARK: Clocks

    /// Tells the user of a peer's clock that is wrong, or of one's own.
    func tellSkew(of peer: Link.Peer, _ commons: inout Commons) {
        guard peer.skew.magnitude > Timing.tellSkew.magnitude else { return }
        let (device, name) = (peer.device, peer.name)
        commons.emit(.alarm(.clockSkew(id, device, name: name, milliseconds: peer.skew)))
    }

    /// The peer's clock is that far ahead from now on.
    mutating func note(skew: Int64, on link: Link, _ commons: inout Commons) {
        links.update(link.id) { $0.note(skew: skew) }
        if let peer = links[link.id]?.peer { tellSkew(of: peer, &commons) }
        commons.emit(.peersChanged(id))
    }

    /// This device's clock was set, and is that far ahead of what it showed.
    mutating func setClock(
        ahead: Int64,
        for id: LinkID,
        at now: Moment,
        _ commons: inout Commons
    ) {
        guard let link = links[id], let peer = link.peer else { return }
        note(skew: peer.skew - ahead, on: link, &commons)
        guard peer.features.contains(Feature.clock) else { return }
        commons.emit(.send(id, .clock(now.wall)))
    }
}
