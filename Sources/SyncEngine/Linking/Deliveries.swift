import SessionCRDT

/// What this device has sent to several peers and they do not know yet of each other, so that each
/// can be told that the others have it.
struct Deliveries: Sendable {
    /// When peers are told at the latest; nil while there is nothing to tell.
    private(set) var reportAt: UInt64?
    private var sent = VersionVector()
    /// What peers were told that others have.
    private var told = VersionVector()

    /// Notes what goes to a peer.
    mutating func note(_ news: [Dot], at now: Moment) {
        for dot in news { sent.advance(to: dot) }
        if reportAt == nil { reportAt = now.uptime + Timing.reportWithin }
    }

    /// What all of these peers have of it by now and were not told yet; nil while it is better to
    /// wait for the rest of them.
    mutating func report(reachedBy peers: [VersionVector], at now: Moment) -> VersionVector? {
        guard let reportAt else { return nil }
        var floor = VersionVector()
        var rest = VersionVector()
        for dot in sent.sorted {
            let reached = peers.map { $0[dot.actor] }.min() ?? 0
            if reached < dot.sequence { rest.advance(to: dot) }
            let common = Dot(actor: dot.actor, sequence: min(reached, dot.sequence))
            if !told.covers(common) { floor.advance(to: common) }
        }
        guard rest.isEmpty || now.uptime >= reportAt else { return nil }
        sent = rest
        self.reportAt = rest.isEmpty ? nil : now.uptime + Timing.reportWithin
        told.join(floor)
        return floor
    }

    /// Forgets what was sent: nobody else is linked.
    mutating func clear() {
        reportAt = nil
        sent = VersionVector()
    }
}
