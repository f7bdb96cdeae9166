import SessionCRDT
import SyncEngine
import SyncProtocol

/// Laptops that are switched on and off, and daemons that start and end.
extension Simulation {
    func addLaptop(_ index: Int, _ own: SeededGenerator) {
        var chance = own
        let clock = SimulatedClock(
            skew: chance.happens(70) ? 0 : Int64(chance.number(0...200_000)) - 100_000,
            drift: Int64(chance.number(0...400)) - 200,
            pausesInSleep: chance.happens(50),
            start: chance.number(0...1_000_000)
        )
        let device = DeviceID.random(using: &chance)
        laptops.append(Laptop(index: index, device: device, clock: clock, chance: chance))
    }

    /// Starts the daemon of a laptop.
    func start(_ laptop: Laptop) {
        guard laptop.run == nil, laptop.breakage != .off else { return }
        laptop.isOn = true
        laptop.isBlank = false
        laptop.isAsleep = false
        laptop.inbox = []
        laptop.clock.boot(at: now, start: laptop.chance.number(0...1_000_000))
        let device = Device(
            id: laptop.device,
            instance: InstanceID.random(using: &laptop.chance),
            name: "laptop-\(laptop.index)"
        )
        let engine = SyncEngine(device: device, generator: laptop.chance.branch())
        let run = Laptop.Run(nextRun(), engine)
        laptop.run = run
        trace.note(now, "\(laptop.index) starts run \(run.number)")
        let listens = Input.listening(port: laptop.endpoint.port)
        let isEarly = laptop.chance.happens(50)
        if isEarly { give(listens, to: laptop, run: run.number) }
        for session in laptop.disk.held { load(session, on: laptop, run) }
        if !isEarly { give(listens, to: laptop, run: run.number) }
    }

    /// Ends the daemon of a laptop; batches on their way may be on disk or not.
    func end(_ laptop: Laptop, _ end: EndOfRun) {
        guard let run = laptop.run else { return }
        trace.note(now, "\(laptop.index) ends run \(run.number): \(end)")
        if laptop.isAsleep { wake(laptop) }
        if end == .politely { give(.stopping, to: laptop, run: run.number) }
        dieWithStore(laptop, run, losingPower: end == .powerCut)
        for (session, flight) in run.inFlight.sorted(by: { $0.key < $1.key })
        where laptop.store == nil && laptop.chance.happens(50) {
            commit(flight.batch, session, on: laptop)
        }
        if end == .powerCut { losePower(laptop) }
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

    /// What a lying disk had not written is gone.
    private func losePower(_ laptop: Laptop) {
        guard let written = laptop.written else { return }
        laptop.written = nil
        setBack(laptop, to: written, isForgiven: scenario.sabotage != .reportsUnwritten)
    }

    /// A disk holds less than it did.
    func setBack(_ laptop: Laptop, to disk: Disk, isForgiven: Bool = true) {
        let before = laptop.disk
        laptop.disk = disk
        guard isForgiven else { return }
        for session in cast.sessions {
            forgive(session, of: before.sessions[session]?.vector)
        }
    }

    /// What only this disk had is lost by definition, but for what the engine promised.
    func forgive(_ session: SessionID, of before: VersionVector?, but promised: Set<Dot> = []) {
        guard let before else { return }
        let kept = laptops.compactMap { $0.disk.sessions[session]?.vector }
        checker.forgive(session, of: before, kept: kept, but: promised)
    }

    func sleep(_ laptop: Laptop) {
        guard laptop.run != nil, !laptop.isAsleep else { return }
        trace.note(now, "\(laptop.index) falls asleep")
        laptop.isAsleep = true
        laptop.clock.fallAsleep(at: now)
    }

    func wake(_ laptop: Laptop) {
        guard let run = laptop.run, laptop.isAsleep, laptop.breakage != .asleep else { return }
        trace.note(now, "\(laptop.index) wakes up")
        laptop.isAsleep = false
        laptop.clock.wake(at: now)
        let inbox = laptop.inbox
        laptop.inbox = []
        for waiting in inbox { give(waiting.input, to: laptop, run: waiting.run) }
        after(laptop.chance.number(0...300)) { $0.give(.resumed, to: laptop, run: run.number) }
    }

    /// Puts a batch on a laptop's disk.
    func commit(_ batch: Batch, _ session: SessionID, on laptop: Laptop) {
        guard laptop.disk.sessions[session] != nil else { return }
        laptop.disk.sessions[session]?.apply(batch)
        checker.committed(batch, session, by: laptop)
    }

    // MARK: Healing

    /// Ends everything that goes wrong, but for what stays broken.
    func heal() {
        trace.note(
            now,
            "everything heals but \(laptops.filter { $0.breakage != nil }.map(\.index))"
        )
        areFaultsOn = false
        weather = Weather()
        for laptop in laptops where laptop.isOn || laptop.run != nil || !laptop.isBlank {
            if laptop.breakage != .full { cure(laptop) }
            wake(laptop)
            if let run = laptop.run {
                give(.offline(false), to: laptop, run: run.number)
                for session in laptop.disk.held {
                    give(.inviteChanged(session, isOpen: false), to: laptop, run: run.number)
                }
            } else {
                start(laptop)
            }
        }
    }

    func cure(_ laptop: Laptop) {
        laptop.trouble = nil
        laptop.written = nil
    }
}
