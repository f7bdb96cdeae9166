import SessionCRDT
import SyncEngine
import SyncProtocol

extension Simulation {
    func addLaptop(_ index: Int, _ own: SeededGenerator) {
        var random = own
        let clock = SimulatedClock(
            skew: random.happens(70) ? 0 : Int64(random.next(in: 0...200_000)) - 100_000,
            drift: Int64(random.next(in: 0...400)) - 200,
            pausesInSleep: random.happens(50),
            start: random.next(in: 0...1_000_000)
        )
        let device = DeviceID.random(using: &random)
        laptops.append(Laptop(index: index, device: device, clock: clock, random: random))
    }

    func start(_ laptop: Laptop) {
        guard laptop.run == nil, laptop.breakage != .off else { return }
        (laptop.isOn, laptop.isBlank, laptop.isAsleep) = (true, false, false)
        laptop.inbox = []
        laptop.clock.boot(at: now, start: laptop.random.next(in: 0...1_000_000))
        let device = Device(
            id: laptop.device,
            instance: InstanceID.random(using: &laptop.random),
            name: "laptop-\(laptop.index)"
        )
        let engine = SyncEngine(device: device, generator: laptop.random.branch())
        let run = Laptop.Run(next(\.run), engine)
        laptop.run = run
        trace.log(now, "\(laptop.index) starts run \(run.number)")
        let listening = Input.listening(port: laptop.endpoint.port)
        let isEarly = laptop.random.happens(50)
        if isEarly { deliver(listening, to: laptop) }
        for session in laptop.disk.held { load(session, on: laptop, run) }
        if !isEarly { deliver(listening, to: laptop) }
    }

    /// Ends the daemon of a laptop; batches on their way may or may not reach the disk.
    func end(_ laptop: Laptop, _ end: EndOfRun) {
        guard let run = laptop.run else { return }
        trace.log(now, "\(laptop.index) ends run \(run.number): \(end)")
        if laptop.isAsleep { wake(laptop) }
        if end == .politely { deliver(.stopping, to: laptop) }
        crashStore(of: laptop, run, losingPower: end == .powerCut)
        for (session, flight) in run.inFlight.sorted(by: { $0.key < $1.key })
        where laptop.store == nil && laptop.random.happens(50) {
            commit(flight.batch, session, on: laptop)
        }
        if end == .powerCut, let written = laptop.written {
            // A lying disk loses the writes that it confirmed but never stored.
            laptop.written = nil
            rollBack(laptop, to: written, isForgiven: scenario.sabotage != .reportsUnwritten)
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
        trace.log(now, "\(laptop.index) falls asleep")
        laptop.isAsleep = true
        laptop.clock.fallAsleep(at: now)
    }

    func wake(_ laptop: Laptop) {
        guard let run = laptop.run, laptop.isAsleep, laptop.breakage != .asleep else { return }
        trace.log(now, "\(laptop.index) wakes up")
        laptop.isAsleep = false
        laptop.clock.wake(at: now)
        let inbox = laptop.inbox
        laptop.inbox = []
        for waiting in inbox { deliver(waiting.input, to: laptop, run: waiting.run) }
        after(laptop.random.next(in: 0...300)) { $0.deliver(.resumed, to: laptop, run: run.number) }
    }

    /// Ends all faults, except on laptops that stay broken.
    func heal() {
        trace.log(now, "everything heals but \(laptops.filter { $0.breakage != nil }.map(\.index))")
        areFaultsOn = false
        network = NetworkConditions()
        for laptop in laptops where laptop.isOn || laptop.run != nil || !laptop.isBlank {
            if laptop.breakage != .full { repairDisk(of: laptop) }
            wake(laptop)
            guard laptop.run != nil else {
                start(laptop)
                continue
            }
            deliver(.offline(false), to: laptop)
            for session in laptop.disk.held {
                deliver(.inviteChanged(session, isOpen: false), to: laptop)
            }
        }
    }
}
