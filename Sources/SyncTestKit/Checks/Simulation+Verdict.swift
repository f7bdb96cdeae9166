import SessionCRDT
import SyncEngine
import SyncProtocol

/// How the simulation of one history ended.
package struct SimulationOutcome: Sendable {
    /// The history.
    package let history: History
    /// What was found wrong; nothing when all is well.
    package let violations: [String]
    /// The last things that happened, when the simulation was traced.
    package let trace: [String]
    /// How long it took after the last fault until all replicas were equal, in milliseconds.
    package let millisecondsToEqual: UInt64
    /// How long it took after the last fault until the network was quiet, in milliseconds.
    package let millisecondsToQuiet: UInt64
    /// What occurred, and how often.
    package let marks: [Mark: Int]

    /// Whether nothing was found wrong.
    package var isGood: Bool { violations.isEmpty }
}

extension SimulationOutcome: CustomStringConvertible {
    package var description: String {
        let seed = history.scenario.seed
        guard !isGood else { return "seed \(seed) is good" }
        return "SCORESYNC_SEED=\(seed): \(violations.joined(separator: "; "))\n"
            + trace.suffix(80).joined(separator: "\n")
    }
}

extension Simulation {
    /// Plays a history; one that fails is played again with a trace.
    package static func outcome(of history: History, tracing: Bool = false) -> SimulationOutcome {
        let outcome = Simulation(history, tracing: tracing).play()
        return outcome.isGood || tracing ? outcome : self.outcome(of: history, tracing: true)
    }

    /// Plays the history of a seed.
    package static func outcome(seed: UInt64, tracing: Bool = false) -> SimulationOutcome {
        outcome(of: History.random(seed: seed), tracing: tracing)
    }

    /// The least of a history that fails in the same way: with the same first words.
    package static func shrunk(_ history: History, tries: Int = 2_000) -> History {
        guard let kind = kind(of: history) else { return history }
        return Shrinker.shrink(history, tries: tries) { Simulation.kind(of: $0) == kind }
    }

    /// How a history fails, without what differs from run to run.
    private static func kind(of history: History) -> String? {
        Simulation(history).play().violations.first.map { text in
            String(text.filter { !$0.isNumber }.prefix(24))
        }
    }
}

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

    /// The same for this world: where lines are slow, what was written takes its time, and who was
    /// missed by a finished session is asked again within minutes where nothing tells that they are
    /// back.
    var equalWithin: UInt64 {
        guard !asksRarely else {
            return (Timing.finishedPoll.lowerBound + Timing.maxFinishedRedial) * 6 / 5
        }
        guard !hasFinished else { return Timing.finishedInterval * 6 / 5 + Simulation.equalWithin }
        let isSlow = scenario.usesBytes && scenario.bytesPerMillisecond <= 1_000
        // Who cannot be dialled must hear an announcement, of which some are lost.
        let isDeaf = scenario.lasting > 0 && !scenario.firewalled.isEmpty
        // A disk that stayed full is read again after a pause.
        let isFull = scenario.broken.contains { $0.by == .full }
        return Simulation.equalWithin * (isSlow || isDeaf ? 3 : 1)
            + (isFull ? Timing.reloadBackoff.upperBound : 0)
    }

    /// Plays all phases.
    package func play() -> SimulationOutcome {
        begin()
        run(until: 2_000 + scenario.trouble)
        if !scenario.broken.isEmpty { playCore() }
        for laptop in laptops { laptop.breakage = nil }
        heal()
        run(until: 2_000 + scenario.trouble + scenario.lateWrites)
        let untilEqual = run(atMost: equalWithin) { $0.isEqual }
        if checker.violations.isEmpty {
            if untilEqual == nil { explainDifference() } else { checkReplicas() }
            noteWorld()
        }
        var untilQuiet: UInt64?
        if checker.violations.isEmpty {
            untilQuiet = settleDown()
            if checker.violations.isEmpty { watchSilence() }
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

    /// Notes what was unusual about the world in which all are equal now.
    private func noteWorld() {
        if scenario.trouble >= 86_400_000 { checker.note(.days) }
        if laptops.count(where: { $0.run != nil }) > 6 { checker.note(.crowd) }
    }

    // MARK: Equal

    /// Those that hold the session and are to agree.
    func members(_ session: SessionID) -> [Laptop] {
        laptops.filter { $0.disk.sessions[session] != nil && $0.breakage == nil }
    }

    /// Whether all replicas of each session hold the same, and nothing else is on disk.
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

    /// Whether two replicas hold the same.
    ///
    /// Where a vector counts writes that never came, the vectors of a finished session may differ:
    /// what is announced of it is the digest of what is live.
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
        checker.complain("\(part)not equal after \(equalWithin) ms: \(states)")
    }

    /// The second opinion: what is live is what the journals say must be.
    private func checkReplicas() {
        for session in cast.sessions {
            guard let first = members(session).first,
                let committed = first.run?.engine.replicas[session]?.committed
            else { continue }
            for laptop in members(session) {
                checkDisk(of: laptop, session)
                if laptop.run?.engine.replicas[session]?.committed.live != committed.live {
                    checker.complain("equal digests of unequal replicas")
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
            // A repair by union keeps what one side knew to be replaced, and where a vector counts
            // writes that never came nobody knows what these had replaced.
            let keepsMore = !checker.phantoms.isEmpty || checker.isCorrupt && !scenario.isStrict
            let sure = due.subtracting(checker.phantoms)
            let isRight = keepsMore ? live.isSuperset(of: sure) : live == due
            guard !isRight else { continue }
            checker.complain("what is live is not what was written and never replaced: \(key)")
        }
        if let dot = ledger.missing(from: committed.vector).first {
            checker.complain("the saved write \(Brief.name(dot)) is lost")
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
        let untilLinked = run(atMost: equalWithin) { $0.linkFault == nil }
        if untilLinked == nil, let fault = linkFault { checker.complain(fault) }
        checker.reset()
        var lastDial = now
        // Longer than the longest pause between two dials of one address, and where a session is
        // finished long enough for everybody to have heard of everybody.
        let pause: UInt64 = hasFinished ? 40_000 : 22_000
        // There, who was missed is still looked for, ever more rarely.
        let limit = hasFinished ? Timing.maxFinishedRedial * 2 : Simulation.quietWithin
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

    /// Whether somebody may have to wait for the rare question whether a finished session is as it
    /// was: who cannot be dialled, or, without broadcast, who was missed.
    private var asksRarely: Bool {
        let isQuiet = !scenario.hasBroadcast && !scenario.broken.isEmpty
        return hasFinished && (isQuiet || !scenario.firewalled.isEmpty)
    }

    var hasFinished: Bool {
        laptops.contains { $0.run?.engine.replicas.contains { $0.value.isFinished } ?? false }
    }

    /// Watches the quiet network: pings, a rare announcement, and nothing else.
    private func watchSilence() {
        checker.reset()
        run(until: now + Simulation.watched)
        // A ping may be under way at just this moment.
        if linkFault != nil, run(atMost: 1_000, until: { $0.linkFault == nil }) == nil,
            let fault = linkFault
        {
            checker.complain("later \(fault)")
        }
        let counts = checker.counts
        // After a pause this long each pause is longer than what is watched.
        let mostDials = hasFinished ? laptops.count * laptops.count : 0
        let mostWords = hasFinished ? Simulation.wordsOfMeeting * counts.dials : 0
        if counts.words > mostWords || counts.dials > mostDials {
            checker.complain("\(counts.words) messages and \(counts.dials) dials in the silence")
        }
        let announcers = laptops.count { $0.run != nil }
        // Who alone holds a session misses those who were to have it.
        let isAlone = laptops.flatMap(\.disk.sessions.keys)
            .contains { Set(members($0).map(\.device)).count == 1 }
        let pause = isAlone ? Timing.searchingInterval : Timing.completeInterval
        let rarest = Int(Simulation.watched / (pause * 8 / 10)) + 1
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
