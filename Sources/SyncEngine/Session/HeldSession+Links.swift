import SessionCRDT
import SyncProtocol

/// Links that open, greet, go silent and close.
extension HeldSession {
    /// A connection has proven possession of the session's key.
    mutating func open(_ link: Link, at now: Moment, _ context: inout EngineContext) {
        context.sessionOfLink[link.id] = id
        links.insert(link)
        enforceQuota(with: link, &context)
        guard replica.isReadable else {
            part(from: link.id, .storage, &context)
            return redial(link, at: now, &context)
        }
        guard !context.discovery.isPaused else {
            let reason: ByeReason = context.discovery.isStopping ? .stopping : .offline
            return part(from: link.id, reason, &context)
        }
        let hello = Hello(
            versions: Versions.peer,
            features: [Feature.clock, Feature.reach],
            session: id,
            device: context.device.id,
            instance: context.device.instance,
            name: context.device.name,
            port: context.discovery.port ?? 0,
            wallMilliseconds: now.wall,
            vector: replica.committed.vector,
            digest: replica.committed.tally.digest
        )
        context.emit(.send(link.id, .hello(hello)))
    }

    mutating func receive(
        _ message: PeerMessage,
        from id: LinkID,
        at now: Moment,
        _ context: inout EngineContext
    ) {
        guard let pingedAt = links[id].map(\.pingedAt) else { return }
        recordActivity(on: id, at: now, &context)
        guard let link = links[id] else { return }
        switch message {
        case .hello(let hello):
            guard !link.isGreeted else {
                return breach("a second hello", on: id, at: now, &context)
            }
            receive(hello, on: link, at: now, &context)
        case .bye(let reason): receiveGoodbye(reason, on: link, at: now, &context)
        case .ping(let number): context.emit(.send(id, .pong(number)))
        case .pong(let number): detectClone(on: link, pingedAt: pingedAt, number, &context)
        case .clock(let milliseconds):
            setSkew(now.skew(of: milliseconds), on: link, &context)
        case .error(let error): receive(error, from: link, &context)
        case .delta, .ack, .need, .addresses, .links, .reached, .welcome:
            guard link.isGreeted else {
                return breach("no hello before other messages", on: id, at: now, &context)
            }
            exchange(message, on: link, at: now, &context)
        }
    }

    // MARK: Greeting

    private mutating func receive(
        _ hello: Hello,
        on link: Link,
        at now: Moment,
        _ context: inout EngineContext
    ) {
        let device = context.device
        guard hello.session == id else {
            return breach("hello for another session", on: link.id, at: now, &context)
        }
        guard hello.instance != device.instance else {
            recordOwnAddress(of: link, &context)
            return part(from: link.id, .itself, &context)
        }
        if hello.device == device.id {
            context.emit(.alarm(.clonedDevice(device.id, name: device.name)))
        }
        guard Versions.common(Versions.peer, hello.versions) != nil else {
            context.emit(
                .alarm(.version(hello.device, name: hello.name, speaks: hello.versions))
            )
            part(from: link.id, .version, &context)
            return redial(link, at: now, &context)
        }
        let peer = Link.Peer(
            device: hello.device,
            instance: hello.instance,
            name: hello.name,
            port: hello.port,
            skew: now.skew(of: hello.wallMilliseconds),
            features: Set(hello.features)
        )
        let exchange = Exchange(peerVector: hello.vector, peerDigest: hello.digest)
        links.update(link.id) { $0.greet(peer, exchange, at: now) }
        if let greeted = links[link.id] { enforceQuota(with: greeted, &context) }
        recordAddress(of: peer, on: link.id, at: now, &context)
        _ = context.discovery.recordInstance(peer.instance)
        guard resolveDuplicates(of: link.id, at: now, &context) else { return }
        startExchange(with: peer, on: link, at: now, &context)
    }

    /// The link stays: introduces the peer to the others, and sends what it lacks.
    private mutating func startExchange(
        with peer: Link.Peer,
        on link: Link,
        at now: Moment,
        _ context: inout EngineContext
    ) {
        reportClockSkew(of: peer, &context)
        // Another instance of the peer's device may be gone.
        for other in links.greeted
        where other.peer?.device == peer.device && other.instance != peer.instance {
            ping(other.id, at: now, &context)
        }
        introduce(link.id, at: now, &context)
        recordAcknowledgement(of: link.id, &context)
        compareDigests(link.id, at: now, &context)
        push(to: link.id, at: now, &context)
        context.emit(.log(.info, "linked with \(peer.name) at \(link.remote)"))
        context.emit(.peersChanged(id))
        closeIfFinished(at: now, &context)
    }

    // MARK: Addresses

    private mutating func recordAddress(
        of peer: Link.Peer,
        on link: LinkID,
        at now: Moment,
        _ context: inout EngineContext
    ) {
        guard let link = links[link], let endpoint = link.contactEndpoint,
            link.side == .dialled || Ports.mayDial(named: endpoint.port)
        else { return }
        contacts.recordAnswer(at: endpoint, of: peer.device, peer.instance, at: now)
        context.emit(.rememberAddress(id, endpoint, peer.device))
    }

    /// Sends the new peer the addresses of the others, and the others its address.
    private mutating func introduce(_ id: LinkID, at now: Moment, _ context: inout EngineContext) {
        guard let link = links[id] else { return }
        let others = links.greeted.filter { $0.instance != link.instance }
        sendAddresses(of: others, to: id, at: now, &context)
        for other in others { sendAddresses(of: [link], to: other.id, at: now, &context) }
    }

    private mutating func sendAddresses(
        of others: [Link],
        to id: LinkID,
        at now: Moment,
        _ context: inout EngineContext
    ) {
        guard let news = links.update(id, { $0.newAddresses(of: others, at: now) }), !news.isEmpty
        else { return }
        context.emit(.send(id, .addresses(news)))
    }

    /// The link leads back to this daemon.
    private mutating func recordOwnAddress(of link: Link, _ context: inout EngineContext) {
        guard link.side == .dialled else { return }
        context.discovery.ownEndpoints.insert(link.remote)
        contacts.remove(link.remote)
    }

    // MARK: Duplicates and clones

    /// Closes surplus links after one was added or has said hello.
    private mutating func enforceQuota(with link: Link, _ context: inout EngineContext) {
        for surplus in LinkQuota.surplus(in: links.all, with: link) {
            part(from: surplus, .duplicate, &context)
        }
    }

    /// Closes all but one of several links with one instance; returns whether this one stays.
    private mutating func resolveDuplicates(
        of id: LinkID,
        at now: Moment,
        _ context: inout EngineContext
    ) -> Bool {
        guard let link = links[id] else { return false }
        for other in links.greeted where other.isDuplicate(of: link) {
            let (older, newer) = other.isOlder(than: link) ? (other, link) : (link, other)
            let surplus: LinkID
            switch older.resolve(with: newer, on: context.device, at: now) {
            case .close(let link): surplus = link
            case .leaveToPeer: continue
            case .pingOlder:
                // A link that was cut silently looks sound until it is pinged.
                ping(older.id, at: now, &context)
                links.update(older.id) { $0.setDisputed(true) }
                let text = "link \(older.id.number) to \(older.remote) is disputed"
                context.emit(.log(.debug, text))
                continue
            }
            part(from: surplus, .duplicate, &context)
            if surplus == id { return false }
        }
        return true
    }

    /// Closes one of two links, after the older one has answered its ping or has not in time.
    private mutating func resolveDispute(
        about id: LinkID,
        at now: Moment,
        _ context: inout EngineContext
    ) {
        guard links[id]?.isDisputed == true else { return }
        links.update(id) { $0.setDisputed(false) }
        _ = resolveDuplicates(of: id, at: now, &context)
    }

    /// Raises an alarm if an instance answers a ping that was sent after a later instance of the
    /// same device had linked: the home was copied.
    ///
    /// Other messages do not prove that: they may have been sent before the first instance ended.
    private mutating func detectClone(
        on link: Link,
        pingedAt: UInt64?,
        _ number: UInt64,
        _ context: inout EngineContext
    ) {
        guard let peer = link.peer, let pingedAt, number == Link.pingNumber(pingedAt) else {
            return
        }
        let hasTwin = links.greeted.contains {
            $0.peer?.device == peer.device && $0.instance != peer.instance
                && $0.openedAt >= link.openedAt && $0.openedAt <= pingedAt
        }
        guard hasTwin else { return }
        contacts.markCloned(peer.device)
        context.emit(.alarm(.clonedDevice(peer.device, name: peer.name)))
    }

    // MARK: The end

    /// The connection is gone without a goodbye.
    mutating func unlinked(_ id: LinkID, at now: Moment, _ context: inout EngineContext) {
        guard let link = remove(id, &context) else { return }
        redial(link, at: now, &context)
        guard link.isGreeted, !links.all.contains(where: link.isDuplicate) else { return }
        lostAt = now.uptime
        context.discovery.recordLoss(at: now)
    }

    private mutating func receiveGoodbye(
        _ reason: ByeReason,
        on link: Link,
        at now: Moment,
        _ context: inout EngineContext
    ) {
        context.emit(.close(link.id))
        _ = remove(link.id, &context)
        switch reason {
        case .duplicate:
            // The link that the peer keeps may be gone already, or never have arrived here.
            if !links.all.contains(where: link.isDuplicate) { redial(link, at: now, &context) }
        case .itself: recordOwnAddress(of: link, &context)
        case .finished:
            // The peer may not have heard of the last writes here.
            let vector = link.exchange?.peerVector ?? VersionVector()
            if replica.committed.vector == vector {
                pauseUntilChange(link, at: now, &context)
            } else {
                redial(link, at: now, &context)
            }
        case .left: memberLeft(link, at: now, &context)
        case .storage:
            // The peer dials itself once it can read its disk again.
            redial(link, at: now, maxPause: Timing.reloadBackoff.upperBound, &context)
        case .stopping, .offline, .version, .protocolError, .other:
            redial(link, at: now, &context)
        }
    }

    /// Says goodbye and closes a link.
    mutating func part(from id: LinkID, _ reason: ByeReason, _ context: inout EngineContext) {
        guard remove(id, &context) != nil else { return }
        context.emit(.send(id, .bye(reason)))
        context.emit(.close(id))
    }

    private mutating func remove(_ id: LinkID, _ context: inout EngineContext) -> Link? {
        guard let link = links.remove(id) else { return nil }
        context.sessionOfLink[id] = nil
        if link.side == .dialled { contacts.update(link.remote) { $0.endDial() } }
        replica.removeWaiting(id)
        refused.remove(id)
        if link.isGreeted { context.emit(.peersChanged(self.id)) }
        return link
    }

    /// A message of the peer could not be decoded.
    mutating func messageRejected(
        _ error: PeerError,
        from id: LinkID,
        isFatal: Bool,
        at now: Moment,
        _ context: inout EngineContext
    ) {
        if !isFatal, error.code == PeerError.tooMuch, let link = links[id], link.isGreeted {
            return refuse(error, of: link, &context)
        }
        context.emit(.send(id, .error(error)))
        if error.code == PeerError.badDelta, let peer = links[id]?.peer {
            context.emit(
                .alarm(.badDelta(self.id, peer.device, name: peer.name, reason: error.text))
            )
        }
        if isFatal { breach(error.text, on: id, at: now, &context) }
    }

    /// The peer broke the protocol: closes the link.
    mutating func breach(
        _ reason: String,
        on id: LinkID,
        at now: Moment,
        _ context: inout EngineContext
    ) {
        guard let link = links[id] else { return }
        context.emit(.log(.warning, "link \(id.number) to \(link.remote): \(reason)"))
        part(from: id, .protocolError, &context)
        redial(link, at: now, &context)
    }

    /// Plans to replace a link that is gone, by any address of the peer.
    mutating func redial(
        _ link: Link,
        at now: Moment,
        maxPause: UInt64 = Timing.redialBackoff.upperBound,
        _ context: inout EngineContext
    ) {
        contacts.redial(link, at: now, jitter: context.jitter(), maxPause: maxPause)
    }

    /// The peer has left the session.
    private mutating func memberLeft(_ link: Link, at now: Moment, _ context: inout EngineContext) {
        if let peer = link.peer { forgetAcknowledgements(of: peer, &context) }
        guard let endpoint = link.contactEndpoint else { return }
        for other in links.greeted { links.update(other.id) { $0.forgetAddress(endpoint) } }
        let isTyped = contacts[endpoint]?.isTyped ?? false
        contacts.memberLeft(link)
        if isTyped { redial(link, at: now, &context) }
    }

    /// The peer holds the same finished session: it is not dialled before something is written.
    mutating func pauseUntilChange(_ link: Link, at now: Moment, _ context: inout EngineContext) {
        guard let peer = link.peer else { return }
        contacts.markUpToDate(peer.device, at: now, jitter: context.jitter())
    }

    // MARK: Silence

    /// Sends a peer what others have not, pings a silent one, and gives up one that does not
    /// answer.
    ///
    /// `link` is a copy from when the due links were listed.
    mutating func check(_ link: Link, at now: Moment, _ context: inout EngineContext) {
        guard links[link.id] != nil else { return }
        links.update(link.id) { $0.pruneDelegated(at: now) }
        if links.updateExchange(link.id, { $0.isComparisonDue(at: now) }) == true {
            compareDigests(link.id, at: now, &context)
        }
        push(to: link.id, at: now, &context)
        if let doubtAt = link.doubtAt, doubtAt <= now.uptime {
            doubt(link, at: now, &context)
        }
        guard link.silenceDeadline <= now.uptime else { return }
        if link.isDisputed {
            resolveDispute(about: link.id, at: now, &context)
        } else if link.isDead(at: now) {
            let text = "link \(link.id.number) to \(link.remote) went silent"
            context.emit(.log(.info, text))
            context.emit(.close(link.id))
            unlinked(link.id, at: now, &context)
        } else {
            ping(link.id, at: now, &context)
        }
    }

    /// A delta has been unanswered for long: pings the peer, and the next time dials it elsewhere.
    private mutating func doubt(_ link: Link, at now: Moment, _ context: inout EngineContext) {
        guard let peer = link.peer else { return }
        if link.pingedAt == nil {
            ping(link.id, at: now, timeout: Timing.doubtTimeout, &context)
        } else {
            links.update(link.id) { $0.markDoubted() }
            context.emit(.peersChanged(id))
            contacts.dialNow(peer.device, at: now)
        }
    }

    private mutating func recordActivity(
        on id: LinkID,
        at now: Moment,
        _ context: inout EngineContext
    ) {
        let wasPinged = links.update(id) { $0.recordActivity(at: now) } ?? false
        resolveDispute(about: id, at: now, &context)
        // A client may wait until all peers have answered.
        if wasPinged { context.emit(.peersChanged(self.id)) }
    }

    /// Bytes arrived that are no complete message, or a part of a delta; its sender, who hears
    /// nothing while the rest is on its way, gets a ping now and then as a sign of progress.
    mutating func bytesReceived(
        from id: LinkID,
        arePart: Bool = false,
        at now: Moment,
        _ context: inout EngineContext
    ) {
        recordActivity(on: id, at: now, &context)
        let isDue = links.update(id) { $0.isProgressDue(at: now, ofPart: arePart) }
        if isDue == true { ping(id, at: now, &context) }
    }

    mutating func pingAll(at now: Moment, _ context: inout EngineContext) {
        for link in links.greeted { ping(link.id, at: now, &context) }
    }

    /// Pings a peer, unless it has not answered the last ping.
    ///
    /// A link whose pong is not back after `timeout` is doubted.
    mutating func ping(
        _ id: LinkID,
        at now: Moment,
        timeout: UInt64 = Timing.suspiciousSilence,
        _ context: inout EngineContext
    ) {
        guard links.update(id, { $0.ping(at: now, timeout: timeout) }) == true else { return }
        context.emit(.send(id, .ping(Link.pingNumber(now.uptime))))
    }

    // MARK: Clocks

    private func reportClockSkew(of peer: Link.Peer, _ context: inout EngineContext) {
        guard peer.skew.magnitude > Timing.clockSkewThreshold.magnitude else { return }
        let (device, name) = (peer.device, peer.name)
        context.emit(.alarm(.clockSkew(id, device, name: name, milliseconds: peer.skew)))
    }

    private mutating func setSkew(_ skew: Int64, on link: Link, _ context: inout EngineContext) {
        links.update(link.id) { $0.setSkew(skew) }
        if let peer = links[link.id]?.peer { reportClockSkew(of: peer, &context) }
        context.emit(.peersChanged(id))
    }

    /// This device's clock was set forward by so many milliseconds: tells the peer.
    mutating func clockWasSet(
        ahead: Int64,
        for id: LinkID,
        at now: Moment,
        _ context: inout EngineContext
    ) {
        guard let link = links[id], let peer = link.peer else { return }
        setSkew(peer.skew - ahead, on: link, &context)
        guard peer.features.contains(Feature.clock) else { return }
        context.emit(.send(id, .clock(now.wall)))
    }
}
