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

/// What others are sending to the peer of one link, and until when that is left to them.
///
/// Else each of N devices would pass a score on to each other one.
struct LeftToOthers: Sendable {
    private struct Item {
        let vector: VersionVector
        let until: UInt64
    }

    /// The earliest first.
    private var items: [Item] = []

    /// How much is remembered; what does not fit is passed on.
    private static let most = 8

    /// When the first of it is left no longer; nil when nothing is.
    var due: UInt64? { items.first?.until }

    /// Notes that somebody who has this sends it to the peer.
    mutating func add(_ vector: VersionVector, until: UInt64) {
        items.append(Item(vector: vector, until: until))
        if items.count > LeftToOthers.most { items.removeFirst() }
    }

    /// Forgets what is left no longer, and what the peer has.
    mutating func prune(at now: Moment, stated: VersionVector) {
        guard !items.isEmpty else { return }
        items.removeAll { $0.until <= now.uptime || stated.covers($0.vector) }
    }

    /// Whether each of these writes is left to somebody.
    func contains(_ news: [Dot], at now: Moment) -> Bool {
        guard let latest = items.last?.until, latest > now.uptime else { return false }
        return news.allSatisfy { dot in
            items.contains { $0.until > now.uptime && $0.vector.covers(dot) }
        }
    }
}
