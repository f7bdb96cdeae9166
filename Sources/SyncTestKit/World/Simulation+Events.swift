import SessionCRDT
import SyncEngine
import SyncProtocol

extension Simulation {
    /// Starts the laptops: the first one creates the sessions, the rest have joined them.
    func begin() {
        for laptop in laptops.prefix(scenario.laptops) {
            for session in cast.sessions.prefix(scenario.sessions) {
                var stored = Disk.Session()
                // Without broadcast each laptop knows the address of one before it.
                if !scenario.hasBroadcast, let other = introducer(for: laptop) {
                    stored.remember(other.endpoint, isTyped: true)
                }
                laptop.disk.sessions[session] = stored
                laptop.store?.add(session)
            }
            after(laptop.random.next(in: 0...2_000)) { $0.start(laptop) }
        }
        let end = 2_000 + scenario.faultDuration
        for timed in history.events {
            schedule(at: timed.at) { simulation in
                let isWrite = if case .write = timed.event { true } else { false }
                guard isWrite || timed.at < end else { return }
                simulation.apply(timed.event)
            }
        }
    }

    private func introducer(for laptop: Laptop) -> Laptop? {
        let earlier = laptops.prefix(laptop.index).filter { canDial(from: laptop, to: $0) }
        return laptop.random.pick(Array(earlier))
    }

    /// Applies an event; does nothing if the laptop or session does not exist.
    func apply(_ event: Event) {
        trace.log(now, "event \(event)")
        switch event {
        case .write(let laptop, let session, let what):
            with(laptop, session) { $0.write(what.mutations(in: $0.cast), in: $2, on: $1) }
        case .nextGame(let laptop, let session, let next):
            with(laptop, session) { $0.startNextGame(next, after: $2, on: $1) }
        case .join(let laptop, let session, let member):
            with(laptop, session) { simulation, laptop, session in
                simulation.with(member) { $0.join(laptop, session, through: $1) }
            }
        case .leave(let laptop, let session, let isForced):
            with(laptop, session) { $0.leave($1, $2, isForced: isForced) }
        case .invite(let laptop, let session, let isOpen):
            with(laptop, session) {
                if isOpen, $1.isActive { $0.checker.record(.invite) }
                $0.deliver(.inviteChanged($2, isOpen: isOpen), to: $1)
            }
        case .knock(let laptop, let session, let number):
            with(laptop, session) { $0.knock(at: $1, $2, number) }
        case .answerKnock(let laptop, let session, let answer):
            with(laptop, session) { $0.answerKnock($2, answer, on: $1) }
        case .type(let laptop, let session, let other):
            with(laptop, session) { simulation, laptop, session in
                simulation.with(other) { $0.type($1, in: session, on: laptop) }
            }
        case .offline(let laptop, let lasting): with(laptop) { $0.goOffline($1, for: lasting) }
        case .block(let from, let to, let lasting):
            with(from) { $0.block(from: $1.index, to: to, for: lasting) }
        case .isolate(let laptop, let lasting): with(laptop) { $0.isolate($1, for: lasting) }
        case .weather(let delay, let loss, let duplication, let lasting):
            network.delay = 0...delay
            (network.loss, network.duplication) = (loss, duplication)
            after(lasting) { $0.network.delay = 0...3 }
        case .disconnect(let one, let other, let isHalfOpen):
            cutAll(between: one, and: other, isHalfOpen: isHalfOpen)
        case .overtake(let from, let to, let session):
            with(from, session) { simulation, laptop, session in
                simulation.with(to) { $0.overtake(from: laptop, to: $1, session) }
            }
        case .lie(let laptop, let times, let seed):
            with(laptop) { $0.forgeAnnouncements(to: $1, times: times, seed: seed) }
        case .end(let laptop, let how, let lasting):
            with(laptop) { $0.stop($1, how, for: lasting) }
        case .backUp(let laptop): with(laptop) { $1.backups.append($1.disk) }
        case .restore(let laptop, let backup, let lasting):
            with(laptop) { $0.restore($1, backup, for: lasting) }
        case .clone(let laptop, let to): with(laptop) { $0.clone($1, to: to) }
        case .rot(let laptop, let what, let seed): with(laptop) { $0.corrupt($1, what, seed: seed) }
        case .sleep(let laptop, let lasting):
            with(laptop) { simulation, laptop in
                simulation.sleep(laptop)
                simulation.after(lasting) { $0.wake(laptop) }
            }
        case .shiftClock(let laptop, let by): with(laptop) { $1.clock.jump(by: by) }
        case .setClock(let laptop, let to): with(laptop) { $1.clock.jump(to: to) }
        case .move(let laptop, let address): with(laptop) { $0.move($1, to: address) }
        case .spoilDisk(let laptop, let trouble, let lasting):
            with(laptop) { $0.spoilDisk(of: $1, trouble, for: lasting) }
        case .changeNetwork(let laptop): with(laptop) { $0.deliver(.networkChanged, to: $1) }
        }
    }

    private func with(_ index: Int, _ act: (Simulation, Laptop) -> Void) {
        guard laptops.indices ~= index else { return }
        act(self, laptops[index])
    }

    private func with(
        _ index: Int,
        _ session: Int,
        _ act: (Simulation, Laptop, SessionID) -> Void
    ) {
        guard laptops.indices ~= index, cast.sessions.indices ~= session else { return }
        act(self, laptops[index], cast.sessions[session])
    }

    // MARK: People

    private func write(_ mutations: [Mutation], in session: SessionID, on laptop: Laptop) {
        guard let run = laptop.run, !laptop.isAsleep,
            let journal = laptop.disk.sessions[session]?.journal
        else { return }
        if !areFaultsOn { checker.record(.lateWrite) }
        let request = RequestID(next(\.request))
        run.writes[request] = (session, mutations, journal.count)
        deliver(.write(request, session, mutations), to: laptop)
    }

    private func type(_ other: Laptop, in session: SessionID, on laptop: Laptop) {
        guard let stored = laptop.disk.sessions[session], laptop.isActive, other !== laptop,
            other.disk.sessions[session] != nil, canDial(from: laptop, to: other)
        else { return }
        let device = stored.addresses[other.endpoint]?.member
        laptop.disk.sessions[session]?.remember(other.endpoint, of: device, isTyped: true)
        checker.record(.typedAddress)
        deliver(.addressTyped(session, other.endpoint), to: laptop)
    }

    private func goOffline(_ laptop: Laptop, for lasting: UInt64) {
        guard let run = laptop.run else { return }
        deliver(.offline(true), to: laptop)
        after(lasting) { $0.deliver(.offline(false), to: laptop, run: run.number) }
    }

    private func knock(at laptop: Laptop, _ session: SessionID, _ number: UInt64) {
        guard let run = laptop.run, !laptop.isAsleep, run.engine.replicas[session] != nil
        else { return }
        let knock = Knock(
            id: KnockID(high: UInt64(laptop.index), low: number),
            laptop: "stranger",
            symbols: [],
            lastPlayed: nil
        )
        run.knocks[session, default: []].append(knock)
        deliver(.knocksChanged(session, run.knocks[session] ?? []), to: laptop)
        after(Simulation.knockPatience) { $0.endKnock(knock.id, session, on: laptop, run) }
    }

    /// Returns the index of the laptop at which somebody knocked.
    func door(of knock: KnockID) -> Int { Int(knock.high) }

    private func answerKnock(_ session: SessionID, _ answer: KnockAnswer, on laptop: Laptop) {
        guard let run = laptop.run, !laptop.isAsleep else { return }
        if let own = run.knocks[session]?.first {
            endKnock(own.id, session, on: laptop, run)
        } else if let peer = run.engine.peers(session).first(where: { !$0.knocks.isEmpty }) {
            let id = peer.knocks[0].id
            deliver(.knockAnswered(session, peer.device, id, answer), to: laptop)
        }
    }

    /// Ends a knock that was answered or has waited too long; returns whether it still waited.
    @discardableResult
    func endKnock(
        _ id: KnockID,
        _ session: SessionID,
        on laptop: Laptop,
        _ run: Laptop.Run
    ) -> Bool {
        guard let index = run.knocks[session]?.firstIndex(where: { $0.id == id }) else {
            return false
        }
        run.knocks[session]?.remove(at: index)
        deliver(.knocksChanged(session, run.knocks[session] ?? []), to: laptop, run: run.number)
        return true
    }

    // MARK: Joining and leaving

    /// Adds a session to a laptop that knows only the address of a member.
    private func join(_ laptop: Laptop, _ session: SessionID, through member: Laptop) {
        guard laptop.disk.sessions[session] == nil, member.disk.sessions[session] != nil,
            laptop !== member
        else { return }
        var stored = Disk.Session()
        stored.remember(member.endpoint, of: member.device)
        hold(session, stored, on: laptop)
    }

    private func hold(_ session: SessionID, _ stored: Disk.Session, on laptop: Laptop) {
        laptop.disk.sessions[session] = stored
        laptop.store?.add(session)
        laptop.written?.sessions[session] = stored
        laptop.left.remove(session)
        guard laptop.run != nil else { return start(laptop) }
        deliver(.opened(session, stored.opened), to: laptop)
    }

    private func leave(_ laptop: Laptop, _ session: SessionID, isForced: Bool) {
        // At least two other laptops must keep the session.
        guard let run = laptop.run, !laptop.isAsleep, let stored = laptop.disk.sessions[session],
            laptops.count(where: { $0.disk.sessions[session] != nil }) > 2
        else { return }
        let isSafe = !run.engine.hasUnsyncedWrites(session)
        guard isForced || isSafe || scenario.sabotage == .leavesUnasked else { return }
        var promised: Set<Dot> = []
        if !isForced, let live = run.engine.replicas[session]?.committed.live {
            let own = live.flatMap { $0.value.filter { $0.author == laptop.device } }
            promised = Set(own.map(\.dot))
            checker.record(.politeLeave)
        }
        laptop.disk.sessions[session] = nil
        laptop.store?.remove(session)
        laptop.written?.sessions[session] = nil
        laptop.left.insert(session)
        run.inFlight[session] = nil
        recordLoss(session, ofDiskAt: stored.vector, promised: promised)
        deliver(.left(session), to: laptop)
    }

    /// Starts the next game; other laptops join when they read the entry that names it.
    private func startNextGame(_ next: Int, after session: SessionID, on laptop: Laptop) {
        guard laptop.isActive, laptop.disk.sessions[session] != nil, cast.sessions.indices ~= next,
            laptops.allSatisfy({ $0.disk.sessions[cast.sessions[next]] == nil })
        else { return }
        join(cast.sessions[next], after: session, on: laptop)
        write(Writing.creation.mutations(in: cast), in: cast.sessions[next], on: laptop)
        write(Writing.nextGame(session: next).mutations(in: cast), in: session, on: laptop)
    }

    /// Joins the next game that a session names, as a daemon would.
    func joinNextGame(after session: SessionID, on laptop: Laptop, _ run: Laptop.Run) {
        guard let live = run.engine.replicas[session]?.committed[.session(Field.next)]
        else { return }
        for next in Successor.all(in: live)
        where laptop.disk.sessions[next.session] == nil && !laptop.left.contains(next.session) {
            after(laptop.random.next(in: 0...50)) { simulation in
                guard laptop.run === run, !laptop.isAsleep else { return }
                simulation.join(next.session, after: session, on: laptop)
            }
        }
    }

    private func join(_ next: SessionID, after session: SessionID, on laptop: Laptop) {
        guard laptop.disk.sessions[next] == nil, let before = laptop.disk.sessions[session]
        else { return }
        checker.record(.successor)
        var stored = Disk.Session()
        stored.addresses = before.addresses
        hold(next, stored, on: laptop)
    }

    // MARK: The network

    private func block(from: Int, to: Int, for lasting: UInt64) {
        network.block(from: from, to: to)
        after(lasting) { $0.network.unblock(from: from, to: to) }
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

    private func forgeAnnouncements(to laptop: Laptop, times: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<times {
            let host = UInt32(random.next(in: 1...250))
            let port = random.happens(30) ? UInt16(random.next(in: 1...65_535)) : 47_615
            let device = random.happens(50) ? random.pick(laptops)?.device : nil
            let announcement = Announcement(
                versions: random.happens(90) ? 1...1 : 2...9,
                device: device ?? DeviceID.random(using: &random),
                instance: InstanceID.random(using: &random),
                port: port,
                sessions: cast.sessions.map { AnnouncedSession(id: $0) }
            )
            let source = Endpoint(address: Laptop.network + 0x100 + host, port: port)
            hear(announcement, from: source, at: laptop)
        }
    }

    private func move(_ laptop: Laptop, to number: UInt32) {
        let address = Laptop.network + number
        guard laptops.allSatisfy({ $0.address != address }) else { return }
        laptop.address = address
        after(delay(of: laptop)) { $0.deliver(.networkChanged, to: laptop) }
    }

    // MARK: The daemon and its disk

    private func stop(_ laptop: Laptop, _ how: EndOfRun, for lasting: UInt64) {
        guard laptop.run != nil else { return }
        end(laptop, how)
        after(lasting) { $0.start(laptop) }
    }

    private func restore(_ laptop: Laptop, _ backup: Int, for lasting: UInt64) {
        // With a backup from before a session was joined, the laptop would leave it silently.
        let backups = laptop.backups.filter { $0.held == laptop.disk.held }
        guard !backups.isEmpty else { return }
        let disk = backups[backup % backups.count]
        end(laptop, .powerCut)
        laptop.written = nil
        rollBack(laptop, to: disk)
        after(lasting) { $0.start(laptop) }
    }

    private func clone(_ laptop: Laptop, to index: Int) {
        guard laptops.indices ~= index, laptops[index].isBlank, !checker.hasClone, !laptop.isBlank
        else { return }
        checker.hasClone = true
        // Batches on their way to disk are not copied.
        let copy = laptops[index]
        copy.device = laptop.device
        copy.disk = laptop.disk
        // Without broadcast the clone needs an address that the user types.
        let introducer = canDial(from: copy, to: laptop) ? laptop : laptops[0]
        for session in copy.disk.held where !scenario.hasBroadcast {
            copy.disk.sessions[session]?.remember(introducer.endpoint, isTyped: true)
        }
        start(copy)
    }

    private func spoilDisk(of laptop: Laptop, _ trouble: DiskTrouble, for lasting: UInt64) {
        guard laptop.trouble == nil else { return }
        laptop.trouble = trouble
        laptop.written = trouble == .lying ? laptop.disk : nil
        after(lasting) { simulation in
            if laptop.breakage != .full { simulation.repairDisk(of: laptop) }
        }
    }
}
