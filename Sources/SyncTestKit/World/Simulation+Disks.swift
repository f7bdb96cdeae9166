package import SessionCRDT

/// A real store below a simulated disk: what it says it has is held against what it was given.
package protocol BackingStore: AnyObject {
    /// Puts a session without entries in it.
    func add(_ session: SessionID)
    /// Takes a session out of it.
    func remove(_ session: SessionID)
    /// Gives it a batch, while there is no room where `isFull`; whether it says that it has it.
    func commit(_ batch: Batch, _ session: SessionID, isFull: Bool) -> Bool
    /// What it has of a session, or why it cannot say.
    func load(_ session: SessionID) throws -> ReplicaSnapshot
    /// The process dies, with a batch on its way where there is one.
    func die(during batch: Batch?, of session: SessionID, losingPower: Bool, seed: UInt64)
}

/// Real stores below the disks of the laptops.
extension Simulation {
    /// Puts a batch on a laptop's disk; whether it is there.
    func store(_ batch: Batch, _ session: SessionID, on laptop: Laptop) -> Bool {
        let isFull = laptop.trouble == .full
        guard let store = laptop.store else { return !isFull }
        let isSaid = store.commit(batch, session, isFull: isFull)
        if !isSaid, !isFull { checker.complain("a sound disk refused a batch") }
        return isSaid
    }

    /// The process of a laptop dies while batches are on their way: what its store has then is
    /// all that it was said to have, and of these batches all or nothing.
    func dieWithStore(_ laptop: Laptop, _ run: Laptop.Run, losingPower: Bool) {
        guard let store = laptop.store else { return }
        let flights = run.inFlight.sorted { $0.key < $1.key }
        let flight = flights.first
        store.die(
            during: flight?.value.batch,
            of: flight?.key ?? SessionID(high: 0, low: 0),
            losingPower: losingPower,
            seed: laptop.chance.next()
        )
        for session in laptop.disk.held {
            let isPending = session == flight?.key
            checkStore(store, session, of: laptop, pending: isPending ? flight?.value.batch : nil)
        }
    }

    /// Whether a store has what it said to have, or that and the pending batch.
    func checkStore(
        _ store: any BackingStore,
        _ session: SessionID,
        of laptop: Laptop,
        pending batch: Batch? = nil
    ) {
        do {
            let found = try store.load(session)
            if laptop.disk.sessions[session]?.holds(found) == true { return }
            guard let batch else {
                return checker.complain("the store of \(laptop.index) has not what it said to have")
            }
            commit(batch, session, on: laptop)
            guard laptop.disk.sessions[session]?.holds(found) == false else { return }
            checker.complain("the store of \(laptop.index) has half of a batch")
        } catch { checker.complain("the store of \(laptop.index) cannot be read: \(error)") }
    }
}

/// Disks that give back something else than was written.
extension Simulation {
    /// Ends the daemon and changes something on its disk; it starts again at once.
    func rot(_ laptop: Laptop, _ rot: Rot, seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        guard let session = chance.pick(laptop.disk.held),
            var stored = laptop.disk.sessions[session],
            let dot = chance.pick(stored.entries.keys.sorted()), let before = stored.entries[dot]
        else { return }
        end(laptop, .powerCut)
        checker.note(.rot)
        checker.rotted(before.key)
        switch rot {
        case .value:
            let value = Value.integer(Int64(chance.number(0...1_000)))
            let entry = Entry(
                dot: dot,
                stamp: before.entry.stamp,
                author: before.entry.author,
                value: value
            )
            stored.entries[dot] = KeyedEntry(key: before.key, entry: entry)
        case .entry: stored.entries[dot] = nil
        case .key:
            guard let other = chance.pick(stored.entries.values.map(\.key).sorted()) else { break }
            checker.rotted(other)
            stored.entries[dot] = KeyedEntry(key: other, entry: before.entry)
        case .vector:
            let last = stored.sequences[dot.actor, default: 0]
            let next = last + chance.number(1...3)
            stored.sequences[dot.actor] = next
            for sequence in last + 1...next {
                checker.phantoms.insert(Dot(actor: dot.actor, sequence: sequence))
            }
        }
        laptop.disk.sessions[session] = stored
        laptop.everDurable[session, default: VersionVector()].join(stored.vector)
        after(chance.number(50...4_000)) { $0.start(laptop) }
    }
}
