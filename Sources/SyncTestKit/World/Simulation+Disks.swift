package import SessionCRDT

/// A real store that receives the commits of a simulated disk, to check that it keeps what it
/// confirms.
package protocol BackingStore: AnyObject {
    func add(_ session: SessionID)
    func remove(_ session: SessionID)
    /// Stores a batch, without free space if `isFull`; returns whether the store reports success.
    func commit(_ batch: Batch, _ session: SessionID, isFull: Bool) -> Bool
    func load(_ session: SessionID) throws -> ReplicaSnapshot
    /// Crashes the store, during the commit of a batch if there is one.
    func die(during batch: Batch?, of session: SessionID, losingPower: Bool, seed: UInt64)
}

extension Simulation {
    /// Stores a batch in the real store, if there is one; returns whether that succeeded.
    func store(_ batch: Batch, _ session: SessionID, on laptop: Laptop) -> Bool {
        let isFull = laptop.trouble == .full
        guard let store = laptop.store else { return !isFull }
        let isStored = store.commit(batch, session, isFull: isFull)
        if !isStored, !isFull { checker.fail("a sound disk refused a batch") }
        return isStored
    }

    func commit(_ batch: Batch, _ session: SessionID, on laptop: Laptop) {
        guard laptop.disk.sessions[session] != nil else { return }
        laptop.disk.sessions[session]?.apply(batch)
        checker.committed(batch, session, by: laptop)
    }

    /// Crashes the store of a laptop; it must then hold everything that it confirmed, and each
    /// batch on its way completely or not at all.
    func crashStore(of laptop: Laptop, _ run: Laptop.Run, losingPower: Bool) {
        guard let store = laptop.store else { return }
        let flight = run.inFlight.min { $0.key < $1.key }
        store.die(
            during: flight?.value.batch,
            of: flight?.key ?? SessionID(high: 0, low: 0),
            losingPower: losingPower,
            seed: laptop.random.next()
        )
        for session in laptop.disk.held {
            let pending = session == flight?.key ? flight?.value.batch : nil
            checkStore(store, session, of: laptop, pending: pending)
        }
    }

    func checkStore(
        _ store: any BackingStore,
        _ session: SessionID,
        of laptop: Laptop,
        pending batch: Batch? = nil
    ) {
        do {
            let found = try store.load(session)
            if laptop.disk.sessions[session]?.equals(found) == true { return }
            guard let batch else {
                return checker.fail("the store of \(laptop.index) lost what it confirmed")
            }
            commit(batch, session, on: laptop)
            guard laptop.disk.sessions[session]?.equals(found) == false else { return }
            checker.fail("the store of \(laptop.index) has half of a batch")
        } catch { checker.fail("the store of \(laptop.index) cannot be read: \(error)") }
    }

    func rollBack(_ laptop: Laptop, to disk: Disk, isForgiven: Bool = true) {
        let before = laptop.disk
        laptop.disk = disk
        guard isForgiven else { return }
        for session in cast.sessions {
            recordLoss(session, ofDiskAt: before.sessions[session]?.vector)
        }
    }

    /// Accepts the loss of writes that only this disk had, except those of which the engine
    /// promised that others have them.
    func recordLoss(
        _ session: SessionID,
        ofDiskAt before: VersionVector?,
        promised: Set<Dot> = []
    ) {
        guard let before else { return }
        let kept = laptops.compactMap { $0.disk.sessions[session]?.vector }
        checker.recordLoss(session, ofDiskAt: before, keptBy: kept, promised: promised)
    }

    func repairDisk(of laptop: Laptop) {
        laptop.trouble = nil
        laptop.written = nil
    }

    /// Stops the daemon, corrupts its disk, and starts it again soon after.
    func corrupt(_ laptop: Laptop, _ part: Corruption, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        guard let session = random.pick(laptop.disk.held),
            var stored = laptop.disk.sessions[session],
            let dot = random.pick(stored.entries.keys.sorted()), let before = stored.entries[dot]
        else { return }
        end(laptop, .powerCut)
        checker.record(.rot)
        checker.rottedKeys.insert(before.key)
        switch part {
        case .value:
            let value = Value.integer(Int64(random.next(in: 0...1_000)))
            let (stamp, author) = (before.entry.stamp, before.entry.author)
            let entry = Entry(dot: dot, stamp: stamp, author: author, value: value)
            stored.entries[dot] = KeyedEntry(key: before.key, entry: entry)
        case .entry: stored.entries[dot] = nil
        case .key:
            guard let other = random.pick(stored.entries.values.map(\.key).sorted()) else { break }
            checker.rottedKeys.insert(other)
            stored.entries[dot] = KeyedEntry(key: other, entry: before.entry)
        case .vector:
            let last = stored.sequences[dot.actor, default: 0]
            let next = last + random.next(in: 1...3)
            stored.sequences[dot.actor] = next
            for sequence in last + 1...next {
                checker.phantoms.insert(Dot(actor: dot.actor, sequence: sequence))
            }
        }
        laptop.disk.sessions[session] = stored
        laptop.everDurable[session, default: VersionVector()].join(stored.vector)
        after(random.next(in: 50...4_000)) { $0.start(laptop) }
    }
}
