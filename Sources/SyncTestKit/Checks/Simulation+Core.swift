import SessionCRDT
import SyncEngine
import SyncProtocol

/// A part of the laptops is healed while the rest stays broken: the part must agree and fall silent
/// whatever the rest does (liveness as TigerBeetle's simulator tests it).
extension Simulation {
    /// How long somebody who was lost is looked for often.
    private static let calmAfter: UInt64 = Timing.searchDuration + 40_000

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
        let pause = comesAndGoes ? Timing.searchingInterval : Timing.missingInterval
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

/// Who must be linked with whom when all is well.
extension Simulation {
    /// What is wrong with the links: each pair of members that can connect has exactly one, or none
    /// when the session is finished.
    var linkFault: String? {
        for session in cast.sessions {
            let members = members(session)
            let isFinished = members.first?.run?.engine.replicas[session]?.isFinished ?? false
            for (place, laptop) in members.enumerated() {
                for other in members.dropFirst(place + 1) {
                    let count = links(between: laptop, other, session)
                    let isDue = !isFinished && canLink(laptop, other)
                    guard count > 1 || count != (isDue ? 1 : 0) && isFound(laptop, other) else {
                        continue
                    }
                    return "\(laptop.index) and \(other.index) have \(count) links, "
                        + "finished: \(isFinished)"
                }
                let others = isFinished ? [] : members.filter { canLink(laptop, $0) }
                if let fault = viewFault(of: laptop, others, session) { return fault }
            }
        }
        let known = laptops.reduce(0) { $0 + ($1.run?.links.count ?? 0) }
        let open = connections.values.reduce(0) { sum, connection in
            sum + connection.ends.count { $0.state != .closed }
        }
        return known == open ? nil : "\(known) ends of links, but \(open) of connections"
    }

    /// What is wrong with what a daemon says of its peers.
    private func viewFault(
        of laptop: Laptop,
        _ others: [Laptop],
        _ session: SessionID
    ) -> String? {
        let expected = Set(others.map(\.device)).subtracting([laptop.device])
        let peers = laptop.run?.engine.peers(session) ?? []
        let seen = Set(peers.map(\.device)).subtracting([laptop.device])
        let isRight = others.allSatisfy { isFound(laptop, $0) } ? seen == expected : true
        guard isRight else { return "\(laptop.index) sees \(peers.map(\.name))" }
        let isAware = others.isEmpty || peers.allSatisfy(\.isSynced)
        return isAware ? nil : "\(laptop.index) does not know that all are equal"
    }

    /// Whether a connection between two can come about when all is well.
    private func canLink(_ one: Laptop, _ other: Laptop) -> Bool {
        canDial(from: one, to: other) || canDial(from: other, to: one)
    }

    /// Whether two that can connect are sure to hear of each other: addresses are passed on by who
    /// is linked with both, and between walls there may be nobody.
    private func isFound(_ one: Laptop, _ other: Laptop) -> Bool {
        scenario.hasBroadcast || scenario.walls.isEmpty || !canLink(one, other)
    }

    private func links(between one: Laptop, _ other: Laptop, _ session: SessionID) -> Int {
        let pair = [one.run?.number, other.run?.number]
        return connections.values.count { connection in
            connection.session == session && connection.ends.contains { $0.state == .open }
                && (connection.ends.map(\.run) == pair
                    || connection.ends.reversed().map(\.run) == pair)
        }
    }
}
