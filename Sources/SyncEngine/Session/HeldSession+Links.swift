import SessionCRDT
import SyncProtocol

extension HeldSession {
    mutating func open(_ link: Link, _ context: inout EngineContext) {
        context.sessionOfLink[link.id] = id
        links.insert(link)
        enforceQuota(with: link, &context)
        guard replica.isReadable else {
            part(from: link.id, .storage, &context)
            return redial(link, &context)
        }
        guard !context.discovery.isPaused else {
            let reason: ByeReason = context.discovery.isStopping ? .stopping : .offline
            return part(from: link.id, reason, &context)
        }
        let hello = Hello(
            versions: Versions.peer,
            features: [Feature.clock, Feature.knocks, Feature.reach, Feature.storage],
            session: id,
            device: context.device.id,
            instance: context.device.instance,
            name: context.device.name,
            port: context.discovery.port ?? 0,
            wallMilliseconds: context.now.wall,
            vector: replica.committed.vector,
            digest: replica.committed.tally.digest
        )
        context.emit(.send(link.id, .hello(hello)))
    }

    mutating func receive(_ message: PeerMessage, from id: LinkID, _ context: inout EngineContext) {
        guard let pingedAt = links[id].map(\.pingedAt) else { return }
        recordActivity(on: id, &context)
        guard let link = links[id] else { return }
        switch message {
        case .hello(let hello):
            guard !link.isGreeted else { return breach("a second hello", on: id, &context) }
            receive(hello, on: link, &context)
        case .bye(let reason): receiveGoodbye(reason, on: link, &context)
        case .ping(let number): context.emit(.send(id, .pong(number)))
        case .pong(let number): detectClone(on: link, pingedAt: pingedAt, number, &context)
        case .clock(let milliseconds):
            setSkew(context.now.skew(of: milliseconds), on: link, &context)
        case .error(let error): receive(error, from: link, &context)
        case .delta, .ack, .need, .addresses, .links, .reached, .storage, .knocks, .admit, .welcome,
            .guest:
            guard link.isGreeted
            else { return breach("no hello before other messages", on: id, &context) }
            exchange(message, on: link, &context)
        }
    }

    // MARK: Greeting

    private mutating func receive(_ hello: Hello, on link: Link, _ context: inout EngineContext) {
        let device = context.device
        guard hello.session == id
        else { return breach("hello for another session", on: link.id, &context) }
        guard hello.instance != device.instance else {
            recordOwnAddress(of: link, &context)
            return part(from: link.id, .itself, &context)
        }
        if hello.device == device.id {
            context.emit(.alarm(.clonedDevice(device.id, name: device.name)))
        }
        guard Versions.common(Versions.peer, hello.versions) != nil else {
            context.emit(.alarm(.version(hello.device, name: hello.name, speaks: hello.versions)))
            part(from: link.id, .version, &context)
            return redial(link, &context)
        }
        let peer = Link.Peer(
            device: hello.device,
            instance: hello.instance,
            name: hello.name,
            port: hello.port,
            skew: context.now.skew(of: hello.wallMilliseconds),
            features: Set(hello.features)
        )
        let exchange = Exchange(peerVector: hello.vector, peerDigest: hello.digest)
        links.update(link.id) { $0.greet(peer, exchange, at: context.now) }
        if let greeted = links[link.id] { enforceQuota(with: greeted, &context) }
        recordAddress(of: peer, on: link.id, &context)
        _ = context.discovery.recordInstance(peer.instance)
        guard resolveDuplicates(of: link.id, &context) else { return }
        startExchange(with: peer, on: link, &context)
    }

    /// Starts the exchange over an accepted link: introduces the peer to the other members, and
    /// sends what it lacks.
    private mutating func startExchange(
        with peer: Link.Peer,
        on link: Link,
        _ context: inout EngineContext
    ) {
        reportClockSkew(of: peer, &context)
        // Another instance of the same device may have ended.
        for other in links.greeted
        where other.peer?.device == peer.device && other.instance != peer.instance {
            ping(other.id, &context)
        }
        contacts.markOutOfDate(peer.device)
        introduce(link.id, &context)
        if storageProblem != nil, let greeted = links[link.id] {
            sendStorageProblem(to: greeted, &context)
        }
        if !knocks.isEmpty, let greeted = links[link.id] { sendKnocks(to: greeted, &context) }
        recordAcknowledgement(of: link.id, &context)
        compareDigests(link.id, &context)
        push(to: link.id, &context)
        context.emit(.log(.info, "linked with \(peer.name) at \(link.remote)"))
        context.emit(.peersChanged(id))
        closeIfFinished(&context)
    }

    // MARK: Addresses

    private mutating func recordAddress(
        of peer: Link.Peer,
        on link: LinkID,
        _ context: inout EngineContext
    ) {
        guard let link = links[link], let endpoint = link.contactEndpoint,
            link.side == .dialled || Ports.mayDial(named: endpoint.port)
        else { return }
        contacts.recordAnswer(at: endpoint, of: peer.device, peer.instance, at: context.now)
        context.emit(.rememberAddress(id, endpoint, peer.device))
    }

    /// Sends a new peer the addresses of the other members, and them the address of the peer.
    private mutating func introduce(_ id: LinkID, _ context: inout EngineContext) {
        guard let link = links[id] else { return }
        let others = links.greeted.filter { $0.instance != link.instance }
        sendAddresses(of: others, to: id, &context)
        for other in others { sendAddresses(of: [link], to: other.id, &context) }
    }

    private mutating func sendAddresses(
        of others: [Link],
        to id: LinkID,
        _ context: inout EngineContext
    ) {
        guard let remote = links[id]?.remote.address,
            let news = links.updateGreeted(
                id,
                { $0.newAddresses(of: others, to: remote, at: context.now) }
            ), !news.isEmpty
        else { return }
        context.emit(.send(id, .addresses(news)))
    }

    private mutating func recordOwnAddress(of link: Link, _ context: inout EngineContext) {
        guard link.side == .dialled else { return }
        context.discovery.ownEndpoints.insert(link.remote)
        contacts.remove(link.remote)
    }

    // MARK: Duplicates and clones

    /// Closes surplus links after a link was opened or greeted.
    private mutating func enforceQuota(with link: Link, _ context: inout EngineContext) {
        for surplus in LinkQuota.surplus(in: links.all, with: link) {
            part(from: surplus, .duplicate, &context)
        }
    }

    /// Closes all but one of several links with one instance; returns whether the given link stays.
    private mutating func resolveDuplicates(of id: LinkID, _ context: inout EngineContext) -> Bool {
        guard let link = links[id] else { return false }
        for other in links.greeted where other.isDuplicate(of: link) {
            let (older, newer) = other.isOlder(than: link) ? (other, link) : (link, other)
            let surplus: LinkID
            switch older.resolve(with: newer, on: context.device, at: context.now) {
            case .close(let link): surplus = link
            case .leaveToPeer: continue
            case .pingOlder:
                // A link that was cut silently looks alive until it is pinged.
                ping(older.id, &context)
                links.updateGreeted(older.id) { $0.isDisputed = true }
                context.emit(.log(.debug, "link \(older.id) to \(older.remote) is disputed"))
                continue
            }
            part(from: surplus, .duplicate, &context)
            if surplus == id { return false }
        }
        return true
    }

    /// Closes one of two duplicate links, after the older one has answered its ping or timed out.
    private mutating func resolveDispute(about id: LinkID, _ context: inout EngineContext) {
        guard links[id]?.isDisputed == true else { return }
        links.updateGreeted(id) { $0.isDisputed = false }
        _ = resolveDuplicates(of: id, &context)
    }

    /// Raises an alarm if an instance answers a ping that was sent after another instance of the
    /// same device had linked: both are running, because the home was copied.
    ///
    /// Other messages prove nothing: they may have been sent before the first instance ended.
    private mutating func detectClone(
        on link: Link,
        pingedAt: UInt64?,
        _ number: UInt64,
        _ context: inout EngineContext
    ) {
        guard let peer = link.peer, let pingedAt, number == Link.pingNumber(pingedAt)
        else { return }
        let hasTwin = links.greeted.contains {
            $0.peer?.device == peer.device && $0.instance != peer.instance
                && $0.openedAt >= link.openedAt && $0.openedAt <= pingedAt
        }
        guard hasTwin else { return }
        contacts.markCloned(peer.device)
        context.emit(.alarm(.clonedDevice(peer.device, name: peer.name)))
    }

    // MARK: The end

    mutating func unlinked(_ id: LinkID, _ context: inout EngineContext) {
        guard let link = remove(id, &context) else { return }
        redial(link, &context)
        guard link.isGreeted, !links.all.contains(where: link.isDuplicate) else { return }
        lostAt = context.now.uptime
        context.discovery.recordLoss(at: context.now)
    }

    private mutating func receiveGoodbye(
        _ reason: ByeReason,
        on link: Link,
        _ context: inout EngineContext
    ) {
        context.emit(.close(link.id))
        _ = remove(link.id, &context)
        switch reason {
        case .duplicate:
            // The duplicate that the peer keeps may have ended, or may never have arrived here.
            if !links.all.contains(where: link.isDuplicate) { redial(link, &context) }
        case .itself: recordOwnAddress(of: link, &context)
        case .finished:
            // The peer may not have received the last writes of this device.
            let vector = link.exchange?.peerVector ?? VersionVector()
            let isEqual = replica.committed.vector == vector
            if isEqual { pauseUntilChange(link, &context) } else { redial(link, &context) }
        case .left: memberLeft(link, &context)
        case .storage:
            // The peer dials again by itself once it can read its disk.
            redial(link, maxPause: Timing.reloadBackoff.upperBound, &context)
        case .stopping, .offline, .version, .declined, .protocolError, .other:
            redial(link, &context)
        }
    }

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

    mutating func messageRejected(
        _ error: PeerError,
        from id: LinkID,
        isFatal: Bool,
        _ context: inout EngineContext
    ) {
        if !isFatal, error.code == PeerError.tooMuch, let link = links[id], link.isGreeted {
            return refuse(error, of: link, &context)
        }
        context.emit(.send(id, .error(error)))
        if error.code == PeerError.badDelta, let peer = links[id]?.peer {
            let (device, name, reason) = (peer.device, peer.name, error.text)
            context.emit(.alarm(.badDelta(self.id, device, name: name, reason: reason)))
        }
        if isFatal { breach(error.text, on: id, &context) }
    }

    /// Closes the link to a peer that has broken the protocol.
    mutating func breach(_ reason: String, on id: LinkID, _ context: inout EngineContext) {
        guard let link = links[id] else { return }
        context.emit(.log(.warning, "link \(id) to \(link.remote): \(reason)"))
        part(from: id, .protocolError, &context)
        redial(link, &context)
    }

    /// Plans to replace a closed link, at any address of the peer.
    mutating func redial(
        _ link: Link,
        maxPause: UInt64 = Timing.redialBackoff.upperBound,
        _ context: inout EngineContext
    ) {
        contacts.redial(link, at: context.now, jitter: context.jitter(), maxPause: maxPause)
    }

    private mutating func memberLeft(_ link: Link, _ context: inout EngineContext) {
        if let peer = link.peer {
            contacts.markOutOfDate(peer.device)
            forgetAcknowledgements(of: peer, &context)
        }
        guard let endpoint = link.contactEndpoint else { return }
        for other in links.greeted {
            links.updateGreeted(other.id) { $0.sentAddresses[endpoint] = nil }
        }
        let isTyped = contacts[endpoint]?.isTyped ?? false
        contacts.memberLeft(link)
        if isTyped { redial(link, &context) }
    }

    /// Pauses dialling of a peer that has the same finished session, until the next write.
    mutating func pauseUntilChange(_ link: Link, _ context: inout EngineContext) {
        guard let peer = link.peer else { return }
        contacts.markUpToDate(peer.device, at: context.now, jitter: context.jitter())
    }

    // MARK: Silence

    /// Performs what is due on a link: sends writes that other devices did not deliver, pings a
    /// silent peer, and closes a link that does not answer.
    ///
    /// `link` is a copy from the time at which the due links were listed.
    mutating func check(_ link: Link, _ context: inout EngineContext) {
        guard links[link.id] != nil else { return }
        links.updateGreeted(link.id) { $0.pruneDelegated(at: context.now) }
        if links.updateGreeted(link.id, { $0.exchange.isComparisonDue(at: context.now) }) == true {
            compareDigests(link.id, &context)
        }
        push(to: link.id, &context)
        if let doubtAt = link.doubtAt, doubtAt <= context.now.uptime { doubt(link, &context) }
        guard link.silenceDeadline <= context.now.uptime else { return }
        if link.isDisputed {
            resolveDispute(about: link.id, &context)
        } else if link.isDead(at: context.now) {
            context.emit(.log(.info, "link \(link.id) to \(link.remote) went silent"))
            context.emit(.close(link.id))
            unlinked(link.id, &context)
        } else {
            ping(link.id, &context)
        }
    }

    /// Pings a peer that has not answered a delta in time; if it is pinged already, dials it
    /// elsewhere.
    private mutating func doubt(_ link: Link, _ context: inout EngineContext) {
        guard let peer = link.peer else { return }
        if link.pingedAt == nil {
            ping(link.id, timeout: Timing.doubtTimeout, &context)
        } else {
            links.updateGreeted(link.id) { $0.isRedialling = true }
            context.emit(.peersChanged(id))
            contacts.dialNow(peer.device, at: context.now)
        }
    }

    private mutating func recordActivity(on id: LinkID, _ context: inout EngineContext) {
        let wasPinged = links.updateGreeted(id) { $0.recordActivity(at: context.now) } ?? false
        resolveDispute(about: id, &context)
        // A client may be waiting until all peers have answered.
        if wasPinged { context.emit(.peersChanged(self.id)) }
    }

    /// Handles the arrival of an incomplete message or of a part of a delta.
    ///
    /// Pings the sender at intervals to show progress: it gets no answer before the last part.
    mutating func bytesReceived(
        from id: LinkID,
        arePart: Bool = false,
        _ context: inout EngineContext
    ) {
        recordActivity(on: id, &context)
        let isDue = links.updateGreeted(id) { $0.isProgressDue(at: context.now, ofPart: arePart) }
        if isDue == true { ping(id, &context) }
    }

    mutating func pingAll(_ context: inout EngineContext) {
        for link in links.greeted { ping(link.id, &context) }
    }

    /// Pings a peer, unless a ping is unanswered.
    ///
    /// A link that does not answer within `timeout` becomes doubtful.
    mutating func ping(
        _ id: LinkID,
        timeout: UInt64 = Timing.suspiciousSilence,
        _ context: inout EngineContext
    ) {
        guard links.updateGreeted(id, { $0.ping(at: context.now, timeout: timeout) }) == true
        else { return }
        context.emit(.send(id, .ping(Link.pingNumber(context.now.uptime))))
    }

    // MARK: Clocks

    private func reportClockSkew(of peer: Link.Peer, _ context: inout EngineContext) {
        guard peer.skew.magnitude > Timing.clockSkewThreshold.magnitude else { return }
        let (device, name) = (peer.device, peer.name)
        context.emit(.alarm(.clockSkew(id, device, name: name, milliseconds: peer.skew)))
    }

    private mutating func setSkew(_ skew: Int64, on link: Link, _ context: inout EngineContext) {
        links.updateGreeted(link.id) { $0.peer.skew = skew }
        if let peer = links[link.id]?.peer { reportClockSkew(of: peer, &context) }
        context.emit(.peersChanged(id))
    }

    /// Notifies the peer that this device's clock was set forward by this number of milliseconds.
    mutating func clockWasSet(ahead: Int64, for id: LinkID, _ context: inout EngineContext) {
        guard let link = links[id], let peer = link.peer else { return }
        setSkew(peer.skew - ahead, on: link, &context)
        guard peer.features.contains(Feature.clock) else { return }
        context.emit(.send(id, .clock(context.now.wall)))
    }
}
