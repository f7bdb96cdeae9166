import SessionCRDT

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
