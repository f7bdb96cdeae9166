import SessionCRDT
import SyncEngine

/// Liveness of a core (as in TigerBeetle's simulator): some laptops heal while the rest stay
/// broken, and the healed ones must agree and become quiet nevertheless.
extension Simulation {
    /// The time after which the engine searches for a lost peer only rarely.
    private static let rareSearchDelay: UInt64 = Timing.searchDuration + 40_000

    /// The messages when two laptops link and part: hello, addresses, links or a delta, and
    /// goodbye, from each side.
    static let messagesPerMeeting = 8

    /// Breaks some laptops, heals the rest, and checks that the healed ones agree.
    func playCore() {
        for laptop in laptops where !laptop.isBlank {
            let broken = scenario.broken.first { $0.laptop == laptop.index }
            // Late joiners are switched off: it is not known which laptops have learned of them.
            let isLate = laptop.index >= scenario.laptops
            if let breakage = broken?.by ?? (isLate ? .off : nil) { breakDown(laptop, breakage) }
        }
        heal()
        run(until: 2_000 + scenario.faultDuration + scenario.lateWrites)
        guard run(atMost: 2 * equalWithin, until: { $0.isEqual }) != nil else {
            guard checker.violations.isEmpty, cast.sessions.allSatisfy(isConnected) else { return }
            return explainDifference(in: "the healed part ")
        }
        run(until: now + Simulation.rareSearchDelay)
        checkCoreSilence()
        checker.record(.healedCore)
        if scenario.broken.contains(where: { $0.by == .full }) { checker.record(.fullDisk) }
    }

    /// Whether the addresses that the healed members know connect all of them: without broadcast,
    /// two members may depend on a broken one to learn of each other.
    private func isConnected(_ session: SessionID) -> Bool {
        let members = members(session)
        guard !scenario.hasBroadcast, let first = members.first else { return true }
        func knows(_ one: Laptop, _ other: Laptop) -> Bool {
            one.disk.sessions[session]?.addresses[other.endpoint] != nil
        }
        var (known, index) = ([first], 0)
        while index < known.count {
            let one = known[index]
            known += members.filter { other in
                !known.contains { $0 === other } && (knows(one, other) || knows(other, one))
            }
            index += 1
        }
        return known.count == members.count
    }

    private func breakDown(_ laptop: Laptop, _ breakage: Scenario.Breakage) {
        switch breakage {
        case .off: end(laptop, .powerCut)
        case .asleep: sleep(laptop)
        case .full:
            repairDisk(of: laptop)
            laptop.trouble = .full
        case .isolated, .deaf: break
        }
        laptop.breakage = breakage
    }

    /// Checks that the healed laptops send each other little, and the broken ones not much more.
    private func checkCoreSilence() {
        guard checker.violations.isEmpty else { return }
        checker.resetCounts()
        run(until: now + Simulation.observationTime)
        let counts = checker.counts
        // Each running laptop may dial every other one once in this time: to poll a finished
        // session, or because a laptop with a full disk, on which some reads fail, reconnects and
        // passes on all addresses that it knows.
        let comesAndGoes = scenario.broken.contains { $0.by == .full }
        let callers = laptops.count { $0.run != nil }
        let maxDials = hasFinished || comesAndGoes ? callers * callers : 0
        // The healthy laptops report to each other when that laptop connects and disconnects.
        let maxMessages =
            Simulation.messagesPerMeeting * counts.innerDials
            + (comesAndGoes ? counts.outerMessages : 0)
        let (messages, dials) = (counts.messages, counts.innerDials)
        if messages > maxMessages || dials > maxDials {
            checker.fail("\(messages) messages and \(dials) dials in the silence of a part")
        }
        // The laptop with the full disk may just have passed on a write.
        if !isEqual, !comesAndGoes || run(atMost: equalWithin, until: { $0.isEqual }) == nil {
            explainDifference(in: "later the healed part ")
        }
        let pause = comesAndGoes ? Timing.searchingInterval : Timing.missingInterval
        let maxAnnouncements =
            Int(Simulation.observationTime / (pause * 8 / 10)) + Timing.burst.count
        let announcements = "announcements in the silence of a part"
        checker.expect(counts.announcements, atMost: callers * maxAnnouncements, announcements)
        // A laptop whose disk can be read only at times links with each healthy laptop at most
        // once per session in this time, possibly by several connections at once.
        let meetings = scenario.broken.count * callers * max(3, cast.sessions.count * 2)
        let limit = meetings * Simulation.messagesPerMeeting
        checker.expect(counts.outerMessages, atMost: limit, "messages with broken laptops")
    }
}

extension Simulation {
    /// A description of a missing or surplus link; nil if every pair of members that can connect
    /// has exactly one link, or none if the session is finished.
    var linkFault: String? {
        for session in cast.sessions {
            let members = members(session)
            let isFinished = members.first?.run?.engine.replicas[session]?.isFinished ?? false
            for (index, laptop) in members.enumerated() {
                for other in members.dropFirst(index + 1) {
                    let count = links(between: laptop, other, session)
                    let isDue = !isFinished && canLink(laptop, other)
                    guard count > 1 || count != (isDue ? 1 : 0) && isFound(laptop, other) else {
                        continue
                    }
                    return "\(laptop.index) and \(other.index) have \(count) links, "
                        + "finished: \(isFinished)"
                }
                let others = isFinished ? [] : members.filter { canLink(laptop, $0) }
                if let fault = peersFault(of: laptop, others, session) { return fault }
            }
        }
        let known = laptops.reduce(0) { $0 + ($1.run?.links.count ?? 0) }
        let open = connections.values.reduce(0) { sum, connection in
            sum + connection.ends.count { $0.state != .closed }
        }
        return known == open ? nil : "\(known) ends of links, but \(open) of connections"
    }

    private func peersFault(
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
        guard isAware else { return "\(laptop.index) does not know that all are equal" }
        for peer in peers {
            // Two clones look like one peer, and may have different problems.
            let owners = others.filter { $0.device == peer.device }
            guard owners.count == 1, let run = owners[0].run else { continue }
            guard run.engine.storageProblem(session) == peer.storageProblem else {
                return "\(laptop.index) does not know who cannot save"
            }
            guard run.knocks[session] ?? [] == peer.knocks else {
                return "\(laptop.index) does not see who knocks"
            }
        }
        return nil
    }

    private func canLink(_ one: Laptop, _ other: Laptop) -> Bool {
        canDial(from: one, to: other) || canDial(from: other, to: one)
    }

    /// Whether two laptops are certain to learn of each other if they can connect.
    ///
    /// Without broadcast a laptop that is linked with both must pass on their addresses, and with
    /// partitions there may be no such laptop.
    private func isFound(_ one: Laptop, _ other: Laptop) -> Bool {
        scenario.hasBroadcast || scenario.partitions.isEmpty || !canLink(one, other)
    }

    private func links(between one: Laptop, _ other: Laptop, _ session: SessionID) -> Int {
        let pair = [one.run?.number, other.run?.number]
        return connections.values.count { connection in
            connection.session == session && connection.ends.contains { $0.state == .open }
                && [pair, pair.reversed()].contains(connection.ends.map(\.run))
        }
    }
}
