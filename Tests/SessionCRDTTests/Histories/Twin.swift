import SessionCRDT

/// A device with the map under test, the reference, and the disk.
struct Twin {
    private(set) var map = StagedMap(CausalMap())
    /// Derived states: one updated always, one now and then.
    var followers = [Follower(), Follower()]
    var checks = 0
    private(set) var table = Table()
    private(set) var committed = NaiveReplica()
    private(set) var sealed: NaiveReplica?
    private var open: NaiveReplica?
    private var batch: Batch?
    private var clock = HybridClock()
    private var actor: ActorID
    private var sequence: UInt64 = 0
    private let device: DeviceID

    /// The state of the disk at some time.
    struct Snapshot {
        let map: CausalMap
        let table: Table
        let seen: NaiveReplica
    }

    init(device: DeviceID, actor: ActorID) {
        self.device = device
        self.actor = actor
    }

    /// Everything seen, on disk or not.
    var head: NaiveReplica { open ?? sealed ?? committed }

    /// The state of the disk now.
    var snapshot: Snapshot { Snapshot(map: map.committed, table: table, seen: committed) }

    /// Writes an entry for each mutation, all in one commit.
    mutating func write(_ mutations: [Mutation], physical: UInt64) -> [NaiveReplica.Write] {
        mutations.map { mutation in
            sequence += 1
            let entry = Entry(
                dot: Dot(actor: actor, sequence: sequence),
                stamp: clock.tick(physical: physical),
                author: device,
                value: mutation.value
            )
            map.write(entry, under: mutation.key)
            var head = self.head
            let write = head.write(entry, under: mutation.key)
            open = head
            return write
        }
    }

    /// Merges a delta, and returns whether it was applicable: all `required` writes have been seen.
    ///
    /// The reference adds everything that the sender had seen.
    mutating func merge(
        _ delta: Delta,
        of sender: NaiveReplica,
        required: [Dot]
    ) throws(Disagreement) -> Bool {
        do throws(DeltaError) {
            _ = try Delta(base: delta.base, upto: delta.upto, changes: delta.changes)
        } catch { throw Disagreement("an unsound delta: \(error)") }
        let isApplicable = required.allSatisfy { self.head.seen[$0] != nil }
        guard map.merge(delta) == isApplicable else {
            throw Disagreement("a delta was wrongly \(isApplicable ? "rejected" : "merged")")
        }
        guard isApplicable else { return false }
        for change in delta.changes {
            for entry in change.live { clock.observe(entry.stamp) }
        }
        var head = self.head
        head.join(sender)
        if head != self.head { open = head }
        return true
    }

    /// Seals a batch, if none is being written.
    mutating func seal() throws(Disagreement) {
        guard !map.isSealed else { return }
        batch = map.seal()
        guard (batch != nil) == (open != nil) else {
            throw Disagreement("a batch without changes, or changes without a batch")
        }
        sealed = open
        open = nil
    }

    /// The disk has written the batch.
    mutating func settle() throws(Disagreement) {
        try followers[0].follow(map, neverLate: true)
        try map.settleChecked()
        try write(batch)
        batch = nil
        committed = sealed ?? committed
        sealed = nil
    }

    /// The write of the batch failed, with an unknown result: a new actor continues.
    mutating func discard(newActor: ActorID) {
        let stale = map.draftCount
        map.discard()
        precondition(map.pendingChanges(after: stale) == nil, "discarded changes are continued")
        followers = [Follower(), Follower()]
        batch = nil
        sealed = nil
        open = nil
        start(as: newActor)
    }

    /// The daemon crashed while a batch was being written, and restarts from the disk.
    mutating func crash(
        diskHasBatch: Bool,
        newActor: ActorID,
        using random: inout some RandomNumberGenerator
    ) throws {
        if diskHasBatch, let sealed {
            try write(batch)
            committed = sealed
        }
        let stored = Snapshot(map: try table.read(using: &random), table: table, seen: committed)
        restore(stored, newActor: newActor)
    }

    /// The disk is restored from a backup of this or another device.
    mutating func restore(_ snapshot: Snapshot, newActor: ActorID) {
        discard(newActor: newActor)
        map = StagedMap(snapshot.map)
        table = snapshot.table
        committed = snapshot.seen
    }

    private mutating func start(as newActor: ActorID) {
        actor = newActor
        sequence = 0
        clock = HybridClock()
    }

    private mutating func write(_ batch: Batch?) throws(Disagreement) {
        guard let batch else { return }
        try table.apply(batch)
        let logged = Set(batch.journal.map(\.entry.dot))
        let replaced = Set(batch.journal.flatMap(\.replaced).map(\.dot))
        guard batch.inserted.allSatisfy({ logged.contains($0.entry.dot) }),
            batch.removed.allSatisfy(replaced.contains)
        else { throw Disagreement("the journal lacks something in its batch") }
    }
}
