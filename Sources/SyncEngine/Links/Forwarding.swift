import SessionCRDT

/// The deltas that other devices send to the peer of one link, each with its time limit.
///
/// Forwarding: in a full mesh every device would forward every write to every other one. So peers
/// report which instances they send writes to (`links`), and a delta is not forwarded to the
/// instances that its sender reaches itself, unless it has not arrived there after
/// `Timing.forwardAfter`. The sender then reports who has it (`reached`, see `DeliveryReports`).
struct DelegatedDeltas: Sendable {
    /// The delegated deltas in the order of their time limits.
    private var items: [(vector: VersionVector, until: UInt64)] = []

    /// The maximum number of delegated deltas; any further delta is forwarded.
    private static let maxCount = 8

    var due: UInt64? { items.first?.until }

    mutating func add(_ vector: VersionVector, until: UInt64) {
        items.append((vector, until))
        if items.count > DelegatedDeltas.maxCount { items.removeFirst() }
    }

    mutating func prune(at now: Moment, peerVector: VersionVector) {
        guard !items.isEmpty else { return }
        items.removeAll { $0.until <= now.uptime || peerVector.covers($0.vector) }
    }

    func covers(_ dots: [Dot], at now: Moment) -> Bool {
        guard let latest = items.last?.until, latest > now.uptime else { return false }
        return dots.allSatisfy { dot in
            items.contains { $0.until > now.uptime && $0.vector.covers(dot) }
        }
    }
}

/// The writes that were sent to several peers and not yet reported to each as delivered to the
/// others.
struct DeliveryReports: Sendable {
    /// The latest time for the next report; nil if there is nothing to report.
    private(set) var dueAt: UInt64?
    private var sent = VersionVector()
    private var reported = VersionVector()

    mutating func recordSent(_ news: [Dot], at now: Moment) {
        for dot in news { sent.advance(to: dot) }
        if dueAt == nil { dueAt = now.uptime + Timing.reportDelay }
    }

    /// Returns the writes that all of these peers have and that were not reported yet; nil while it
    /// is better to wait for more acknowledgements.
    mutating func next(reachedBy peers: [VersionVector], at now: Moment) -> VersionVector? {
        guard let dueAt else { return nil }
        var floor = VersionVector()
        var rest = VersionVector()
        for dot in sent.sorted {
            let reached = peers.map { $0[dot.actor] }.min() ?? 0
            if reached < dot.sequence { rest.advance(to: dot) }
            let common = Dot(actor: dot.actor, sequence: min(reached, dot.sequence))
            if !reported.covers(common) { floor.advance(to: common) }
        }
        guard rest.isEmpty || now.uptime >= dueAt else { return nil }
        sent = rest
        self.dueAt = rest.isEmpty ? nil : now.uptime + Timing.reportDelay
        reported.join(floor)
        return floor
    }

    /// Drops everything to report, because fewer than two peers receive writes.
    mutating func clear() { (dueAt, sent) = (nil, VersionVector()) }
}
