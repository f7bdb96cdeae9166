import SessionCRDT
import SyncEngine
import SyncProtocol

/// Laptops that are switched on and off, and daemons that start and end.
extension Simulation {
    @discardableResult
    func addLaptop(device: DeviceID? = nil, disk: Disk = Disk()) -> Laptop {
        let clock = SimulatedClock(
            skew: chance.happens(70) ? 0 : Int64(chance.number(0...200_000)) - 100_000,
            drift: Int64(chance.number(0...400)) - 200,
            pausesInSleep: chance.happens(50),
            start: chance.number(0...1_000_000)
        )
        let laptop = Laptop(
            index: laptops.count,
            device: device ?? DeviceID.random(using: &chance),
            address: freeAddresses.first ?? 0,
            clock: clock,
            disk: disk
        )
        laptops.append(laptop)
        return laptop
    }

    /// The addresses that nobody has, of those that the network gives out.
    var freeAddresses: [UInt32] {
        (1...12).map { 0x0A00_0000 + UInt32($0) }
            .filter { address in laptops.allSatisfy { $0.address != address } }
    }

    /// Starts the daemon of a laptop.
    func start(_ laptop: Laptop) {
        guard laptop.run == nil else { return }
        laptop.isOn = true
        laptop.isAsleep = false
        laptop.inbox = []
        laptop.clock.boot(at: now, start: chance.number(0...1_000_000))
        let device = Device(
            id: laptop.device,
            instance: InstanceID.random(using: &chance),
            name: "laptop-\(laptop.index)"
        )
        let engine = SyncEngine(device: device, generator: chance.branch())
        let run = Laptop.Run(nextRun(), engine)
        laptop.run = run
        trace.note(now, "\(laptop.index) starts run \(run.number)")
        var inputs = laptop.disk.held.compactMap { session in
            laptop.disk.sessions[session].map { Input.opened(session, $0.opened) }
        }
        let port = Input.listening(port: laptop.endpoint.port)
        inputs.insert(port, at: chance.happens(50) ? 0 : inputs.count)
        for input in inputs { give(input, to: laptop, run: run.number) }
    }

    /// Ends the daemon of a laptop; batches on their way may be on disk or not.
    func end(_ laptop: Laptop, _ end: EndOfRun) {
        guard let run = laptop.run else { return }
        trace.note(now, "\(laptop.index) ends run \(run.number): \(end)")
        if laptop.isAsleep { wake(laptop) }
        if end == .politely { give(.stopping, to: laptop, run: run.number) }
        for (session, flight) in run.inFlight.sorted(by: { $0.key < $1.key })
        where chance.happens(50) {
            commit(flight.batch, session, on: laptop)
        }
        laptop.run = nil
        laptop.isAsleep = false
        laptop.isOn = end != .powerCut
        for (number, connection) in connections.sorted(by: { $0.key < $1.key }) {
            for side in [0, 1] where connection.ends[side].run == run.number {
                connections[number]?.ends[side].state = .closed
                if end == .powerCut {
                    connections[number]?.streams[side].parcels = []
                } else {
                    put(.end, into: number, from: side)
                }
            }
        }
    }

    func sleep(_ laptop: Laptop) {
        guard laptop.run != nil, !laptop.isAsleep else { return }
        trace.note(now, "\(laptop.index) falls asleep")
        laptop.isAsleep = true
        laptop.clock.fallAsleep(at: now)
    }

    func wake(_ laptop: Laptop) {
        guard let run = laptop.run, laptop.isAsleep else { return }
        trace.note(now, "\(laptop.index) wakes up")
        laptop.isAsleep = false
        laptop.clock.wake(at: now)
        let inbox = laptop.inbox
        laptop.inbox = []
        for waiting in inbox { give(waiting.input, to: laptop, run: waiting.run) }
        after(chance.number(0...300)) { $0.give(.woke, to: laptop, run: run.number) }
    }

    /// Puts a batch on a laptop's disk.
    func commit(_ batch: Batch, _ session: SessionID, on laptop: Laptop) {
        guard laptop.disk.sessions[session] != nil else { return }
        laptop.disk.sessions[session]?.apply(batch)
        checker.committed(batch, session, by: laptop)
    }
}

/// How a daemon ends.
enum EndOfRun {
    /// It says goodbye.
    case politely
    /// The process is killed; the machine goes on and resets its connections.
    case killed
    /// The machine is off at once.
    case powerCut
}
