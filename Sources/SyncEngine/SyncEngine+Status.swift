package import SessionCRDT
package import SyncProtocol

/// A linked peer, as users see it.
package struct PeerStatus: Hashable, Sendable {
    package let device: DeviceID
    package let name: String
    /// The address on which the peer listens.
    package let endpoint: Endpoint
    /// The milliseconds by which the peer's clock is ahead.
    package let skew: Int64
    package let side: LinkSide
    /// The uptime at which the link was opened.
    package let linkedAt: UInt64
    /// Whether the peer's state on disk equals this device's.
    package let isSynced: Bool
    /// The reason why the peer cannot save the session; nil if it can.
    package let storageProblem: StorageProblem?
    /// The laptops that wait at the peer to be admitted.
    package let knocks: [Knock]
}

/// A view of the replicas of all sessions, without copying them.
package struct HeldReplicas: Sequence {
    private let sessions: [SessionID: HeldSession]

    init(_ sessions: [SessionID: HeldSession]) { self.sessions = sessions }

    package subscript(session: SessionID) -> Replica? { sessions[session]?.replica }

    /// Iterates over all sessions in no particular order.
    package func makeIterator() -> AnyIterator<(key: SessionID, value: Replica)> {
        AnyIterator(sessions.lazy.map { (key: $0, value: $1.replica) }.makeIterator())
    }
}

extension SyncEngine {
    /// Returns the linked peers of a session, each device once, sorted by device.
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
                isSynced: link.isSynced(with: vector),
                storageProblem: peer.storageProblem,
                knocks: peer.knocks
            )
        }
        return byDevice.values.sorted { $0.device < $1.device }
    }

    /// The devices that run twice as far as links tell, because a home was copied.
    package var clonedDevices: Set<DeviceID> {
        var cloned: Set<DeviceID> = []
        for session in sessions.values {
            var instances = [device.id: device.instance]
            for peer in session.links.greeted.compactMap(\.peer) {
                let other = instances.updateValue(peer.instance, forKey: peer.device)
                if let other, other != peer.instance { cloned.insert(peer.device) }
            }
        }
        return cloned
    }

    /// Returns the reason why this device cannot save a session; nil if its last write was saved.
    package func storageProblem(_ session: SessionID) -> StorageProblem? {
        sessions[session]?.storageProblem
    }

    /// Whether at least one peer is linked, all linked peers have the same state and owe no answer,
    /// and nothing is on its way to disk.
    ///
    /// A finished session closes its links once that is so; then it suffices that another device
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

    /// Returns the devices that are known to have the same state of a finished session, whose links
    /// are closed; nil for an open session.
    package func upToDate(_ session: SessionID) -> UpToDateDevices? {
        guard let held = sessions[session], held.replica.isFinished else { return nil }
        let digest = held.replica.committed.tally.digest
        return UpToDateDevices(digest: digest, devices: held.contacts.upToDate)
    }

    /// Whether this device made writes that no other device is known to have.
    package func hasUnsyncedWrites(_ session: SessionID) -> Bool {
        guard let replica = sessions[session]?.replica else { return false }
        guard replica.isSettled else { return true }
        return unsynced(replica).contains { change in
            // The device's name does not count: it is written again in every session that it writes
            // to.
            if case .device = change.key { false } else { true }
        }
    }

    /// Returns the number of cells whose shown or conflicting values this device wrote and no other
    /// device is known to have.
    package func unsyncedCells(_ session: SessionID) -> Int {
        guard let replica = sessions[session]?.replica else { return 0 }
        return unsynced(replica).count { change in
            if case .cell = change.key { true } else { false }
        }
    }

    /// Returns the keys with live writes of this device that no other device is known to have.
    private func unsynced(_ replica: Replica) -> some Sequence<KeyedLiveSet> {
        let news = replica.committed.delta(since: replica.acknowledged)?.changes ?? []
        return news.lazy.filter { change in
            change.live.contains { $0.author == device.id && !replica.acknowledged.covers($0.dot) }
        }
    }
}
