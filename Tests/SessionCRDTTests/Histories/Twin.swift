import SessionCRDT

/// One device twice: the map under test beside the reference, with the disk that both write to.
struct Twin {
    private(set) var map = StagedMap(CausalMap())
    /// What follows from the head: one always, one from time to time.
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

    /// What was on disk at some time.
    struct Snapshot {
        let map: CausalMap
        let table: Table
        let seen: NaiveReplica
    }

    init(device: DeviceID, actor: ActorID) {
        self.device = device
        self.actor = actor
    }

    /// What has been seen, on disk or not.
    var head: NaiveReplica { open ?? sealed ?? committed }

    /// What is on disk now.
    var snapshot: Snapshot { Snapshot(map: map.committed, table: table, seen: committed) }

    /// Makes a write of each wish, all in one commit.
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

    /// Takes in what a peer sent, if it fits: if all `required` writes have been seen.
    ///
    /// The reference sees what the sender had seen. Tells whether it fitted.
    mutating func merge(
        _ delta: Delta,
        of sender: NaiveReplica,
        required: [Dot]
    ) throws(Disagreement) -> Bool {
        do throws(DeltaError) {
            _ = try Delta(base: delta.base, upto: delta.upto, changes: delta.changes)
        } catch { throw Disagreement("an unsound delta was made: \(error)") }
        let fits = required.allSatisfy { self.head.seen[$0] != nil }
        guard map.merge(delta) == fits else {
            throw Disagreement("a delta was \(fits ? "refused" : "taken"), and should not be")
        }
        guard fits else { return false }
        for change in delta.changes {
            for entry in change.live { clock.observe(entry.stamp) }
        }
        var head = self.head
        head.join(sender)
        if head != self.head { open = head }
        return true
    }

    /// Closes a batch, if none is on its way.
    mutating func seal() throws(Disagreement) {
        guard !map.isSealed else { return }
        batch = map.seal()
        guard (batch != nil) == (open != nil) else {
            throw Disagreement("a batch was made of nothing, or none of something")
        }
        sealed = open
        open = nil
    }

    /// The disk has the batch.
    mutating func settle() throws(Disagreement) {
        try followers[0].follow(map, neverLate: true)
        try map.settleChecked()
        try write(batch)
        batch = nil
        committed = sealed ?? committed
        sealed = nil
    }

    /// The disk has not got the batch, and nobody knows what it has: another actor writes on.
    mutating func discard(freshActor: ActorID) {
        let stale = map.draftCount
        map.discard()
        precondition(map.drafted(after: stale) == nil, "what was discarded is gone on from")
        followers = [Follower(), Follower()]
        batch = nil
        sealed = nil
        open = nil
        become(freshActor)
    }

    /// The daemon died while a batch was on its way, and starts again from the disk.
    mutating func crash(
        diskHasBatch: Bool,
        freshActor: ActorID,
        using random: inout some RandomNumberGenerator
    ) throws {
        if diskHasBatch, let sealed {
            try write(batch)
            committed = sealed
        }
        let kept = Snapshot(map: try table.read(using: &random), table: table, seen: committed)
        restore(kept, freshActor: freshActor)
    }

    /// The disk is what it once was, here or on another device.
    mutating func restore(_ snapshot: Snapshot, freshActor: ActorID) {
        discard(freshActor: freshActor)
        map = StagedMap(snapshot.map)
        table = snapshot.table
        committed = snapshot.seen
    }

    private mutating func become(_ freshActor: ActorID) {
        actor = freshActor
        sequence = 0
        clock = HybridClock()
    }

    private mutating func write(_ batch: Batch?) throws(Disagreement) {
        guard let batch else { return }
        try table.apply(batch)
        let told = Set(batch.journal.map(\.entry.dot))
        let replaced = Set(batch.journal.flatMap(\.replaced).map(\.dot))
        guard batch.inserted.allSatisfy({ told.contains($0.entry.dot) }),
            batch.removed.allSatisfy(replaced.contains)
        else { throw Disagreement("the journal does not tell of everything in its batch") }
    }
}
