import SessionCRDT
import SyncEngine
import SyncProtocol

/// What goes wrong while people write, and how each of it passes.
extension Simulation {
    /// Lets one thing go wrong, and plans the next.
    func strike() {
        guard areFaultsOn else { return }
        after(chance.number(1...2 * scenario.faultPause)) { $0.strike() }
        guard let fault = chance.pick(scenario.faults),
            let laptop = chance.pick(laptops)
        else { return }
        trace.note(now, "fault \(fault) at \(laptop.index)")
        switch fault {
        case .network(let fault): strike(fault, laptop)
        case .daemon(let fault): strike(fault, laptop)
        case .machine(let fault): strike(fault, laptop)
        case .session(let fault): strike(fault, laptop)
        }
    }

    /// How long something lasts: mostly short, sometimes long enough for every timer to run out.
    private func duration() -> UInt64 {
        chance.number(chance.happens(80) ? 50...4_000 : 4_000...30_000)
    }

    // MARK: The network

    private func strike(_ fault: NetworkFault, _ laptop: Laptop) {
        switch fault {
        case .partition:
            guard let other = chance.pick(laptops) else { return }
            block(from: laptop.index, to: other.index)
            if chance.happens(50) { block(from: other.index, to: laptop.index) }
        case .isolation:
            for other in laptops {
                block(from: laptop.index, to: other.index)
                block(from: other.index, to: laptop.index)
            }
        case .weather:
            weather.delay = 0...chance.number(1...400)
            weather.loss = chance.index(below: 100)
            weather.duplication = chance.index(below: 50)
            after(duration()) { $0.weather.delay = 0...3 }
        case .cut, .halfOpen:
            guard let number = chance.pick(connections.keys.sorted()) else { return }
            cut(number, halfOpen: fault == .halfOpen)
        case .hostile: lie(to: laptop)
        }
    }

    private func block(from: Int, to: Int) {
        weather.block(from: from, to: to)
        after(duration()) { $0.weather.unblock(from: from, to: to) }
    }

    /// Announcements that are not true, or aim at ports where no daemon listens.
    private func lie(to laptop: Laptop) {
        for _ in 0..<chance.number(1...80) {
            let host = UInt32(chance.number(1...250))
            let port = chance.happens(30) ? UInt16(chance.number(1...65_535)) : 47_615
            let device = chance.happens(50) ? chance.pick(laptops)?.device : nil
            let announcement = Announcement(
                versions: chance.happens(90) ? 1...1 : 2...9,
                device: device ?? DeviceID.random(using: &chance),
                instance: InstanceID.random(using: &chance),
                port: port,
                sessions: workload.sessions.map { AnnouncedSession(id: $0) }
            )
            hear(announcement, from: Endpoint(address: 0x0A00_0100 + host, port: port), at: laptop)
        }
    }

    // MARK: The daemon

    private func strike(_ fault: DaemonFault, _ laptop: Laptop) {
        switch fault {
        case .kill: end(laptop, .killed)
        case .powerCut: end(laptop, .powerCut)
        case .stop: end(laptop, .politely)
        case .backup: laptop.backups.append(laptop.disk)
        case .restore:
            guard let backup = chance.pick(laptop.backups) else { return }
            end(laptop, .powerCut)
            laptop.disk = backup
            forgive()
        case .clone:
            guard !checker.hasClone, laptops.count < 6 else { return }
            checker.hasClone = true
            // What is on its way to the disk does not come along.
            let copy = addLaptop(device: laptop.device, disk: laptop.disk)
            if !scenario.hasBroadcast { introduce(copy, to: laptop) }
            start(copy)
        case .corruption:
            end(laptop, .powerCut)
            rot(laptop)
        }
        after(duration()) { $0.start(laptop) }
    }

    /// Without broadcast somebody must type an address.
    private func introduce(_ copy: Laptop, to laptop: Laptop) {
        for session in copy.disk.held {
            copy.disk.sessions[session]?.addresses[laptop.endpoint] = KnownAddress(
                endpoint: laptop.endpoint,
                device: nil,
                isTyped: true
            )
        }
    }

    /// Somebody's disk gives back another value than was written.
    private func rot(_ laptop: Laptop) {
        checker.isCorrupt = true
        guard let session = chance.pick(laptop.disk.held),
            let dot = chance.pick(laptop.disk.sessions[session]?.entries.keys.sorted() ?? []),
            let stored = laptop.disk.sessions[session]?.entries[dot]
        else { return }
        let entry = Entry(
            dot: dot,
            stamp: stored.entry.stamp,
            author: stored.entry.author,
            value: .integer(Int64(chance.number(0...1_000)))
        )
        laptop.disk.sessions[session]?.entries[dot] = KeyedEntry(key: stored.key, entry: entry)
    }

    /// A disk was set back: what only it had is lost by definition.
    private func forgive() {
        for session in workload.sessions {
            checker.forgive(session, disks: laptops.map(\.disk))
        }
    }

    // MARK: The machine

    private func strike(_ fault: MachineFault, _ laptop: Laptop) {
        switch fault {
        case .sleep:
            sleep(laptop)
            after(duration()) { $0.wake(laptop) }
        case .offline:
            guard let run = laptop.run else { return }
            give(.offline(true), to: laptop, run: run.number)
            after(duration()) { $0.give(.offline(false), to: laptop, run: run.number) }
        case .clockJump:
            if chance.happens(70) {
                laptop.clock.jump(by: Int64(chance.number(0...7_200_000)) - 3_600_000)
            } else if let far = chance.pick(SimulatedClock.farOff) {
                laptop.clock.jump(to: far)
            }
        case .move:
            laptop.address = chance.pick(freeAddresses) ?? laptop.address
            noticeNetwork(laptop)
        case .diskTrouble:
            laptop.trouble = chance.pick([.full, .unknownOutcome, .slow]) ?? .full
            after(duration()) { _ in laptop.trouble = .none }
        case .networkChange: noticeNetwork(laptop)
        }
    }

    private func noticeNetwork(_ laptop: Laptop) {
        guard let run = laptop.run else { return }
        after(delay()) { $0.give(.networkChanged, to: laptop, run: run.number) }
    }

    // MARK: The session

    private func strike(_ fault: SessionFault, _ laptop: Laptop) {
        switch fault {
        case .finish:
            guard let session = chance.pick(laptop.disk.held) else { return }
            write([.finished(chance.happens(60))], in: session, on: laptop)
        case .leave:
            // Somebody must stay.
            guard let session = chance.pick(laptop.disk.held), let run = laptop.run,
                laptops.count(where: { $0.disk.sessions[session] != nil }) > 2
            else { return }
            laptop.disk.sessions[session] = nil
            run.inFlight[session] = nil
            give(.left(session), to: laptop, run: run.number)
            forgive()
        case .lateJoiner:
            guard laptops.count < 6 else { return }
            join(chance.happens(50) ? laptop : addLaptop())
        }
    }

    /// A laptop comes into a session with nothing but the address of a member.
    private func join(_ laptop: Laptop) {
        let open = workload.sessions.filter { laptop.disk.sessions[$0] == nil }
        guard let session = chance.pick(open),
            let member = chance.pick(laptops.filter { $0.disk.sessions[session] != nil })
        else { return }
        var stored = Disk.Session()
        stored.addresses[member.endpoint] = KnownAddress(
            endpoint: member.endpoint,
            device: member.device,
            isTyped: false
        )
        laptop.disk.sessions[session] = stored
        guard let run = laptop.run else { return start(laptop) }
        give(.opened(session, stored.opened), to: laptop, run: run.number)
    }
}
