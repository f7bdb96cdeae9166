import SessionCRDT
import SyncEngine

package struct SimulationOutcome: Sendable, CustomStringConvertible {
    package let history: History
    package let violations: [String]
    package let trace: [String]
    /// The time from the last fault until all replicas were equal, in milliseconds.
    package let millisecondsToEqual: UInt64
    /// The time from the last fault until the network was quiet, in milliseconds.
    package let millisecondsToQuiet: UInt64
    package let marks: [RareEvent: Int]

    package var isGood: Bool { violations.isEmpty }

    package var description: String {
        let seed = history.scenario.seed
        guard !isGood else { return "seed \(seed) is good" }
        return "SCORESYNC_SEED=\(seed): \(violations.joined(separator: "; "))\n"
            + trace.suffix(80).joined(separator: "\n")
    }
}

extension Simulation {
    package static func outcome(of history: History, tracing: Bool = false) -> SimulationOutcome {
        let outcome = Simulation(history, tracing: tracing).play()
        return outcome.isGood || tracing ? outcome : self.outcome(of: history, tracing: true)
    }

    package static func outcome(seed: UInt64, tracing: Bool = false) -> SimulationOutcome {
        outcome(of: History.random(seed: seed), tracing: tracing)
    }

    /// Shrinks a history to a smaller one that fails with the same kind of violation.
    package static func shrunk(_ history: History, tries: Int = 2_000) -> History {
        guard let kind = kind(of: history) else { return history }
        return Shrinker.shrink(history, tries: tries) { Simulation.kind(of: $0) == kind }
    }

    private static func kind(of history: History) -> String? {
        Simulation(history).play().violations.first.map { text in
            String(text.filter { !$0.isNumber }.prefix(24))
        }
    }
}

extension Simulation {
    /// The usual time limit for convergence.
    static let equalWithin: UInt64 = 45_000
    /// The time for which a stranger waits to be admitted.
    static let knockPatience: UInt64 = 60_000
    /// The time limit until no laptop dials any more: an address that never answered is given up
    /// after eight dials.
    static let quietWithin: UInt64 = 180_000
    static let observationTime: UInt64 = 40_000

    /// The time limit for convergence in this scenario: longer on a slow network, and when only
    /// polling tells a member that a game has ended.
    var equalWithin: UInt64 {
        guard !asksRarely else {
            return (Timing.finishedPoll.lowerBound + Timing.maxFinishedRedial) * 6 / 5
        }
        guard !hasFinished else { return Timing.finishedInterval * 6 / 5 + Simulation.equalWithin }
        let isSlow = scenario.usesBytes && scenario.bytesPerMillisecond <= 1_000
        // A laptop behind a firewall must receive an announcement, and some of those are lost.
        let isDeaf = scenario.announcementLoss > 0 && !scenario.firewalled.isEmpty
        // A laptop whose disk stayed full reads it again only after a pause.
        let isFull = scenario.broken.contains { $0.by == .full }
        return Simulation.equalWithin * (isSlow || isDeaf ? 3 : 1)
            + (isFull ? Timing.reloadBackoff.upperBound : 0)
    }

    package func play() -> SimulationOutcome {
        begin()
        run(until: 2_000 + scenario.faultDuration)
        if !scenario.broken.isEmpty { playCore() }
        for laptop in laptops { laptop.breakage = nil }
        heal()
        run(until: 2_000 + scenario.faultDuration + scenario.lateWrites)
        let untilEqual = run(atMost: equalWithin) { $0.isEqual }
        if checker.violations.isEmpty {
            if untilEqual == nil { explainDifference() } else { checkReplicas() }
            if scenario.faultDuration >= 86_400_000 { checker.record(.days) }
            if laptops.count(where: { $0.run != nil }) > 6 { checker.record(.crowd) }
        }
        var untilQuiet: UInt64?
        if checker.violations.isEmpty {
            untilQuiet = waitUntilQuiet()
            if checker.violations.isEmpty { checkSilence() }
        }
        return SimulationOutcome(
            history: history,
            violations: checker.violations,
            trace: trace.lines,
            millisecondsToEqual: untilEqual ?? 0,
            millisecondsToQuiet: (untilEqual ?? 0) + (untilQuiet ?? 0),
            marks: checker.marks
        )
    }

    // MARK: Equal

    func members(_ session: SessionID) -> [Laptop] {
        laptops.filter { $0.disk.sessions[session] != nil && $0.breakage == nil }
    }

    /// Whether all replicas of each session have the same state, and all of it is on disk.
    var isEqual: Bool {
        cast.sessions.allSatisfy { session in
            let members = members(session)
            guard let first = members.first?.run?.engine.replicas[session] else {
                return members.isEmpty
            }
            return members.allSatisfy { laptop in
                guard let replica = laptop.run?.engine.replicas[session] else { return false }
                return isEqual(replica, first)
                    && !replica.map.hasOpenChanges && !replica.map.isSealed
                    && laptop.disk.sessions[session]?.vector == replica.committed.vector
            }
        }
    }

    /// Whether two replicas hold the same state.
    ///
    /// If a vector counts writes that never arrived, the vectors of a finished session may differ,
    /// because announcements carry only the digest of what is live.
    private func isEqual(_ one: Replica, _ other: Replica) -> Bool {
        let mayDiffer = one.isFinished && other.isFinished && !checker.phantoms.isEmpty
        return one.committed.tally.digest == other.committed.tally.digest
            && (mayDiffer || one.committed.vector == other.committed.vector)
    }

    func explainDifference(in part: String = "") {
        let states = cast.sessions.map { session in
            let members = members(session)
            let shared = members.first?.run?.engine.replicas[session]?.committed.live
            return members.map { laptop in
                let replica = laptop.run?.engine.replicas[session]
                let peers = laptop.run?.engine.peers(session).map(\.name) ?? []
                let live = replica?.committed.live
                let apart = live?.first { key, set in shared?[key] != set }
                return "\(laptop.index) linked with \(peers) has "
                    + (replica.map { Brief.name($0.committed.vector) } ?? "nothing")
                    + (apart.map { ", differing in \(Brief.name($0, $1))" } ?? "")
            }.joined(separator: ", ")
        }
        checker.fail("\(part)not equal after \(equalWithin) ms: \(states)")
    }

    /// Checks that the live entries are those that follow from the journals.
    private func checkReplicas() {
        for session in cast.sessions {
            let first = members(session).first
            guard let committed = first?.run?.engine.replicas[session]?.committed
            else { continue }
            for laptop in members(session) {
                checkDisk(of: laptop, session)
                if laptop.run?.engine.replicas[session]?.committed.live != committed.live {
                    checker.fail("equal digests of unequal replicas")
                }
            }
            checkWrites(committed, session)
        }
    }

    private func checkWrites(_ committed: CausalMap, _ session: SessionID) {
        guard let ledger = checker.ledgers[session] else { return }
        let expected = ledger.live(seen: committed.vector)
        for key in Set(expected.keys).union(committed.live.map(\.key)).sorted()
        where !checker.rottedKeys.contains(key) {
            let live = Set((committed.live[key].map(Array.init) ?? []).map(\.dot))
            let due = expected[key] ?? []
            // A repair by union may restore values that one side had replaced; and if a vector
            // counts writes that never arrived, the values that those replaced are unknown.
            let keepsMore = !checker.phantoms.isEmpty || checker.isCorrupt && !scenario.isStrict
            let sure = due.subtracting(checker.phantoms)
            let isRight = keepsMore ? live.isSuperset(of: sure) : live == due
            guard !isRight else { continue }
            checker.fail("what is live is not what was written and never replaced: \(key)")
        }
        if let dot = ledger.missing(from: committed.vector).first {
            checker.fail("the saved write \(Brief.name(dot)) is lost")
        }
    }

    private func checkDisk(of laptop: Laptop, _ session: SessionID) {
        guard let replica = laptop.run?.engine.replicas[session],
            let stored = laptop.disk.sessions[session]
        else { return }
        // A disk holds one entry for each dot, and a corrupted key is a second one for its dot.
        let rotted = checker.rottedKeys
        let live = replica.committed.live.filter { !rotted.contains($0.key) }.flatMap { key, set in
            set.map { KeyedEntry(key: key, entry: $0) }
        }
        let held = stored.entries.values.filter { !rotted.contains($0.key) }
        if Set(live) != Set(held) || stored.vector != replica.committed.vector {
            checker.fail("laptop \(laptop.index) shows something else than its disk holds")
        }
        if let run = laptop.run, !run.writes.isEmpty {
            checker.fail("laptop \(laptop.index) never answered \(run.writes.count) writes")
        }
    }

    // MARK: Quiet

    /// Waits until all required links exist and no laptop has dialled for a while; returns the time
    /// that took.
    private func waitUntilQuiet() -> UInt64? {
        let untilLinked = run(atMost: equalWithin) { $0.linkFault == nil }
        if untilLinked == nil, let fault = linkFault { checker.fail(fault) }
        checker.resetCounts()
        var lastDial = now
        // Longer than the longest pause between two dials of one address; in a finished session
        // long enough for all members to learn of each other.
        let pause: UInt64 = hasFinished ? 40_000 : 22_000
        // In a finished session the engines keep searching for missing members, ever more rarely.
        let limit = hasFinished ? Timing.maxFinishedRedial * 2 : Simulation.quietWithin
        let untilQuiet = run(atMost: limit, step: 1_000) { simulation in
            if simulation.checker.counts.dials + simulation.checker.counts.messages > 0 {
                lastDial = simulation.now
                simulation.checker.resetCounts()
            }
            return simulation.now >= lastDial + pause
        }
        guard let untilQuiet else {
            checker.fail("the network never grows quiet")
            return nil
        }
        return (untilLinked ?? 0) + untilQuiet - pause
    }

    /// Whether a change of a finished session may have to wait for the next poll: because of a
    /// member behind a firewall or, without broadcast, a member that was broken.
    private var asksRarely: Bool {
        let isQuiet = !scenario.hasBroadcast && !scenario.broken.isEmpty
        return hasFinished && (isQuiet || !scenario.firewalled.isEmpty)
    }

    var hasFinished: Bool {
        laptops.contains { $0.run?.engine.replicas.contains { $0.value.isFinished } ?? false }
    }

    /// Checks that a quiet network has only pings and rare announcements.
    private func checkSilence() {
        checker.resetCounts()
        run(until: now + Simulation.observationTime)
        // At this moment a ping may still be without an answer.
        if linkFault != nil, run(atMost: 1_000, until: { $0.linkFault == nil }) == nil,
            let fault = linkFault
        {
            checker.fail("later \(fault)")
        }
        let counts = checker.counts
        // By now the engines pause longer between two dials of an address than this check lasts.
        let maxDials = hasFinished ? laptops.count * laptops.count : 0
        let maxMessages = hasFinished ? Simulation.messagesPerMeeting * counts.dials : 0
        if counts.messages > maxMessages || counts.dials > maxDials {
            checker.fail("\(counts.messages) messages and \(counts.dials) dials in the silence")
        }
        let announcers = laptops.count { $0.run != nil }
        // A laptop that is the only holder of a session searches for peers more often.
        let isAlone = laptops.flatMap(\.disk.sessions.keys)
            .contains { Set(members($0).map(\.device)).count == 1 }
        let pause = isAlone ? Timing.searchingInterval : Timing.completeInterval
        let maxAnnouncements = Int(Simulation.observationTime / (pause * 8 / 10)) + 1
        let limit = announcers * maxAnnouncements
        checker.expect(counts.announcements, atMost: limit, "announcements in the silence")
        let ends = connections.count * 2
        let perLink = Int(Simulation.observationTime / Timing.pingAfter) + 1
        // The announcement of a linked peer may cause a ping.
        let heard = counts.announcements * (announcers - 1)
        checker.expect(counts.pings, atMost: (ends * perLink + heard) * 2, "pings in the silence")
        let maxFirings = ends * perLink * 2 + announcers * (maxAnnouncements + 2)
        checker.expect(counts.firings, atMost: maxFirings, "fired timers in the silence")
    }
}
