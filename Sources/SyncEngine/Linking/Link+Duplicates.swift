/// Several links of the same two runs, of which one is kept.
extension Link {
    /// What becomes of two such links.
    enum Verdict: Hashable {
        /// This one is too many.
        case surplus(LinkID)
        /// Whether the older one lives decides.
        case askOlder
        /// The peer decides.
        case leaveToPeer
    }

    /// Whether the connection is of the same two runs as the other.
    func isDuplicate(of other: Link) -> Bool {
        id != other.id && peer?.device == other.peer?.device
            && instance == other.instance
    }

    /// Whether this link is the older of two.
    func precedes(_ other: Link) -> Bool { (openedAt, id) < (other.openedAt, other.id) }

    /// Which of two links with one run of a peer is one too many, of which this is the older one.
    ///
    /// Both sides judge alike, because the time between the two is nearly the same for both: links
    /// of one age by who opened them; else the older one stays if it answers, so that nothing that
    /// is on its way over it must begin again, whoever may be the cause of the newer one.
    func verdict(beside newer: Link, on device: Device, at now: Moment) -> Verdict {
        guard !isSuspicious(at: now) else { return .surplus(id) }
        guard newer.openedAt < openedAt + Timing.sameTime else {
            return hasSpoken(since: newer) ? .surplus(newer.id) : .askOlder
        }
        var isKept = true
        if side != newer.side, let peer = newer.peer {
            let isHigher = (device.id, device.instance) > (peer.device, peer.instance)
            isKept = (side == .dialled) == isHigher
        } else if newer.side == .accepted {
            // Only who opened both can tell which of them the other side saw first.
            return .leaveToPeer
        }
        guard isKept else { return .surplus(id) }
        return isDoubtful(beside: newer) ? .askOlder : .surplus(newer.id)
    }

    /// Whether nothing had come for so long when the newer one was opened that this may be dead.
    ///
    /// Links of dials that crossed have just heard each other.
    private func isDoubtful(beside newer: Link) -> Bool {
        lastHeard.map { $0 + Timing.doubtfulSilence <= newer.openedAt } ?? false
    }

    /// Whether something has come by this link since the newer one was opened, and nothing that
    /// was asked is unanswered.
    private func hasSpoken(since newer: Link) -> Bool {
        pingedAt == nil && lastHeard.map { $0 > newer.openedAt } ?? false
    }
}
