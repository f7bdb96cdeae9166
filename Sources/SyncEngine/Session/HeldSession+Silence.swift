import SessionCRDT
import SyncProtocol

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
