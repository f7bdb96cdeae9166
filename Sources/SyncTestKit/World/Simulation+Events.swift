import SessionCRDT
import SyncEngine
import SyncProtocol

/// How the world begins, and what people do.
extension Simulation {
    /// Sets the laptops up: the first creates the sessions, the others have joined.
    func begin() {
        for laptop in laptops.prefix(scenario.laptops) {
            for session in cast.sessions.prefix(scenario.sessions) {
                var stored = Disk.Session()
                // Without broadcast each knows one that was there before.
                if !scenario.hasBroadcast, let other = door(for: laptop) {
                    stored.addresses[other.endpoint] = KnownAddress(
                        endpoint: other.endpoint,
                        device: nil,
                        isTyped: true
                    )
                }
                laptop.disk.sessions[session] = stored
                laptop.store?.add(session)
            }
            after(laptop.chance.number(0...2_000)) { $0.start(laptop) }
        }
        let end = 2_000 + scenario.trouble
        for happening in history.happenings {
            agenda.plan(at: happening.at) { simulation in
                let isWrite = if case .write = happening.event { true } else { false }
                guard isWrite || happening.at < end else { return }
                simulation.apply(happening.event)
            }
        }
    }

    /// A laptop that was there before and can be dialled.
    private func door(for laptop: Laptop) -> Laptop? {
        let earlier = laptops.prefix(laptop.index).filter { canDial(from: laptop, to: $0) }
        return laptop.chance.pick(Array(earlier))
    }

    func write(_ mutations: [Mutation], in session: SessionID, on laptop: Laptop) {
        guard let run = laptop.run, !laptop.isAsleep,
            let journal = laptop.disk.sessions[session]?.journal
        else { return }
        if !areFaultsOn { checker.note(.lateWrite) }
        let request = nextRequest()
        run.writes[request] = Laptop.PendingWrite(
            session: session,
            mutations: mutations,
            journalLength: journal.count
        )
        give(.write(request, session, mutations), to: laptop, run: run.number)
    }

    // MARK: Who holds what

    /// A laptop comes into a session with nothing but an address of a member.
    func join(_ laptop: Laptop, _ session: SessionID, through member: Laptop) {
        guard laptop.disk.sessions[session] == nil, member.disk.sessions[session] != nil,
            laptop !== member
        else { return }
        var stored = Disk.Session()
        stored.addresses[member.endpoint] = KnownAddress(
            endpoint: member.endpoint,
            device: member.device,
            isTyped: false
        )
        hold(session, stored, on: laptop)
    }

    /// Puts a new session on a disk, and tells a daemon that runs.
    func hold(_ session: SessionID, _ stored: Disk.Session, on laptop: Laptop) {
        laptop.disk.sessions[session] = stored
        laptop.store?.add(session)
        laptop.written?.sessions[session] = stored
        laptop.left.remove(session)
        guard let run = laptop.run else { return start(laptop) }
        give(.opened(session, stored.opened), to: laptop, run: run.number)
    }

    func leave(_ laptop: Laptop, _ session: SessionID, isForced: Bool) {
        // Somebody must stay.
        guard let run = laptop.run, !laptop.isAsleep, let stored = laptop.disk.sessions[session],
            laptops.count(where: { $0.disk.sessions[session] != nil }) > 2
        else { return }
        let isSafe = !run.engine.hasUnsyncedWrites(session)
        guard isForced || isSafe || scenario.sabotage == .leavesUnasked else { return }
        var promised: Set<Dot> = []
        if !isForced, let live = run.engine.replicas[session]?.committed.live {
            promised = Set(
                live.flatMap { $0.value.map(\.self) }
                    .filter { $0.author == laptop.device }.map(\.dot)
            )
            checker.note(.politeLeave)
        }
        laptop.disk.sessions[session] = nil
        laptop.store?.remove(session)
        laptop.written?.sessions[session] = nil
        laptop.left.insert(session)
        run.inFlight[session] = nil
        forgive(session, of: stored.vector, but: promised)
        give(.left(session), to: laptop, run: run.number)
    }

    // MARK: The next game

    /// Somebody begins the next game; the others take it up when they read of it.
    func playOn(_ laptop: Laptop, from session: SessionID, to next: Int) {
        guard laptop.isActive, laptop.disk.sessions[session] != nil, cast.sessions.indices ~= next,
            laptops.allSatisfy({ $0.disk.sessions[cast.sessions[next]] == nil })
        else { return }
        takeUp(cast.sessions[next], after: session, on: laptop)
        write(Writing.creation.mutations(in: cast), in: cast.sessions[next], on: laptop)
        write(Writing.next(session: next).mutations(in: cast), in: session, on: laptop)
    }

    /// Takes up what a session names as the next one, as a daemon does.
    func lookForNext(after session: SessionID, on laptop: Laptop, _ run: Laptop.Run) {
        guard let live = run.engine.replicas[session]?.committed[.session(Field.next)] else {
            return
        }
        for next in Successor.all(in: live)
        where laptop.disk.sessions[next.session] == nil && !laptop.left.contains(next.session) {
            after(laptop.chance.number(0...50)) { simulation in
                guard laptop.run === run, !laptop.isAsleep else { return }
                simulation.takeUp(next.session, after: session, on: laptop)
            }
        }
    }

    private func takeUp(_ next: SessionID, after session: SessionID, on laptop: Laptop) {
        guard laptop.disk.sessions[next] == nil, let before = laptop.disk.sessions[session] else {
            return
        }
        checker.note(.successor)
        var stored = Disk.Session()
        stored.addresses = before.addresses
        hold(next, stored, on: laptop)
    }
}

/// What each event does, and how it passes.
extension Simulation {
    /// Lets an event happen; one that finds nothing to do does nothing.
    func apply(_ event: Event) {
        trace.note(now, "event \(event)")
        switch event {
        case .write(let laptop, let session, let what):
            visit(laptop, session) { $0.write(what.mutations(in: $0.cast), in: $2, on: $1) }
        case .playOn(let laptop, let session, let next):
            visit(laptop, session) { $0.playOn($1, from: $2, to: next) }
        case .join(let laptop, let session, let member):
            visit(laptop, session) { simulation, laptop, session in
                simulation.visit(member) { $0.join(laptop, session, through: $1) }
            }
        case .leave(let laptop, let session, let isForced):
            visit(laptop, session) { $0.leave($1, $2, isForced: isForced) }
        case .invite(let laptop, let session, let isOpen):
            visit(laptop, session) { simulation, laptop, session in
                if isOpen, laptop.isActive { simulation.checker.note(.invite) }
                simulation.tell(laptop, .inviteChanged(session, isOpen: isOpen))
            }
        case .type(let laptop, let session, let other):
            visit(laptop, session) { simulation, laptop, session in
                simulation.visit(other) { $0.type($1, in: session, on: laptop) }
            }
        case .offline(let laptop, let lasting):
            visit(laptop) { $0.goOffline($1, for: lasting) }
        case .block(let from, let to, let lasting):
            visit(from) { $0.block(from: $1.index, to: to, for: lasting) }
        case .isolate(let laptop, let lasting): visit(laptop) { $0.isolate($1, for: lasting) }
        case .weather(let delay, let loss, let duplication, let lasting):
            weather.delay = 0...delay
            (weather.loss, weather.duplication) = (loss, duplication)
            after(lasting) { $0.weather.delay = 0...3 }
        case .cut(let one, let other, let isHalfOpen):
            cutAll(between: one, and: other, isHalfOpen: isHalfOpen)
        case .overtake(let from, let to, let session):
            visit(from, session) { simulation, laptop, session in
                simulation.visit(to) { $0.overtake(from: laptop, to: $1, session) }
            }
        case .lie(let laptop, let times, let seed):
            visit(laptop) { $0.lie(to: $1, times: times, seed: seed) }
        case .end(let laptop, let how, let lasting):
            visit(laptop) { $0.stop($1, how, for: lasting) }
        case .backUp(let laptop): visit(laptop) { $1.backups.append($1.disk) }
        case .restore(let laptop, let backup, let lasting):
            visit(laptop) { $0.restore($1, backup, for: lasting) }
        case .clone(let laptop, let to): visit(laptop) { $0.clone($1, to: to) }
        case .rot(let laptop, let what, let seed):
            visit(laptop) { $0.rot($1, what, seed: seed) }
        case .sleep(let laptop, let lasting):
            visit(laptop) { simulation, laptop in
                simulation.sleep(laptop)
                simulation.after(lasting) { $0.wake(laptop) }
            }
        case .shiftClock(let laptop, let by): visit(laptop) { $1.clock.jump(by: by) }
        case .setClock(let laptop, let to): visit(laptop) { $1.clock.jump(to: to) }
        case .move(let laptop, let address): visit(laptop) { $0.move($1, to: address) }
        case .spoilDisk(let laptop, let trouble, let lasting):
            visit(laptop) { $0.spoilDisk(of: $1, trouble, for: lasting) }
        case .changeNetwork(let laptop): visit(laptop) { $0.tell($1, .networkChanged) }
        }
    }

    /// Does something with a laptop that is there.
    private func visit(_ index: Int, _ act: (Simulation, Laptop) -> Void) {
        guard laptops.indices ~= index else { return }
        act(self, laptops[index])
    }

    /// Does something with a laptop that is there, and a session.
    private func visit(
        _ index: Int,
        _ session: Int,
        _ act: (Simulation, Laptop, SessionID) -> Void
    ) {
        guard laptops.indices ~= index, cast.sessions.indices ~= session else { return }
        act(self, laptops[index], cast.sessions[session])
    }

    private func tell(_ laptop: Laptop, _ input: Input) {
        guard let run = laptop.run else { return }
        give(input, to: laptop, run: run.number)
    }

    // MARK: People

    private func type(_ other: Laptop, in session: SessionID, on laptop: Laptop) {
        guard let stored = laptop.disk.sessions[session], laptop.isActive, other !== laptop,
            other.disk.sessions[session] != nil, canDial(from: laptop, to: other)
        else { return }
        let device = stored.addresses[other.endpoint]?.device
        laptop.disk.sessions[session]?.addresses[other.endpoint] = KnownAddress(
            endpoint: other.endpoint,
            device: device,
            isTyped: true
        )
        checker.note(.typedAddress)
        tell(laptop, .addressTyped(session, other.endpoint))
    }

    private func goOffline(_ laptop: Laptop, for lasting: UInt64) {
        guard let run = laptop.run else { return }
        give(.offline(true), to: laptop, run: run.number)
        after(lasting) { $0.give(.offline(false), to: laptop, run: run.number) }
    }

    // MARK: The network

    private func block(from: Int, to: Int, for lasting: UInt64) {
        weather.block(from: from, to: to)
        after(lasting) { $0.weather.unblock(from: from, to: to) }
    }

    private func isolate(_ laptop: Laptop, for lasting: UInt64) {
        for other in laptops {
            block(from: laptop.index, to: other.index, for: lasting)
            block(from: other.index, to: laptop.index, for: lasting)
        }
    }

    private func cutAll(between one: Int, and other: Int, isHalfOpen: Bool) {
        for (number, connection) in connections.sorted(by: { $0.key < $1.key })
        where Set(connection.ends.map(\.laptop)) == [one, other] {
            cut(number, halfOpen: isHalfOpen)
        }
    }

    private func lie(to laptop: Laptop, times: Int, seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<times {
            let host = UInt32(chance.number(1...250))
            let port = chance.happens(30) ? UInt16(chance.number(1...65_535)) : 47_615
            let device = chance.happens(50) ? chance.pick(laptops)?.device : nil
            let announcement = Announcement(
                versions: chance.happens(90) ? 1...1 : 2...9,
                device: device ?? DeviceID.random(using: &chance),
                instance: InstanceID.random(using: &chance),
                port: port,
                sessions: cast.sessions.map { AnnouncedSession(id: $0) }
            )
            hear(announcement, from: Endpoint(address: 0x0A00_0100 + host, port: port), at: laptop)
        }
    }

    // MARK: The daemon

    private func stop(_ laptop: Laptop, _ how: EndOfRun, for lasting: UInt64) {
        guard laptop.run != nil else { return }
        end(laptop, how)
        after(lasting) { $0.start(laptop) }
    }

    private func restore(_ laptop: Laptop, _ backup: Int, for lasting: UInt64) {
        // One from before a session was joined makes who has gone without a word.
        let backups = laptop.backups.filter { $0.held == laptop.disk.held }
        guard !backups.isEmpty else { return }
        let disk = backups[backup % backups.count]
        end(laptop, .powerCut)
        laptop.written = nil
        setBack(laptop, to: disk)
        after(lasting) { $0.start(laptop) }
    }

    private func clone(_ laptop: Laptop, to place: Int) {
        guard laptops.indices ~= place, laptops[place].isBlank, !checker.hasClone, !laptop.isBlank
        else { return }
        checker.hasClone = true
        // What is on its way to the disk does not come along.
        let copy = laptops[place]
        copy.device = laptop.device
        copy.disk = laptop.disk
        // Without broadcast somebody must type an address.
        for session in copy.disk.held where !scenario.hasBroadcast {
            let door = canDial(from: copy, to: laptop) ? laptop : laptops[0]
            copy.disk.sessions[session]?.addresses[door.endpoint] = KnownAddress(
                endpoint: door.endpoint,
                device: nil,
                isTyped: true
            )
        }
        start(copy)
    }

    // MARK: The machine

    private func move(_ laptop: Laptop, to address: UInt32) {
        let address = Laptop.firstAddress + address
        guard laptops.allSatisfy({ $0.address != address }) else { return }
        laptop.address = address
        after(delay(of: laptop)) { $0.tell(laptop, .networkChanged) }
    }

    private func spoilDisk(of laptop: Laptop, _ trouble: DiskTrouble, for lasting: UInt64) {
        guard laptop.trouble == nil else { return }
        laptop.trouble = trouble
        laptop.written = trouble == .lying ? laptop.disk : nil
        after(lasting) { simulation in
            if laptop.breakage != .full { simulation.cure(laptop) }
        }
    }
}
