import SessionCRDT

/// What this device has sent to several peers and they do not know yet of each other, so that each
/// can be told that the others have it.
struct Deliveries: Sendable {
    /// When peers are told at the latest; nil while there is nothing to tell.
    private(set) var reportAt: UInt64?
    private var sent = VersionVector()

    /// Notes what goes to a peer.
    mutating func note(_ news: [Dot], at now: Moment) {
        for dot in news { sent.advance(to: dot) }
        if reportAt == nil { reportAt = now.uptime + Timing.reportWithin }
    }

    /// What all of these peers have of it by now, to be told; nil while it is better to wait for
    /// the rest of them.
    mutating func report(reachedBy peers: [VersionVector], at now: Moment) -> VersionVector? {
        guard let reportAt else { return nil }
        var floor: [ActorID: UInt64] = [:]
        var rest = VersionVector()
        for dot in sent.sorted {
            let reached = peers.map { $0[dot.actor] }.min() ?? 0
            floor[dot.actor] = min(reached, dot.sequence)
            if reached < dot.sequence { rest.advance(to: dot) }
        }
        guard rest.isEmpty || now.uptime >= reportAt else { return nil }
        sent = rest
        self.reportAt = rest.isEmpty ? nil : now.uptime + Timing.reportWithin
        return VersionVector(floor)
    }

    /// Forgets what was sent: nobody else is linked.
    mutating func clear() { self = Deliveries() }
}
