package import SessionCRDT
package import SyncProtocol

/// What the engine knows about a peer, for people to look at.
package struct PeerStatus: Hashable, Sendable {
    /// The device.
    package let device: DeviceID
    /// What people call it.
    package let name: String
    /// Where it listens.
    package let endpoint: Endpoint
    /// How far its clock is ahead, in milliseconds.
    package let skew: Int64
    /// On which side of the link this device is.
    package let side: LinkSide
    /// When it was opened, by the uptime of this run.
    package let linkedAt: UInt64
    /// Whether it has on disk what this device has on disk, and nothing else.
    package let isSynced: Bool
}

/// The data of the sessions held here, by session: a view, which copies nothing.
package struct HeldReplicas: Sequence {
    private let sessions: [SessionID: HeldSession]

    init(_ sessions: [SessionID: HeldSession]) { self.sessions = sessions }

    /// The data of a session; nil where it is not held.
    package subscript(session: SessionID) -> Replica? { sessions[session]?.replica }

    /// All of them, in no order.
    package func makeIterator() -> AnyIterator<(key: SessionID, value: Replica)> {
        AnyIterator(sessions.lazy.map { (key: $0, value: $1.replica) }.makeIterator())
    }
}

/// Answers to questions; none of these changes anything.
extension SyncEngine {
    /// The peers linked in a session, each device once, by device.
    package func peers(_ session: SessionID) -> [PeerStatus] {
        var byDevice: [DeviceID: PeerStatus] = [:]
        guard let held = sessions[session] else { return [] }
        let vector = held.replica.committed.vector
        for link in held.links.all {
            guard let peer = link.peer, let endpoint = link.listening else { continue }
            byDevice[peer.device] = PeerStatus(
                device: peer.device,
                name: peer.name,
                endpoint: endpoint,
                skew: peer.skew,
                side: link.side,
                linkedAt: link.openedAt,
                isSynced: link.isSynced(with: vector)
            )
        }
        return byDevice.values.sorted { $0.device < $1.device }
    }

    /// Whether at least one peer is linked, all linked peers have the same as this device and owe
    /// no answer, and nothing waits for the disk.
    ///
    /// A finished session closes its links once that is so; then it is enough that another device
    /// has everything.
    package func isSynced(_ session: SessionID) -> Bool {
        guard let held = sessions[session], held.replica.isSettled else { return false }
        let vector = held.replica.committed.vector
        let links = held.links.greeted
        guard !links.isEmpty else {
            return held.replica.isFinished && held.replica.acknowledged.covers(vector)
        }
        return links.allSatisfy { $0.isSynced(with: vector) }
    }

    /// Whether this device made writes of any kind that are not known to be on another device.
    package func hasUnsyncedWrites(_ session: SessionID) -> Bool {
        guard let replica = sessions[session]?.replica else { return false }
        guard replica.isSettled else { return true }
        let news = replica.committed.delta(since: replica.acknowledged)
        return news?.changes.contains { change in
            // A device's own name is written again wherever it writes.
            if case .device = change.key { return false }
            return change.live.contains {
                $0.author == device.id && !replica.acknowledged.covers($0.dot)
            }
        } ?? false
    }

    /// How many live cells were written on this device and are not known to be on another.
    package func unsyncedCells(_ session: SessionID) -> Int {
        guard let replica = sessions[session]?.replica,
            let news = replica.committed.delta(since: replica.acknowledged)
        else { return 0 }
        return news.changes.count { change in
            guard case .cell = change.key else { return false }
            return change.live.contains {
                $0.author == device.id && !replica.acknowledged.covers($0.dot)
            }
        }
    }
}
