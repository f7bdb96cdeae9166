import SyncProtocol

/// Whether another laptop is there, as a mark and in words.
enum PeerState {
    /// A full circle for who is online, an empty one for who is not.
    static func mark(_ peer: PeerSummary) -> Line {
        Line(peer.online ? "●" : "○", peer.online ? .good : .faint)
    }

    /// The same in words.
    static func line(_ peer: PeerSummary, now: Int64) -> Line {
        if peer.online { return peer.synced ? Line("synced", .good) : Line("syncing", .warning) }
        guard let seen = peer.lastSeen else { return Line("not reached yet", .faint) }
        return Line("last seen " + Ago.text(seen, now: now), .faint)
    }
}
