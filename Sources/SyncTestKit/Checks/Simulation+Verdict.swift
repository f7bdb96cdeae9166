import SessionCRDT
import SyncEngine
import SyncProtocol

/// The two phases, and what must hold at the end of the second.
extension Simulation {
    /// The longest time until all replicas are equal again: a dead link is noticed after 15 s and
    /// a lost peer dialled again after at most 18 s, each after at most one lost try of 3 s.
    static let equalWithin: UInt64 = 45_000
    /// The longest time until nobody dials any more: addresses that never answered are given up
    /// after eight dials.
    static let quietWithin: UInt64 = 180_000
    /// How long a quiet network is watched.
    static let watched: UInt64 = 40_000

    /// Plays both phases.
    package func play() -> SimulationOutcome {
        begin()
        run(until: 2_000 + scenario.trouble)
        let writes = checker.counts.writes
        heal()
        let untilEqual = run(atMost: Simulation.equalWithin) { $0.isEqual }
        if checker.violations.isEmpty {
            if untilEqual == nil { explainDifference() } else { checkReplicas() }
        }
        var untilQuiet: UInt64?
        if checker.violations.isEmpty {
            untilQuiet = settleDown()
            if checker.violations.isEmpty { watchSilence() }
        }
        return SimulationOutcome(
            seed: scenario.seed,
            violations: checker.violations,
            trace: trace.lines,
            millisecondsToEqual: untilEqual ?? 0,
            millisecondsToQuiet: (untilEqual ?? 0) + (untilQuiet ?? 0),
            writes: writes
        )
    }

    /// Ends everything that goes wrong.
    private func heal() {
        trace.note(now, "everything heals")
        areFaultsOn = false
        areWritesOn = false
        weather = Weather()
        for laptop in laptops {
            laptop.trouble = .none
            wake(laptop)
            if let run = laptop.run {
                give(.offline(false), to: laptop, run: run.number)
            } else {
                start(laptop)
            }
        }
    }

    // MARK: Equal

    private func members(_ session: SessionID) -> [Laptop] {
        laptops.filter { $0.disk.sessions[session] != nil }
    }

    /// Whether all replicas of each session hold the same, and nothing else is on disk.
    private var isEqual: Bool {
        workload.sessions.allSatisfy { session in
            let members = members(session)
            guard let first = members.first?.run?.engine.replicas[session] else { return true }
            return members.allSatisfy { laptop in
                let replica = laptop.run?.engine.replicas[session]
                return replica?.committed.vector == first.committed.vector
                    && replica?.committed.tally.digest == first.committed.tally.digest
                    && replica?.map.hasOpenChanges == false && replica?.map.isSealed == false
                    && laptop.disk.sessions[session]?.vector == first.committed.vector
            }
        }
    }

    private func explainDifference() {
        let states = workload.sessions.map { session in
            members(session).map { laptop in
                let replica = laptop.run?.engine.replicas[session]
                let peers = laptop.run?.engine.peers(session).map(\.name) ?? []
                return "\(laptop.index) linked with \(peers) has "
                    + (replica.map { Brief.name($0.committed.vector) } ?? "nothing")
            }.joined(separator: ", ")
        }
        checker.complain("not equal after \(Simulation.equalWithin) ms: \(states)")
    }

    /// The second opinion: what is live is what the journals say must be.
    private func checkReplicas() {
        for session in workload.sessions {
            guard let first = members(session).first,
                let committed = first.run?.engine.replicas[session]?.committed
            else { continue }
            for laptop in members(session) {
                checkDisk(of: laptop, session)
                if laptop.run?.engine.replicas[session]?.committed.live != committed.live {
                    checker.complain("equal digests of unequal replicas")
                }
            }
            guard !checker.isCorrupt, let ledger = checker.ledgers[session] else { continue }
            let live = Dictionary(
                uniqueKeysWithValues: committed.live.map { ($0, Set($1.map(\.dot))) }
            )
            if live != ledger.live(seen: committed.vector) {
                checker.complain("what is live is not what was written and never replaced")
            }
            for dot in ledger.saved.subtracting(ledger.lost) where !committed.vector.covers(dot) {
                checker.complain("the saved write \(Brief.name(dot)) is lost")
            }
        }
    }

    private func checkDisk(of laptop: Laptop, _ session: SessionID) {
        guard let replica = laptop.run?.engine.replicas[session],
            let stored = laptop.disk.sessions[session]
        else { return }
        let live = replica.committed.live.flatMap { key, set in
            set.map { KeyedEntry(key: key, entry: $0) }
        }
        if Set(live) != Set(stored.entries.values) || stored.vector != replica.committed.vector {
            checker.complain("laptop \(laptop.index) shows something else than its disk holds")
        }
        if let run = laptop.run, !run.writes.isEmpty {
            checker.complain("laptop \(laptop.index) never answered \(run.writes.count) writes")
        }
    }

    // MARK: Quiet

    /// Waits until the links are as they shall be and nobody has dialled for a while.
    private func settleDown() -> UInt64? {
        let untilLinked = run(atMost: Simulation.equalWithin) { $0.linkFault == nil }
        if untilLinked == nil, let fault = linkFault { checker.complain(fault) }
        checker.reset()
        var lastDial = now
        // Longer than the longest pause between two dials of one address, and where a session is
        // finished long enough for everybody to have heard of everybody.
        let pause: UInt64 = hasFinished ? 40_000 : 22_000
        // There, who was missed is still looked for, ever more rarely.
        let limit = hasFinished ? Timing.rarestRedial * 2 : Simulation.quietWithin
        let untilQuiet = run(atMost: limit, step: 1_000) { simulation in
            if simulation.checker.counts.dials + simulation.checker.counts.words > 0 {
                lastDial = simulation.now
                simulation.checker.reset()
            }
            return simulation.now >= lastDial + pause
        }
        guard let untilQuiet else {
            checker.complain("the network never grows quiet")
            return nil
        }
        return (untilLinked ?? 0) + untilQuiet - pause
    }

    private var hasFinished: Bool {
        laptops.contains { $0.run?.engine.replicas.contains { $0.value.isFinished } ?? false }
    }

    /// What is wrong with the links: each pair of members has exactly one, or none when the session
    /// is finished.
    private var linkFault: String? {
        for session in workload.sessions {
            let members = members(session)
            let isFinished = members.first?.run?.engine.replicas[session]?.isFinished ?? false
            for (place, laptop) in members.enumerated() {
                for other in members.dropFirst(place + 1) {
                    let count = links(between: laptop, other, session)
                    if count != (isFinished ? 0 : 1) {
                        return "\(laptop.index) and \(other.index) have \(count) links, "
                            + "finished: \(isFinished)"
                    }
                }
                let expected = Set(members.map(\.device)).subtracting([laptop.device])
                let peers = laptop.run?.engine.peers(session) ?? []
                let seen = Set(peers.map(\.device)).subtracting([laptop.device])
                if seen != (isFinished ? [] : expected) {
                    return "\(laptop.index) sees \(peers.map(\.name))"
                }
                if !isFinished, members.count > 1, !peers.allSatisfy(\.isSynced) {
                    return "\(laptop.index) does not know that all are equal"
                }
            }
        }
        let known = laptops.reduce(0) { $0 + ($1.run?.links.count ?? 0) }
        let open = connections.values.reduce(0) { sum, connection in
            sum + connection.ends.count { $0.state != .closed }
        }
        return known == open ? nil : "\(known) ends of links, but \(open) of connections"
    }

    private func links(between one: Laptop, _ other: Laptop, _ session: SessionID) -> Int {
        let pair = [one.run?.number, other.run?.number]
        return connections.values.count { connection in
            connection.session == session && connection.ends.contains { $0.state == .open }
                && (connection.ends.map(\.run) == pair
                    || connection.ends.reversed().map(\.run) == pair)
        }
    }

    /// Watches the quiet network: pings, a rare announcement, and nothing else.
    private func watchSilence() {
        checker.reset()
        run(until: now + Simulation.watched)
        if let fault = linkFault { checker.complain("later \(fault)") }
        let counts = checker.counts
        // After a pause this long each pause is longer than what is watched.
        let mostDials = hasFinished ? laptops.count * laptops.count : 0
        if counts.words > 0 || counts.dials > mostDials {
            checker.complain("\(counts.words) messages and \(counts.dials) dials in the silence")
        }
        let announcers = laptops.count
        let rarest = Int(Simulation.watched / (Timing.rarely * 8 / 10)) + 1
        if counts.announcements > announcers * rarest {
            checker.complain("\(counts.announcements) announcements in the silence")
        }
        let ends = connections.count * 2
        let perLink = Int(Simulation.watched / Timing.pingAfter) + 1
        // Whoever hears the announcement of a linked peer may ask whether the link is alive.
        let heard = counts.announcements * (announcers - 1)
        if counts.pings > (ends * perLink + heard) * 2 {
            checker.complain("\(counts.pings) pings in the silence")
        }
        if counts.firings > ends * perLink * 2 + announcers * (rarest + 2) {
            checker.complain("timers fired \(counts.firings) times in the silence")
        }
    }
}
