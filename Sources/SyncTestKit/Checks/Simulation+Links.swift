import SessionCRDT
import SyncEngine

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
