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
