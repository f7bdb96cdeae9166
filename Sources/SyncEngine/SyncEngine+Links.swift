import SessionCRDT
import SyncProtocol

/// Links that open, greet, go silent and close.
extension SyncEngine {
    mutating func open(
        _ id: LinkID,
        _ session: SessionID,
        _ remote: Endpoint,
        _ origin: LinkOrigin,
        at now: Moment
    ) {
        links[id] = Link(id, session, remote, origin, at: now)
        guard let replica = replicas[session] else { return part(from: id, .left) }
        guard replica.isReadable else { return part(from: id, .storage) }
        guard !isPaused else { return part(from: id, isStopping ? .stopping : .offline) }
        emit(
            .send(
                id,
                .hello(
                    Hello(
                        versions: Versions.peer,
                        features: [],
                        session: session,
                        device: device.id,
                        instance: device.instance,
                        name: device.name,
                        port: port ?? 0,
                        wallMilliseconds: now.wall,
                        vector: replica.committed.vector,
                        digest: replica.committed.tally.digest
                    )
                )
            )
        )
    }

    mutating func receive(_ message: PeerMessage, from id: LinkID, at now: Moment) {
        guard var link = links[id] else { return }
        let asked = link.pingedAt
        link.hear(at: now)
        links[id] = link
        settleDispute(about: id, at: now)
        guard links[id] != nil else { return }
        if case .hello(let hello) = message {
            return link.peer == nil
                ? greet(hello, on: link, at: now) : breach("a second hello", on: id, at: now)
        }
        switch message {
        case .bye(let reason): depart(link, reason, at: now)
        case .ping(let number): emit(.send(id, .pong(number)))
        case .pong(let number): noticeClone(on: link, askedAt: asked, number)
        case .error(let error): emit(.log(.warning, "link \(id.number): \(error.text)"))
        case .hello: break
        case .delta, .ack, .need, .addresses, .welcome:
            guard link.peer != nil else {
                return breach("no hello before other messages", on: id, at: now)
            }
            exchange(message, on: link, at: now)
        }
    }

    // MARK: Greeting

    private mutating func greet(_ hello: Hello, on link: Link, at now: Moment) {
        guard hello.session == link.session else {
            return breach("hello for another session", on: link.id, at: now)
        }
        guard hello.instance != device.instance else {
            meetOneself(on: link)
            return part(from: link.id, .itself)
        }
        if hello.device == device.id {
            emit(.alarm(.clonedDevice(device.id, name: device.name)))
        }
        guard Versions.common(Versions.peer, hello.versions) != nil else {
            emit(.alarm(.version(hello.device, name: hello.name, speaks: hello.versions)))
            part(from: link.id, .version)
            return retry(link, at: now)
        }
        let peer = Link.Peer(
            device: hello.device,
            instance: hello.instance,
            name: hello.name,
            port: hello.port,
            skew: Int64(clamping: hello.wallMilliseconds) - Int64(clamping: now.wall)
        )
        links[link.id]?.greet(peer, has: hello.vector, hello.digest)
        noteAddress(of: peer, on: link.id, at: now)
        _ = noteInstance(peer.instance)
        guard settleDuplicates(of: link.id, at: now) else { return }
        welcome(peer, on: link, at: now)
    }

    /// A peer is linked for good: notes where it is, tells the others, and sends what it lacks.
    private mutating func welcome(_ peer: Link.Peer, on link: Link, at now: Moment) {
        if peer.skew.magnitude > Timing.tellSkew.magnitude {
            emit(
                .alarm(
                    .clockSkew(
                        link.session,
                        peer.device,
                        name: peer.name,
                        milliseconds: peer.skew
                    )
                )
            )
        }
        probeOtherRuns(of: peer, on: link, at: now)
        introduce(link.id)
        acknowledgedByPeer(link.id)
        compare(link.id)
        push(to: link.id)
        emit(.log(.info, "linked with \(peer.name) at \(link.remote)"))
        emit(.peersChanged(link.session))
        closeFinished(link.session)
    }

    /// Of several links with one run of a peer keeps one; whether this one stays.
    private mutating func settleDuplicates(of id: LinkID, at now: Moment) -> Bool {
        guard let link = links[id] else { return false }
        for other in liveLinks(link.session) where other.isTwin(of: link) {
            guard let surplus = surplus(of: other, link, at: now) else { continue }
            let (older, newer) = other.precedes(link) ? (other, link) : (link, other)
            if surplus == newer.id, older.isDoubtful(beside: newer) {
                // What was cut without a word looks sound until it is asked.
                ping(older.id, at: now)
                links[older.id]?.dispute()
                continue
            }
            part(from: surplus, .duplicate)
            if surplus == id { return false }
        }
        return true
    }

    /// A link that a newer one disputes has answered, or has not in time: one of both goes.
    private mutating func settleDispute(about id: LinkID, at now: Moment) {
        guard links[id]?.isDisputed == true else { return }
        links[id]?.endDispute()
        _ = settleDuplicates(of: id, at: now)
    }

    /// Which of two links with one run of a peer is one too many; nil when the peer decides.
    ///
    /// Both sides judge alike, because the time between the two is nearly the same for both: links
    /// of one age by who opened them, else the newer one wins. One that does not answer goes.
    private func surplus(of one: Link, _ other: Link, at now: Moment) -> LinkID? {
        let (older, newer) = one.precedes(other) ? (one, other) : (other, one)
        guard newer.openedAt < older.openedAt + Timing.sameTime else { return older.id }
        if older.origin == newer.origin {
            // Only who opened both can tell which of them the other side saw first.
            guard newer.origin == .dialled else { return nil }
            return older.isSuspicious(at: now) ? older.id : newer.id
        }
        guard let peer = newer.peer else { return nil }
        guard !older.isSuspicious(at: now) else { return older.id }
        let isHigher = (device.id, device.instance) > (peer.device, peer.instance)
        return (older.origin == .dialled) == isHigher ? newer.id : older.id
    }

    /// The link leads back to this daemon.
    private mutating func meetOneself(on link: Link) {
        guard link.origin == .dialled else { return }
        ownEndpoints.insert(link.remote)
        books[link.session]?.remove(link.remote)
    }

    /// Asks the link of another run of the peer's device whether it is there still.
    private mutating func probeOtherRuns(of peer: Link.Peer, on link: Link, at now: Moment) {
        for other in liveLinks(link.session)
        where other.peer?.device == peer.device && other.peer?.instance != peer.instance {
            ping(other.id, at: now)
        }
    }

    /// A run of a device answers what it was asked after a later run of the device had linked: its
    /// home was copied.
    ///
    /// Other words may have been under way since before the first run ended.
    private mutating func noticeClone(on link: Link, askedAt asked: UInt64?, _ number: UInt64) {
        guard let peer = link.peer, let asked, number == Link.pingNumber(asked) else { return }
        let twin = links.values.contains {
            $0.session == link.session && $0.peer?.device == peer.device
                && $0.peer?.instance != peer.instance && $0.openedAt >= link.openedAt
                && $0.id != link.id && $0.openedAt <= asked
        }
        if twin { emit(.alarm(.clonedDevice(peer.device, name: peer.name))) }
    }

    // MARK: Silence and the end

    /// Asks silent peers whether they are there, and gives up those that do not answer.
    mutating func checkLinks(at now: Moment) {
        for link in links.values.sorted(by: { $0.id < $1.id }) {
            guard links[link.id] != nil, now.uptime >= link.nextDeadline else { continue }
            guard !link.isDisputed else {
                settleDispute(about: link.id, at: now)
                continue
            }
            if link.peer == nil || now.uptime >= link.lastHeard + Timing.deadAfter {
                emit(.log(.info, "link \(link.id.number) to \(link.remote) went silent"))
                emit(.close(link.id))
                lose(link.id, at: now)
            } else {
                ping(link.id, at: now)
            }
        }
    }

    /// Asks a peer whether it is there, unless it has not answered the last time.
    ///
    /// A link whose pong is not back after `patience` is doubted.
    mutating func ping(
        _ id: LinkID,
        at now: Moment,
        patience: UInt64 = Timing.suspiciousSilence
    ) {
        guard let link = links[id], link.peer != nil, link.pingedAt == nil else { return }
        links[id]?.ping(at: now, patience: patience)
        emit(.send(id, .ping(Link.pingNumber(now.uptime))))
    }

    /// The connection is gone without a goodbye.
    mutating func lose(_ id: LinkID, at now: Moment) {
        guard let link = remove(id) else { return }
        retry(link, at: now)
        guard link.peer != nil, !links.values.contains(where: link.isTwin) else { return }
        lostAt = now.uptime
        announcer.burst(at: now, causedByPeer: true)
    }

    /// The peer said goodbye.
    private mutating func depart(_ link: Link, _ reason: ByeReason, at now: Moment) {
        emit(.close(link.id))
        _ = remove(link.id)
        switch reason {
        case .duplicate:
            // The link that the peer keeps may be gone already, or never have come here.
            if !links.values.contains(where: link.isTwin) { retry(link, at: now) }
        case .itself: meetOneself(on: link)
        case .finished:
            // The peer may not have heard of the last writes here.
            let hasAll = replicas[link.session]?.committed.vector == link.stated
            if hasAll { rest(link) } else { retry(link, at: now) }
        case .left: forget(link, at: now)
        case .stopping, .offline, .version, .storage, .protocolError, .other:
            retry(link, at: now)
        }
    }

    /// Says goodbye and closes.
    mutating func part(from id: LinkID, _ reason: ByeReason) {
        guard remove(id) != nil else { return }
        emit(.send(id, .bye(reason)))
        emit(.close(id))
    }

    private mutating func remove(_ id: LinkID) -> Link? {
        guard let link = links.removeValue(forKey: id) else { return nil }
        if link.origin == .dialled { books[link.session]?.update(link.remote) { $0.dialEnded() } }
        replicas[link.session]?.forget(id)
        if link.peer != nil { emit(.peersChanged(link.session)) }
        return link
    }

    /// The peer broke the protocol.
    mutating func breach(_ what: String, on id: LinkID, at now: Moment) {
        guard let link = links[id] else { return }
        emit(.log(.warning, "link \(id.number) to \(link.remote): \(what)"))
        part(from: id, .protocolError)
        retry(link, at: now)
    }

    mutating func refuse(_ error: PeerError, from id: LinkID, isFatal: Bool, at now: Moment) {
        guard links[id] != nil else { return }
        emit(.send(id, .error(error)))
        if isFatal { breach(error.text, on: id, at: now) }
    }

    mutating func sayGoodbye() {
        isStopping = true
        for id in links.keys.sorted() { part(from: id, .stopping) }
    }
}

extension Link {
    /// When something must be done about the peer's silence.
    var nextDeadline: UInt64 {
        guard peer != nil else { return openedAt + Timing.helloWithin }
        if isDisputed, let trustedUntil { return trustedUntil + 1 }
        return lastHeard + (pingedAt == nil ? Timing.pingAfter : Timing.deadAfter)
    }
}
