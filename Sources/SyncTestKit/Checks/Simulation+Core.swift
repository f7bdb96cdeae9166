import SessionCRDT
import SyncEngine
import SyncProtocol

/// A part of the laptops is healed while the rest stays broken: the part must agree and fall silent
/// whatever the rest does (liveness as TigerBeetle's simulator tests it).
extension Simulation {
    /// How long somebody who was lost is looked for often.
    private static let calmAfter: UInt64 = Timing.searching + 40_000

    /// What two say to each other who link and part: hello, addresses, links or a delta, goodbye.
    static let wordsOfMeeting = 8

    /// Lets things stay wrong with some laptops and heals the others.
    func playCore() {
        for laptop in laptops where !laptop.isBlank {
            let broken = scenario.broken.first { $0.laptop == laptop.index }
            // Who came later is away: nobody knows who else has heard of them.
            let isLate = laptop.index >= scenario.laptops
            if let breakage = broken?.by ?? (isLate ? .off : nil) { breakDown(laptop, breakage) }
        }
        heal()
        run(until: 2_000 + scenario.trouble + scenario.lateWrites)
        guard run(atMost: 2 * equalWithin, until: { $0.isEqual }) != nil else {
            guard checker.violations.isEmpty, cast.sessions.allSatisfy(isAcquainted) else { return }
            return explainDifference(in: "the healed part ")
        }
        run(until: now + Simulation.calmAfter)
        watchCore()
        checker.note(.healedCore)
        if scenario.broken.contains(where: { $0.by == .full }) { checker.note(.fullDisk) }
    }

    /// Whether the members that are to agree can have heard of each other: without broadcast it may
    /// be that only those who stay broken know both.
    private func isAcquainted(_ session: SessionID) -> Bool {
        let members = members(session)
        guard !scenario.hasBroadcast, let first = members.first else { return true }
        var (known, place) = ([first], 0)
        while place < known.count {
            known += members.filter { other in
                !known.contains { $0 === other } && knows(known[place], other, session)
            }
            place += 1
        }
        return known.count == members.count
    }

    private func knows(_ one: Laptop, _ other: Laptop, _ session: SessionID) -> Bool {
        func remembers(_ laptop: Laptop, _ endpoint: Endpoint) -> Bool {
            laptop.disk.sessions[session]?.addresses[endpoint] != nil
        }
        return remembers(one, other.endpoint) || remembers(other, one.endpoint)
    }

    private func breakDown(_ laptop: Laptop, _ breakage: Scenario.Breakage) {
        switch breakage {
        case .off: end(laptop, .powerCut)
        case .asleep: sleep(laptop)
        case .full:
            cure(laptop)
            laptop.trouble = .full
        case .isolated, .deaf: break
        }
        laptop.breakage = breakage
    }

    /// Watches the part: it says nothing more among itself, and little to the rest.
    private func watchCore() {
        guard checker.violations.isEmpty else { return }
        checker.reset()
        run(until: now + Simulation.watched)
        let counts = checker.counts
        // Each may look for each of the others once: where a finished session is asked for, and
        // where somebody whose disk can be read now and then comes and goes, telling of all.
        let comesAndGoes = scenario.broken.contains { $0.by == .full }
        let callers = laptops.count { $0.run != nil }
        let mostDials = hasFinished || comesAndGoes ? callers * callers : 0
        // Of who comes and goes the others hear, and tell each other.
        let mostWords =
            Simulation.wordsOfMeeting * counts.innerDials + (comesAndGoes ? counts.outerWords : 0)
        if counts.words > mostWords || counts.innerDials > mostDials {
            checker.complain(
                "\(counts.words) messages and \(counts.innerDials) dials in the silence of a part"
            )
        }
        // They may have brought something new just now.
        if !isEqual, !comesAndGoes || run(atMost: equalWithin, until: { $0.isEqual }) == nil {
            explainDifference(in: "later the healed part ")
        }
        let pause = comesAndGoes ? Timing.frequently : Timing.sometimes
        let most = Int(Simulation.watched / (pause * 8 / 10)) + Timing.burst.count
        if counts.announcements > callers * most {
            checker.complain("\(counts.announcements) announcements in the silence of a part")
        }
        // A disk that can be read now and then lets a laptop link with each of the others at most
        // once for each session in this time, perhaps by several links at once.
        let meetings = scenario.broken.count * callers * max(3, cast.sessions.count * 2)
        if counts.outerWords > meetings * Simulation.wordsOfMeeting {
            checker.complain("\(counts.outerWords) messages with who stays broken")
        }
    }
}
