package import SessionCRDT
import SyncProtocol

/// One session on this device: its data, who writes it here, and what is on its way to disk.
package struct Replica: Sendable {
    /// What the changes on their way to disk were made for.
    struct Waiting: Sendable {
        /// The local writes to answer.
        var requests: [RequestID] = []
        /// The links whose delta is in it, to acknowledge; each once, in order of arrival.
        var links: [LinkID] = []
    }

    /// The session.
    package let session: SessionID
    /// The data, on disk and on its way there.
    package private(set) var map: StagedMap
    /// What any other device is known to have on disk.
    package internal(set) var acknowledged: VersionVector
    /// Whether somebody can join here with a code.
    var isInviting = false
    /// When to read the session from disk again, while what the disk holds is unknown.
    var reloadAt: UInt64?
    /// Whether the disk is trusted; it is not between a failed commit and the next load.
    private(set) var isReadable = true
    /// The batch on its way.
    private(set) var batch: BatchID?

    private var clock = HybridClock()
    private var actor: ActorID?
    private var minted: UInt64 = 0
    private var open = Waiting()
    private var sealed = Waiting()

    /// The session as a store held it.
    init(_ session: SessionID, _ opened: OpenedSession) throws(CausalMapError) {
        self.session = session
        let committed = try CausalMap(
            entries: opened.replica.entries,
            vector: opened.replica.vector
        )
        map = StagedMap(committed)
        acknowledged = opened.acknowledged
        for stored in opened.replica.entries { clock.observe(stored.entry.stamp) }
    }

    /// What this device has on disk and may tell.
    package var committed: CausalMap { map.committed }

    /// Whether the session is finished, by what is on disk.
    package var isFinished: Bool {
        committed[.session(Field.status)]?.winner.value == .text("finished")
    }

    /// Whether nothing waits for the disk.
    var isSettled: Bool { batch == nil && !map.hasOpenChanges }

    /// Whether the session takes no further writes because it has become too large.
    var isFull: Bool {
        let needsActor = actor == nil && map.headVector.count >= Limits.actors
        return committed.tally.bytes > Limits.sessionBytes || needsActor
    }

    // MARK: Local writes

    /// Makes the mutations one commit by this device.
    mutating func write(
        _ mutations: [Mutation],
        for request: RequestID,
        by device: Device,
        at now: Moment,
        using generator: inout some RandomNumberGenerator
    ) {
        open.requests.append(request)
        let stamp = clock.tick(physical: now.wall)
        var commit = mutations
        let name = Mutation.device(device.id, name: device.name)
        if map.head(name.key)?.winner.value != name.value { commit.append(name) }
        for mutation in commit {
            let dot = mint(using: &generator)
            let entry = Entry(
                dot: dot,
                stamp: stamp,
                author: device.id,
                value: mutation.value
            )
            map.write(entry, under: mutation.key)
        }
    }

    /// The next dot of this run's actor, who is born with the first one.
    private mutating func mint(using generator: inout some RandomNumberGenerator) -> Dot {
        if actor == nil || minted == Dot.lastSequence {
            actor = nil
            minted = 0
        }
        let minter = actor ?? ActorID.random(using: &generator)
        actor = minter
        minted += 1
        return Dot(actor: minter, sequence: minted)
    }

    // MARK: What peers send

    /// What became of a peer's delta.
    enum MergeOutcome {
        /// All of it is on disk already, or now staged; then the link waits for the disk.
        case taken
        /// Something before it is missing here.
        case gap
    }

    /// Takes in a delta that came by the link.
    mutating func merge(_ delta: Delta, from link: LinkID) -> MergeOutcome {
        if let actor, delta.upto[actor] > minted {
            // Somebody else writes as this run: a cloned memory or a forger. Be somebody new.
            self.actor = nil
        }
        guard map.merge(delta) else { return .gap }
        for change in delta.changes {
            for entry in change.live { clock.observe(entry.stamp) }
        }
        guard !isSettled else { return .taken }
        if map.hasOpenChanges {
            if !open.links.contains(link) { open.links.append(link) }
        } else if !sealed.links.contains(link) {
            sealed.links.append(link)
        }
        return .taken
    }

    /// Forgets that the link waits for the disk.
    mutating func forget(_ link: LinkID) {
        open.links.removeAll { $0 == link }
        sealed.links.removeAll { $0 == link }
    }

    /// The writes that will not be answered by the disk any more, because the session is left.
    var unanswered: [RequestID] { sealed.requests + open.requests }

    // MARK: The disk

    /// Closes what is open into a batch, unless one is on its way or there is nothing.
    mutating func seal(as next: BatchID) -> Batch? {
        guard batch == nil, let changes = map.seal() else { return nil }
        batch = next
        sealed = open
        open = Waiting()
        return changes
    }

    /// The disk has the batch; returns who waited for it, and what it changed.
    mutating func settle() -> (waiting: Waiting, changes: [KeyChange]) {
        let changes = map.settle()
        batch = nil
        defer { sealed = Waiting() }
        return (sealed, changes)
    }

    /// The disk refused the batch; returns the writes that were not made.
    ///
    /// What the disk holds is unknown until the session is read again, and the actor may have dots
    /// there that were never told: it is not used again.
    mutating func discard() -> [RequestID] {
        map.discard()
        batch = nil
        actor = nil
        isReadable = false
        let requests = unanswered
        sealed = Waiting()
        open = Waiting()
        return requests
    }
}
