import SessionCRDT
import SyncEngine
import SyncProtocol

/// How the world begins, and people who write.
extension Simulation {
    /// Sets the laptops up: the first creates the sessions, the others have joined.
    func begin() {
        for _ in 0..<scenario.laptops { addLaptop() }
        for laptop in laptops {
            for session in workload.sessions {
                var stored = Disk.Session()
                // Without broadcast each knows one that was there before.
                if !scenario.hasBroadcast, laptop.index > 0 {
                    let other = laptops[chance.index(below: laptop.index)]
                    stored.addresses[other.endpoint] = KnownAddress(
                        endpoint: other.endpoint,
                        device: nil,
                        isTyped: true
                    )
                }
                laptop.disk.sessions[session] = stored
            }
            after(chance.number(0...2_000)) { $0.start(laptop) }
        }
        after(2_000) { simulation in
            for session in simulation.workload.sessions {
                simulation.write(
                    simulation.workload.creation(),
                    in: session,
                    on: simulation.laptops[0]
                )
            }
            simulation.writeOn()
            simulation.strike()
        }
    }

    /// Lets somebody write something, and plans the next.
    private func writeOn() {
        guard areWritesOn else { return }
        after(chance.number(1...2 * scenario.writePause)) { $0.writeOn() }
        guard let laptop = chance.pick(laptops.filter(\.isActive)),
            let session = chance.pick(laptop.disk.held)
        else { return }
        let count = chance.happens(10) ? 10 : 1
        for _ in 0..<count {
            write(workload.next(using: &chance), in: session, on: laptop)
        }
    }

    func write(_ mutations: [Mutation], in session: SessionID, on laptop: Laptop) {
        guard let run = laptop.run, !laptop.isAsleep,
            let journal = laptop.disk.sessions[session]?.journal
        else { return }
        let request = RequestID(workload.nextRequest())
        run.writes[request] = Laptop.PendingWrite(
            session: session,
            mutations: mutations,
            journalLength: journal.count
        )
        give(.write(request, session, mutations), to: laptop, run: run.number)
    }
}
